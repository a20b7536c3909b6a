import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { UserConfig } from '#contract/user.ts';
import { setLanguage, languages, type Language } from '#web/i18n/language.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { AutoSaveField } from '#web/ui/AutoSaveField.tsx';
import { Select, Switch } from '#web/ui/Field.tsx';
import { accountQuery, useConfig, useIsStaff, useSaveConfig } from '#web/api/account.ts';
import { ColumnStepper } from '#web/video/list-view/ColumnStepper.tsx';
import { Muted } from '#web/setting-fields/Muted.tsx';
import { CommunityChoice } from './CommunityChoice.tsx';
import { CustomCss } from './CustomCss.tsx';
import { FieldAnchor } from '#web/setting-fields/FieldAnchor.tsx';
import { Section } from '#web/setting-fields/Section.tsx';
import styles from './Appearance.module.css';

const defaultPageSize = 12;

type Save = ReturnType<typeof useSaveConfig>;

function PageSize({ size, save, withHelp }: { size: number; save: Save; withHelp: boolean }) {
  const { t } = useLingui();
  return (
    <AutoSaveField
      label={t`Videos per page`}
      help={withHelp ? t`50 or fewer recommended.` : undefined}
      saved={size}
      format={String}
      parse={(text) => Number(text) || defaultPageSize}
      save={(page_size) => save.mutateAsync({ page_size })}
      type="number"
      inputMode="numeric"
      min={1}
      max={1000}
    />
  );
}

function Columns({ columns, save }: { columns: number; save: Save }) {
  const { t } = useLingui();
  return (
    <div className={styles.stepper} role="group" aria-label={t`Grid columns`}>
      <span>
        <Trans>Grid columns</Trans>
      </span>
      <ColumnStepper columns={columns} onChange={(grid_items) => save.mutate({ grid_items })} />
    </div>
  );
}

/** Display settings of the current user. */
export function Appearance() {
  const config = useConfig();
  return config ? <AppearanceForm config={config} /> : <Skeleton height={400} />;
}

function AppearanceForm({ config }: { config: UserConfig }) {
  const { t, i18n } = useLingui();
  const { data: account } = useQuery(accountQuery);
  const isStaff = useIsStaff();
  const save = useSaveConfig();
  return (
    <Section
      id="look"
      title={t`Appearance`}
      text={<Trans>Logged in as {account?.name}. Only for you. Saved automatically.</Trans>}
    >
      <FieldAnchor id="language">
        <Select
          label={t`Language`}
          choices={Object.entries(languages).map(([value, label]) => ({ value, label }))}
          value={i18n.locale}
          onChange={(event) => void setLanguage(event.target.value as Language)}
        />
      </FieldAnchor>
      <FieldAnchor id="theme" also={config.stylesheet.startsWith('custom') ? [] : ['custom-css']}>
        <Select
          label={t`Theme`}
          choices={[
            { value: 'system.css', label: t`System` },
            { value: 'dark.css', label: t`Dark` },
            { value: 'light.css', label: t`Light` },
            { value: 'midnight.css', label: t`Midnight` },
            { value: 'matrix.css', label: t`Matrix` },
            { value: 'custom.css', label: t`Custom` },
          ]}
          value={config.stylesheet.endsWith('.css') ? config.stylesheet : `${config.stylesheet}.css`}
          onChange={(event) => save.mutate({ stylesheet: event.target.value })}
        />
      </FieldAnchor>
      {config.stylesheet.startsWith('custom') && (
        <FieldAnchor id="custom-css">
          <CustomCss saved={config.custom_css} save={save} />
        </FieldAnchor>
      )}
      <FieldAnchor id="page-size">
        <PageSize size={config.page_size} save={save} withHelp={config.show_help_text} />
      </FieldAnchor>
      <FieldAnchor id="columns">
        <Columns columns={config.grid_items} save={save} />
      </FieldAnchor>
      <FieldAnchor id="file-sizes">
        <Select
          label={t`File sizes`}
          choices={[
            { value: 'binary', label: t`Binary: 1 KiB = 1024 bytes` },
            { value: 'metric', label: t`Metric: 1 kB = 1000 bytes` },
          ]}
          value={config.file_size_unit}
          onChange={(event) => save.mutate({ file_size_unit: event.target.value as 'binary' })}
        />
      </FieldAnchor>
      <FieldAnchor id="help">
        <Switch
          label={t`Show help texts`}
          isOn={config.show_help_text}
          onChange={(isOn) => save.mutate({ show_help_text: isOn })}
        />
      </FieldAnchor>
      <FieldAnchor id="hide-watched">
        <Switch
          label={t`Hide watched videos on the home page`}
          isOn={config.hide_watched ?? false}
          onChange={(isOn) => save.mutate({ hide_watched: isOn })}
        />
      </FieldAnchor>
      <CommunityChoice config={config} save={save} isStaff={isStaff} />
      {isStaff && (
        <Muted>
          <Link to="/settings/health/users/">
            <Trans>Manage users</Trans>
          </Link>
        </Muted>
      )}
    </Section>
  );
}
