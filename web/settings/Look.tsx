import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { UserConfig } from '#contract/user.ts';
import { chooseLanguage, languages, type Language } from '#web/language/language.ts';
import { Button } from '#web/ui/Button.tsx';
import { Field, Select, Switch } from '#web/ui/Field.tsx';
import { accountQuery, useIsStaff, useSaveConfig } from '#web/user/queries.ts';
import { ColumnSteps } from '#web/video/ColumnSteps.tsx';
import { CustomCss } from './CustomCss.tsx';
import { Section } from './Section.tsx';
import styles from './Settings.module.css';

const usualPageSize = 12;

type Save = ReturnType<typeof useSaveConfig>;

function PageSize({ size, save, withHelp }: { size: number; save: Save; withHelp: boolean }) {
  const { t } = useLingui();
  const [text, setText] = useState(String(size));
  const wanted = Number(text) || usualPageSize;
  return (
    <form
      className={styles.typed}
      onSubmit={(event) => {
        event.preventDefault();
        setText(String(wanted));
        save.mutate({ page_size: wanted });
      }}
    >
      <Field
        label={t`Videos on a page`}
        help={withHelp ? t`50 at most is recommended.` : undefined}
        type="number"
        inputMode="numeric"
        min={1}
        max={1000}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {wanted !== size && (
        <div className={styles.controls}>
          <Button type="submit" kind="primary" size="s" isBusy={save.isPending} aria-label={t`Update: Videos on a page`}>
            <Trans>Update</Trans>
          </Button>
        </div>
      )}
    </form>
  );
}

function Columns({ columns, save }: { columns: number; save: Save }) {
  const { t } = useLingui();
  return (
    <div className={styles.stepper} role="group" aria-label={t`Columns of a grid`}>
      <span>
        <Trans>Columns of a grid</Trans>
      </span>
      <ColumnSteps columns={columns} onChange={(grid_items) => save.mutate({ grid_items })} />
    </div>
  );
}

/** How things look for this person. */
export function Look({ config }: { config: UserConfig }) {
  const { t, i18n } = useLingui();
  const { data: account } = useQuery(accountQuery);
  const isStaff = useIsStaff();
  const save = useSaveConfig();
  return (
    <Section
      id="look"
      title={t`Look`}
      words={<Trans>You are {account?.name}. These choices are yours alone, and take effect at once.</Trans>}
    >
      <Select
        label={t`Language`}
        choices={Object.entries(languages).map(([value, label]) => ({ value, label }))}
        value={i18n.locale}
        onChange={(event) => void chooseLanguage(event.target.value as Language)}
      />
      <Select
        label={t`Theme`}
        choices={[
          { value: 'dark.css', label: t`Dark` },
          { value: 'light.css', label: t`Light` },
          { value: 'midnight.css', label: t`Midnight` },
          { value: 'matrix.css', label: t`Matrix` },
          { value: 'custom.css', label: t`Custom` },
        ]}
        value={config.stylesheet.endsWith('.css') ? config.stylesheet : `${config.stylesheet}.css`}
        onChange={(event) => save.mutate({ stylesheet: event.target.value })}
      />
      {config.stylesheet.startsWith('custom') && <CustomCss saved={config.custom_css} save={save} />}
      <PageSize size={config.page_size} save={save} withHelp={config.show_help_text} />
      <Columns columns={config.grid_items} save={save} />
      <Select
        label={t`File sizes`}
        choices={[
          { value: 'binary', label: t`Binary: 1 KiB = 1024 bytes` },
          { value: 'metric', label: t`Metric: 1 kB = 1000 bytes` },
        ]}
        value={config.file_size_unit}
        onChange={(event) => save.mutate({ file_size_unit: event.target.value as 'binary' })}
      />
      <Switch
        label={t`Show help texts`}
        isOn={config.show_help_text}
        onChange={(isOn) => save.mutate({ show_help_text: isOn })}
      />
      <Switch
        label={t`Hide what I have watched on the home page`}
        isOn={config.hide_watched ?? false}
        onChange={(isOn) => save.mutate({ hide_watched: isOn })}
      />
      {isStaff && (
        <p className={styles.muted}>
          <Trans>
            Who may come in: <Link to="/settings/people/">People</Link>
          </Trans>
        </p>
      )}
    </Section>
  );
}
