import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { IconCopy, IconEye, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { chooseLanguage, languages, type Language } from '#web/language/language.ts';
import { Button } from '#web/ui/Button.tsx';
import { Field, Select, Switch } from '#web/ui/Field.tsx';
import { Note } from '#web/ui/Note.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { accountQuery, useConfig, useIsStaff, useSaveConfig } from '#web/user/queries.ts';
import { Password } from './Password.tsx';
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

function Token() {
  const [isShown, setIsShown] = useState(false);
  const say = useToast();
  const token = useQuery({
    queryKey: ['user', 'token'],
    queryFn: ({ signal }) => call('GET /api/appsettings/token/', { signal }),
    enabled: isShown,
  });
  const revoke = useMutation({
    mutationFn: () => call('DELETE /api/appsettings/token/', {}),
    onSuccess: () => {
      setIsShown(false);
      queryClient.removeQueries({ queryKey: ['user', 'token'] });
      say('The token is worthless now. Showing it again makes a new one.');
    },
  });
  return (
    <section className={styles.card}>
      <h2>API token</h2>
      <p className={styles.words}>For apps and scripts that speak for you. Whoever has it can do what you can.</p>
      {isShown && token.isError && <Note kind="danger">{token.error.message}</Note>}
      {isShown && token.data && (
        <Field label="Token" readOnly value={token.data.token} onFocus={(event) => event.target.select()} />
      )}
      <div className={styles.actions}>
        {isShown && token.data ? (
          <Button
            icon={<IconCopy aria-hidden />}
            onClick={() =>
              void navigator.clipboard?.writeText(token.data.token).then(
                () => say('Copied.'),
                () => say('Copy it by hand: this page may not.'),
              )
            }
          >
            Copy
          </Button>
        ) : (
          <Button icon={<IconEye aria-hidden />} onClick={() => setIsShown(true)}>
            Show
          </Button>
        )}
        <Button kind="danger" icon={<IconTrash aria-hidden />} isBusy={revoke.isPending} onClick={() => revoke.mutate()}>
          Revoke
        </Button>
      </div>
    </section>
  );
}

/** How things look for this person. */
export function Preferences() {
  const { t, i18n } = useLingui();
  const config = useConfig();
  const { data: account } = useQuery(accountQuery);
  const isStaff = useIsStaff();
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
      {isStaff && <Token />}
    </div>
  );
}
