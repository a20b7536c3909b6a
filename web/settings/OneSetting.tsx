import { msg } from '@lingui/core/macro';
import type { MessageDescriptor } from '@lingui/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { settings, type Setting, type Settings } from '#contract/settings.ts';
import { Button } from '#web/ui/Button.tsx';
import { Field, Select, Switch } from '#web/ui/Field.tsx';
import { useShowsHelp } from '#web/user/queries.ts';
import { useSaveSetting, useTexts, type Value } from './setting-queries.ts';
import styles from './Settings.module.css';

interface Props {
  section: keyof Settings;
  name: string;
  all: Settings;
}

// Those that differ from language to language; KB/s and the like do not.
const units: Record<string, MessageDescriptor> = { days: msg`days`, videos: msg`videos`, minutes: msg`minutes` };

function Typed({ section, name, setting, saved }: Props & { setting: Setting; saved: Value }) {
  const { t } = useLingui();
  const withHelp = useShowsHelp();
  const save = useSaveSetting(section, name);
  const [text, setText] = useState(saved === null ? '' : String(saved));
  const { label, help } = useTexts(section, name);
  const unit = setting.unit && units[setting.unit] ? t(units[setting.unit]!) : setting.unit;
  const isNumber = setting.kind === 'integer';
  const canBeEmpty = 'orEmpty' in setting && setting.orEmpty === true;
  const isNothing = text.trim() === '' || ('zeroIsEmpty' in setting && Number(text) === 0);
  const isMissing = isNothing && !canBeEmpty;
  const wanted: Value = isNothing ? (canBeEmpty ? null : saved) : isNumber ? Number(text) : text.trim();
  const reset: Value = setting.initial;
  const shownLabel = unit ? `${label} (${unit})` : label;
  return (
    <form
      className={styles.typed}
      onSubmit={(event) => {
        event.preventDefault();
        if (wanted !== saved) save.mutate(wanted);
      }}
    >
      <Field
        label={shownLabel}
        help={withHelp ? help : undefined}
        value={text}
        required={!canBeEmpty}
        spellCheck={false}
        {...(setting.kind === 'integer'
          ? { type: 'number', inputMode: 'numeric' as const, min: setting.min, max: setting.max }
          : setting.kind === 'day'
            ? { type: 'date' }
            : setting.kind === 'text'
              ? { maxLength: setting.max }
              : {})}
        onChange={(event) => setText(event.target.value)}
      />
      <div className={styles.controls}>
        {(wanted !== saved || isMissing) && (
          <Button type="submit" kind="primary" size="s" isBusy={save.isPending} aria-label={t`Update: ${label}`}>
            <Trans>Update</Trans>
          </Button>
        )}
        {saved !== reset && (
          <Button
            size="s"
            kind="quiet"
            aria-label={t`Reset: ${label}`}
            onClick={() => save.mutate(reset, { onSuccess: () => setText(reset === null ? '' : String(reset)) })}
          >
            <Trans>Reset</Trans>
          </Button>
        )}
      </div>
    </form>
  );
}

/** One setting as the table has it: switches and choices hold at once, what is typed is updated by a button. */
export function OneSetting(props: Props) {
  const { t } = useLingui();
  const { section, name, all } = props;
  const withHelp = useShowsHelp();
  const save = useSaveSetting(section, name);
  const setting = (settings[section] as Record<string, Setting>)[name]!;
  const values = all[section] as Record<string, Value>;
  const saved = values[name] ?? null;
  const { label, help } = useTexts(section, name);
  // It does nothing until the one that it belongs to is set.
  if (setting.needs && !values[setting.needs]) return null;
  if (setting.kind === 'switch')
    return (
      <Switch
        label={label}
        {...(withHelp && help && { help })}
        isOn={save.shown(saved) === true}
        onChange={(isOn) => save.mutate(isOn)}
      />
    );
  if (setting.kind === 'choice')
    return (
      <Select
        label={label}
        help={withHelp ? help : undefined}
        choices={[
          ...(setting.orEmpty ? [{ value: '', label: t`None` }] : []),
          ...setting.of.map((one) => ({ value: one, label: one })),
        ]}
        value={String(save.shown(saved) ?? '')}
        onChange={(event) => save.mutate(event.target.value || null)}
      />
    );
  return <Typed {...props} setting={setting} saved={saved} />;
}
