import { useAction } from '#web/confirm/use-action.ts';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { queryClient } from '#web/api/client.ts';
import { settingsQuery } from '#web/api/queries/settings.ts';
import { settingTexts } from '#web/setting-fields/setting-texts.ts';
import { Form } from '#web/ui/Form.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Select } from '#web/ui/Field.tsx';
import { useDebouncedValue } from '#web/ui/use-debounced-value.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { UnsavedChanges } from '#web/ui/UnsavedChanges.tsx';
import { MembersOnlyRow, RuleRow } from './RuleRow.tsx';
import { rulesQuery, saveRules, type OwnRules, type Rules, type Source } from './rules.ts';
import { RulesPreview } from './RulesPreview.tsx';
import styles from './SourceRules.module.css';

const debounceMs = 400;
const allRules = Object.keys(settingTexts.rules) as (keyof Rules)[];
// A video may be in several playlists, so those delete none.
const rulesOf = {
  channel: allRules,
  playlist: allRules.filter((rule) => rule !== 'keep_newest' && rule !== 'keep_days'),
};

function RulesForm({ source, saved, all }: { source: Source; saved: OwnRules; all: Rules }) {
  const { t } = useLingui();
  const showToast = useToast();
  const ruleOrder = rulesOf[source.type];
  const [own, setOwn] = useState(saved);
  const [added, setAdded] = useState<(keyof Rules)[]>(() => Object.keys(saved) as (keyof Rules)[]);
  const visible = ruleOrder.filter((rule) => added.includes(rule));
  const debouncedOwn = useDebouncedValue(own, debounceMs);
  const isChanged = JSON.stringify(Object.entries(own).sort()) !== JSON.stringify(Object.entries(saved).sort());
  const save = useAction((_: void, confirm) => saveRules(source, own, confirm), {
    onSuccess: (rules) => {
      queryClient.setQueryData(rulesQuery(source).queryKey, rules);
      showToast(t`Saved. Used from the next scan.`);
    },
  });
  const row = {
    all,
    own,
    onChange: (rule: keyof Rules, value: Rules[keyof Rules] | undefined) =>
      setOwn((before) => {
        const after = { ...before, [rule]: value };
        if (value === undefined) delete after[rule];
        return after;
      }),
  };
  const add = (rule: keyof Rules) => {
    setAdded([...added, rule]);
    if (rule === 'skip_members_only') row.onChange(rule, true);
  };
  return (
    <Form className={styles.form} onSubmit={() => save.mutate()}>
      {visible.length === 0 && (
        <p>
          <Trans>
            Uses the <Link to="/settings/application/rules/">download rules of the archive</Link>.
          </Trans>
        </p>
      )}
      {visible.map((rule) =>
        rule === 'skip_members_only' ? (
          <MembersOnlyRow key={rule} {...row} />
        ) : (
          <RuleRow key={rule} rule={rule} isAdded={added.includes(rule)} {...row} />
        ),
      )}
      {visible.length < ruleOrder.length && (
        <Select
          label={t`Add rule…`}
          isLabelHidden
          value=""
          choices={[
            { value: '', label: t`Add rule…` },
            ...ruleOrder
              .filter((rule) => !visible.includes(rule))
              .map((rule) => ({ value: rule, label: t(settingTexts.rules[rule].label) })),
          ]}
          onChange={({ target }) => add(target.value as keyof Rules)}
        />
      )}
      <UnsavedChanges isChanged={isChanged} />
      {(visible.length > 0 || isChanged) && (
        <>
          <RulesPreview source={source} own={debouncedOwn} />
          <Button type="submit" kind="primary" disabled={!isChanged} isBusy={save.isPending}>
            {t`Save rules`}
          </Button>
        </>
      )}
    </Form>
  );
}

/** Download and retention rules of a channel or playlist, with a preview of their effect before they are saved. */
export function SourceRules({ source }: { source: Source }) {
  const { t } = useLingui();
  const rules = useQuery(rulesQuery(source));
  const settings = useQuery(settingsQuery);
  return (
    <>
      <p className={styles.text}>{t`Applies to automatic scans. Videos you add yourself are always downloaded.`}</p>
      {rules.data && settings.data ? (
        <RulesForm source={source} saved={rules.data.own} all={settings.data.rules} />
      ) : (
        <Skeleton height={70} />
      )}
    </>
  );
}
