import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { chooseLanguage, languages, type Language } from '#web/language/language.ts';
import { Select, Switch } from '#web/ui/Field.tsx';
import { Note } from '#web/ui/Note.tsx';
import { accountQuery, useConfig, useSaveConfig } from '#web/user/queries.ts';
import { ApiToken } from './ApiToken.tsx';
import { NamedTokens } from './NamedTokens.tsx';
import { Password } from './Password.tsx';
import { Sessions } from './Sessions.tsx';
import styles from './Settings.module.css';

const themes = [
  { value: 'dark.css', label: 'Dark' },
  { value: 'light.css', label: 'Light' },
  { value: 'midnight.css', label: 'Midnight' },
  { value: 'matrix.css', label: 'Matrix' },
];
const units = [
  { value: 'binary', label: 'Binary: 1 KiB = 1024 bytes' },
  { value: 'metric', label: 'Metric: 1 kB = 1000 bytes' },
];
const sizes = ['12', '24', '48', '96'].map((value) => ({ value, label: value }));

/** How things look for this person. */
export function Preferences() {
  const { t, i18n } = useLingui();
  const config = useConfig();
  const { data: account } = useQuery(accountQuery);
  const save = useSaveConfig();
  if (!config) return null;
  return (
    <div className={styles.cards}>
      <section className={styles.card}>
        <h2>Look</h2>
        <p className={styles.words}>You are {account?.name}. These choices are yours alone, and take effect at once.</p>
        {save.isError && <Note kind="danger">{save.error.message}</Note>}
        <Select
          label={t`Language`}
          choices={Object.entries(languages).map(([value, label]) => ({ value, label }))}
          value={i18n.locale}
          onChange={(event) => void chooseLanguage(event.target.value as Language)}
        />
        <Select
          label="Theme"
          choices={themes}
          value={config.stylesheet}
          onChange={(event) => save.mutate({ stylesheet: event.target.value })}
        />
        <Select
          label="Videos on a page"
          choices={
            sizes.some(({ value }) => value === String(config.page_size))
              ? sizes
              : [...sizes, { value: String(config.page_size), label: String(config.page_size) }]
          }
          value={String(config.page_size)}
          onChange={(event) => save.mutate({ page_size: Number(event.target.value) })}
        />
        <Select
          label="File sizes"
          choices={units}
          value={config.file_size_unit}
          onChange={(event) => save.mutate({ file_size_unit: event.target.value as 'binary' })}
        />
        <Switch
          label="Hide what I have watched on the home page"
          isOn={config.hide_watched ?? false}
          onChange={(isOn) => save.mutate({ hide_watched: isOn })}
        />
      </section>
      <Password />
      <Sessions />
      <NamedTokens />
      <ApiToken />
    </div>
  );
}
