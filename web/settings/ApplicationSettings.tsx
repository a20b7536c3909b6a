import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { settings, type Setting, type Settings } from '#contract/settings.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { Button } from '#web/ui/Button.tsx';
import { Field, Select, Switch } from '#web/ui/Field.tsx';
import { Loaded } from '#web/ui/Loaded.tsx';
import { Note } from '#web/ui/Note.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import styles from './Settings.module.css';

type Value = string | number | boolean | null;
type Changes = Record<string, Record<string, Value>>;

// What works in this version; the rest of the settings is kept, and shown once it does something. The cookie and the PO token
// are switched on by storing one.
const hidden: Partial<Record<keyof Settings, string[]>> = {
  downloads: ['cookie_import', 'potoken', 'subtitle_index'],
};
const titles: [section: keyof Settings, title: string, words?: string][] = [
  ['subscriptions', 'Subscriptions'],
  ['scans', 'New uploads'],
  ['rules', 'What is wanted', 'Holds for all subscriptions; each channel and playlist may have rules of its own.'],
  ['queue', 'Queue'],
  ['downloads', 'Downloads'],
  ['ytdlp', 'yt-dlp'],
];
const shown = titles.map(([section, title, words]) => ({
  section,
  title,
  words,
  keys: Object.keys(settings[section]).filter((key) => !hidden[section]?.includes(key)),
}));

function OneSetting({ setting, value, onChange }: { setting: Setting; value: Value; onChange(value: Value): void }) {
  const { label, help } = setting;
  if (setting.kind === 'switch')
    return <Switch label={label} {...(help && { help })} isOn={value === true} onChange={onChange} />;
  if (setting.kind === 'choice')
    return (
      <Select
        label={label}
        choices={[
          ...(setting.orEmpty ? [{ value: '', label: 'None' }] : []),
          ...setting.of.map((one) => ({ value: one, label: one })),
        ]}
        value={String(value ?? '')}
        onChange={(event) => onChange(event.target.value || null)}
      />
    );
  if (setting.kind === 'integer')
    return (
      <Field
        label={setting.unit ? `${label} (${setting.unit})` : label}
        help={help}
        type="number"
        inputMode="numeric"
        min={setting.min}
        max={setting.max}
        value={value === null ? '' : String(value)}
        onChange={(event) => onChange(event.target.value === '' ? null : Number(event.target.value))}
      />
    );
  return (
    <Field
      label={label}
      help={help}
      value={String(value ?? '')}
      maxLength={setting.max}
      spellCheck={false}
      onChange={(event) => onChange(event.target.value || null)}
    />
  );
}

/** The settings of the whole archive: drawn from the same table that the server checks them by. */
export function ApplicationSettings() {
  const say = useToast();
  const query = useQuery({
    queryKey: ['settings', 'all'],
    queryFn: ({ signal }) => call('GET /api/appsettings/config/', { signal }),
  });
  const [changes, setChanges] = useState<Changes>({});
  const save = useMutation({
    mutationFn: () => call('POST /api/appsettings/config/', { body: changes as Partial<Settings> }),
    onSuccess: (all) => {
      queryClient.setQueryData(['settings', 'all'], all);
      setChanges({});
      say('Saved.');
    },
  });
  const isChanged = Object.values(changes).some((keys) => Object.keys(keys).length > 0);
  return (
    <Loaded query={query} skeleton={<Skeleton height={400} />}>
      {(all) => (
        <form
          className={styles.cards}
          onSubmit={(event) => {
            event.preventDefault();
            save.mutate();
          }}
        >
          {shown.map(({ section, title, words, keys }) => (
            <section key={section} className={styles.card}>
              <h2>{title}</h2>
              {words && <p className={styles.words}>{words}</p>}
              {keys.map((key) => (
                <OneSetting
                  key={key}
                  setting={(settings[section] as Record<string, Setting>)[key]!}
                  value={
                    changes[section]?.[key] ??
                    (changes[section] && key in changes[section] ? null : (all[section] as Record<string, Value>)[key]!)
                  }
                  onChange={(value) => setChanges((before) => ({ ...before, [section]: { ...before[section], [key]: value } }))}
                />
              ))}
            </section>
          ))}
          {save.isError && <Note kind="danger">{save.error.message}</Note>}
          <div className={styles.save}>
            <Button type="submit" kind="primary" disabled={!isChanged} isBusy={save.isPending}>
              Save
            </Button>
            {isChanged && (
              <Button kind="quiet" onClick={() => setChanges({})}>
                Undo changes
              </Button>
            )}
          </div>
        </form>
      )}
    </Loaded>
  );
}
