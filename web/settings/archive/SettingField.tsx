import { msg } from '@lingui/core/macro';
import type { MessageDescriptor } from '@lingui/core';
import { useLingui } from '@lingui/react/macro';
import { settings, type Setting, type Settings } from '#contract/settings.ts';
import { useQuery } from '@tanstack/react-query';
import { storage } from '#web/api/queries/stats.ts';
import { AutoSaveField } from '#web/ui/AutoSaveField.tsx';
import { gigabyteUnit } from '#web/format/numbers.ts';
import { useConfig, useShowHelp } from '#web/api/account.ts';
import { SelectSetting, SwitchSetting, useChoice } from '#web/setting-fields/ChoiceSetting.tsx';
import { FieldAnchor } from '#web/setting-fields/FieldAnchor.tsx';
import { formatRuleValue, isInMinutes, type Rules } from '#web/rules/rules.ts';
import { FormatPreset } from '#web/setting-fields/FormatPreset.tsx';
import { settingAnchor } from '#web/settings-pages/settings-pages.ts';
import { CommentPreset } from './CommentPreset.tsx';
import { LoginAddress } from './LoginAddress.tsx';
import { useSaveSetting, useSettingTexts, type SettingValue } from '#web/setting-fields/use-setting.ts';

interface Props {
  section: keyof Settings;
  name: string;
  all: Settings;
}

// Units that are translated; KB/s and the like are not.
const units: Record<string, MessageDescriptor> = { days: msg`days`, videos: msg`videos`, minutes: msg`minutes` };

/** Labels of the values of choices. */
const choiceLabels: Record<string, MessageDescriptor> = {
  top: msg`Top comments first`,
  new: msg`Newest first`,
  auto: msg`Automatic`,
  on: msg`Always`,
  off: msg`Never`,
  ask: msg`Ask first`,
  wait: msg`Download when they are over`,
  record: msg`Record`,
  always: msg`Always`,
  never: msg`Never`,
  provider: msg`Own provider`,
  360: msg`360p`,
  480: msg`480p`,
  720: msg`720p`,
  request: msg`On request`,
  missing: msg`All videos`,
  'use-m3': msg`use-m3: 16 languages, 50 MB, fast`,
  e5: msg`e5: 100 languages, 110 MB, slow`,
};

interface TypedProps extends Props {
  setting: Setting;
  saved: SettingValue;
  /** Replaces the help of the setting. */
  help?: string;
}

function TypedSetting({ section, name, setting, saved, help: ownHelp }: TypedProps) {
  const { t } = useLingui();
  const withHelp = useShowHelp();
  const { save } = useSaveSetting(section, name, saved);
  const gigabyte = gigabyteUnit(useConfig()?.file_size_unit);
  // Sizes are stored in bytes and edited in gigabytes of the user; lengths of videos are stored in seconds and edited in minutes.
  const isSize = setting.unit === 'bytes';
  const isLength = section === 'rules' && isInMinutes(name as keyof Rules);
  const scale = isSize ? gigabyte.bytes : isLength ? 60 : 1;
  const { label, help } = useSettingTexts(section, name);
  const unitName = isLength ? 'minutes' : setting.unit;
  const unit = isSize ? gigabyte.name : unitName && units[unitName] ? t(units[unitName]) : unitName;
  const canBeEmpty = 'orEmpty' in setting && setting.orEmpty === true;
  const parse = (text: string): SettingValue => {
    if (text.trim() === '' || ('zeroIsEmpty' in setting && Number(text) === 0)) return canBeEmpty ? null : saved;
    return setting.kind === 'integer' ? Math.round(Number(text) * scale) : text.trim();
  };
  const reset: SettingValue = setting.initial;
  return (
    <AutoSaveField
      label={unit ? `${label} (${unit})` : label}
      help={withHelp ? (ownHelp ?? help) : undefined}
      saved={saved}
      format={(value) =>
        isLength
          ? formatRuleValue(name as keyof Rules, value as number | null)
          : value === null
            ? ''
            : String(isSize ? Number(value) / scale : value)
      }
      parse={parse}
      save={save}
      required={!canBeEmpty}
      spellCheck={false}
      {...(setting.kind === 'integer'
        ? scale > 1
          ? { type: 'number', inputMode: 'decimal' as const, min: 0, step: 'any' }
          : { type: 'number', inputMode: 'numeric' as const, min: setting.min, max: setting.max }
        : setting.kind === 'day'
          ? { type: 'date' }
          : setting.kind === 'text'
            ? { maxLength: setting.max }
            : {})}
      reset={saved === reset ? undefined : reset}
    />
  );
}

/** Minimum free space, which counts for a bucket and for the disks of the servers. */
function Reserve(props: TypedProps) {
  const { t } = useLingui();
  const isBucket = useQuery(storage).data?.is_bucket === true;
  return (
    <TypedSetting
      {...props}
      {...(isBucket && { help: t`Downloads stop when less space is left in the bucket or on the disk of the server.` })}
    />
  );
}

function Control(props: Props) {
  const { t } = useLingui();
  const { section, name, all } = props;
  const setting = (settings[section] as Record<string, Setting>)[name]!;
  const values = all[section] as Record<string, SettingValue>;
  const saved = values[name] ?? null;
  const choice = { section, name, saved };
  const { current, choose, shared } = useChoice(choice);
  const { label, note, problem } = shared;
  if (section === 'downloads' && name === 'subtitle_source') return <SwitchSetting {...choice} on="auto" off="user" />;
  if (section === 'queue' && name === 'reserve') return <Reserve {...props} setting={setting} saved={saved} />;
  if (section === 'queue' && name === 'login_egress') return <LoginAddress saved={saved as string | null} />;
  if (setting.kind === 'switch') return <SwitchSetting {...choice} />;
  if (setting.kind === 'choice')
    return (
      <SelectSetting
        {...choice}
        choices={[
          ...(setting.orEmpty ? [{ value: '', label: t`None` }] : []),
          ...setting.of.map((one) => ({ value: one, label: choiceLabels[one] ? t(choiceLabels[one]) : one })),
        ]}
      />
    );
  const typed = <TypedSetting {...props} setting={setting} saved={saved} />;
  if (section === 'downloads' && name === 'comment_max')
    return (
      <CommentPreset label={label} note={note} problem={problem} saved={current as string | null} save={choose}>
        {typed}
      </CommentPreset>
    );
  if (section === 'downloads' && name === 'format')
    return (
      <FormatPreset label={t`Quality`} note={note} problem={problem} saved={current as string | null} save={choose}>
        {typed}
      </FormatPreset>
    );
  return typed;
}

/** Returns whether the setting that this one depends on has the value that gives it an effect. */
const hasEffect = ({ needs, needsValue }: Setting, values: Record<string, SettingValue>) =>
  !needs || (needsValue === undefined ? Boolean(values[needs]) : values[needs] === needsValue);

/** A setting with its anchor. */
export function SettingField(props: Props) {
  const { section, name, all } = props;
  const settingsOfSection = settings[section] as Record<string, Setting>;
  const values = all[section] as Record<string, SettingValue>;
  // The search finds settings that are hidden until this one is set.
  const hidden = Object.entries(settingsOfSection)
    .filter(([, setting]) => setting.needs === name && !hasEffect(setting, values))
    .map(([key]) => settingAnchor(section, key));
  const isOfBucket = section === 'queue' && name === 'quota';
  const { data: use } = useQuery({ ...storage, enabled: isOfBucket });
  if (isOfBucket && !use?.is_bucket) return null;
  if (!hasEffect(settingsOfSection[name]!, values)) return null;
  return (
    <FieldAnchor id={settingAnchor(section, name)} also={hidden}>
      <Control {...props} />
    </FieldAnchor>
  );
}
