import type { Settings } from '#contract/settings.ts';
import { Switch } from '#web/ui/Field.tsx';
import { useShowHelp } from '#web/api/account.ts';
import { useSaveSetting, useSettingTexts } from '../fields/use-setting.ts';

/** Includes or excludes automatic captions. */
export function SubtitleSource({ all }: { all: Settings }) {
  const withHelp = useShowHelp();
  const save = useSaveSetting('downloads', 'subtitle_source');
  const { label, help } = useSettingTexts('downloads', 'subtitle_source');
  return (
    <Switch
      label={label}
      {...(withHelp && help && { help })}
      isOn={save.currentValue(all.downloads.subtitle_source) === 'auto'}
      onChange={(isOn) => save.mutate(isOn ? 'auto' : 'user')}
    />
  );
}
