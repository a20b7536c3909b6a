import type { Settings } from '#contract/settings.ts';
import { useShowHelp } from '#web/api/account.ts';
import { Select, Switch } from '#web/ui/Field.tsx';
import { SavedNote } from '#web/ui/SavedNote.tsx';
import { useAutoSave } from '#web/ui/use-auto-save.ts';
import { useSaveSetting, useSettingTexts, type SettingValue } from './use-setting.ts';

interface Props {
  section: keyof Settings;
  name: string;
  saved: SettingValue;
}

/** State of a setting that is chosen, not typed. */
export function useChoice({ section, name, saved }: Props) {
  const withHelp = useShowHelp();
  const { label, help } = useSettingTexts(section, name);
  const { save, current } = useSaveSetting(section, name, saved);
  const { commit, error, isSaved, undo } = useAutoSave({ value: saved, save });
  return {
    current,
    choose: (value: SettingValue) => void commit(value),
    shared: {
      label,
      ...(withHelp && help && { help }),
      note: <SavedNote label={label} isSaved={isSaved} onUndo={undo} />,
      problem: error?.message,
    },
  };
}

/** A switch that saves itself. `on` and `off` are the values of the setting. */
export function SwitchSetting({ on = true, off = false, ...setting }: Props & { on?: SettingValue; off?: SettingValue }) {
  const { current, choose, shared } = useChoice(setting);
  return <Switch {...shared} isOn={current === on} onChange={(isOn) => choose(isOn ? on : off)} />;
}

/** A selection that saves itself. The empty choice is null. */
export function SelectSetting({ choices, ...setting }: Props & { choices: { value: string; label: string }[] }) {
  const { current, choose, shared } = useChoice(setting);
  return (
    <Select {...shared} choices={choices} value={String(current ?? '')} onChange={({ target }) => choose(target.value || null)} />
  );
}
