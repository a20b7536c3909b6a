import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient } from '#web/api/client.ts';
import { settingsQuery } from '#web/settings/setting-queries.ts';
import { Button } from '#web/ui/Button.tsx';
import { useSettled } from '#web/ui/settled.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { useConfirming } from '#web/user/Confirming.tsx';
import { MembersRow, RuleRow } from './RuleRow.tsx';
import { rulesQuery, saveRules, type OwnRules, type Rules } from './rules.ts';
import { RulesPreview } from './RulesPreview.tsx';
import styles from './ChannelRules.module.css';

const typedMs = 400;

function Form({ id, saved, all }: { id: string; saved: OwnRules; all: Rules }) {
  const { t } = useLingui();
  const say = useToast();
  const confirming = useConfirming();
  const [own, setOwn] = useState(saved);
  const tried = useSettled(own, typedMs);
  const isChanged = JSON.stringify(Object.entries(own).sort()) !== JSON.stringify(Object.entries(saved).sort());
  const save = useMutation({
    mutationFn: () => confirming((confirm) => saveRules(id, own, confirm)),
    onSuccess: (rules) => {
      queryClient.setQueryData(rulesQuery(id).queryKey, rules);
      say(t`Saved. The next scan goes by it.`);
    },
    onError: (error) => say(error.message, { isDanger: true }),
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
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <fieldset>
        <legend>{t`Which of its videos are wanted`}</legend>
        <RuleRow rule="title_include" {...row} />
        <RuleRow rule="title_exclude" {...row} />
        <RuleRow rule="min_seconds" {...row} />
        <RuleRow rule="max_seconds" {...row} />
        <RuleRow rule="published_after" {...row} />
        <MembersRow {...row} />
      </fieldset>
      <fieldset>
        <legend>{t`How many of them stay`}</legend>
        <RuleRow rule="keep_newest" {...row} />
        <RuleRow rule="keep_days" {...row} />
      </fieldset>
      <RulesPreview id={id} own={tried} />
      <Button type="submit" kind="primary" disabled={!isChanged} isBusy={save.isPending}>
        {t`Save the rules`}
      </Button>
    </form>
  );
}

/** Which videos of a channel come by themselves, and which of them stay; with what that would mean before it is saved. */
export function ChannelRules({ id }: { id: string }) {
  const { t } = useLingui();
  const rules = useQuery(rulesQuery(id));
  const settings = useQuery(settingsQuery);
  return (
    <section className={styles.card} aria-labelledby="rules">
      <h2 id="rules">{t`Rules`}</h2>
      <p className={styles.words}>{t`What a scan takes of this channel. What you add by hand comes whatever they say.`}</p>
      {rules.data && settings.data ? (
        <Form id={id} saved={rules.data.own} all={settings.data.rules} />
      ) : (
        <Skeleton height={400} />
      )}
    </section>
  );
}
