import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { WatchedRule as RuleBody } from '#contract/rules.ts';
import { useConfig } from '#web/api/account.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { channelQuery } from '#web/api/queries/channel.ts';
import { watchedRulePreview } from '#web/api/queries/cleanup.ts';
import { settingsQuery } from '#web/api/queries/settings.ts';
import { gigabyteUnit, sizeText } from '#web/format/numbers.ts';
import { RetentionHint } from '#web/trash/retention/RetentionHint.tsx';
import { Form } from '#web/ui/Form.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Field, Switch } from '#web/ui/Field.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { useDebouncedValue } from '#web/ui/use-debounced-value.ts';
import { useWithConfirmation } from '#web/confirm/ReauthProvider.tsx';
import { useFilterWords } from '../filters/use-filter-words.ts';
import { watchedRuleOf, type RuleConditions, type WatchedRule } from './watched-rule.ts';
import styles from './WatchedRuleDialog.module.css';

const defaultDays = 30;
const maxDays = 36_500;
const debounceMs = 300;

/** The number and size of what the rule would delete now, and the first titles. */
function Preview({ rule, channel }: { rule: RuleBody; channel: string | undefined }) {
  const unit = useConfig()?.file_size_unit;
  const { data, error, isPlaceholderData } = useQuery(watchedRulePreview(rule, channel));
  if (error) return <Callout kind="danger">{error.message}</Callout>;
  if (!data) return <Skeleton height={48} />;
  const { data: videos, total, media_size } = data;
  const size = sizeText(media_size, unit);
  return (
    <div className={styles.preview} role="status" aria-busy={isPlaceholderData}>
      <p>
        {total === 0 ? (
          <Trans>Would delete nothing now.</Trans>
        ) : (
          <strong>
            <Plural value={total} one={`Would delete # video now (${size}).`} other={`Would delete # videos now (${size}).`} />
          </strong>
        )}
      </p>
      {total > 0 && (
        <details>
          <summary>
            <Trans>Show videos</Trans>
          </summary>
          <ul>
            {videos.map(({ youtube_id, title, media_size: bytes }) => (
              <li key={youtube_id}>
                <bdi>{title}</bdi> · <span className="number">{sizeText(bytes, unit)}</span>
              </li>
            ))}
            {total > videos.length && <li>…</li>}
          </ul>
        </details>
      )}
    </div>
  );
}

interface FormProps {
  current: WatchedRule;
  conditions: RuleConditions;
  channel: string | undefined;
  onClose(): void;
}

function RuleForm({ current, conditions, channel, onClose }: FormProps) {
  const { t } = useLingui();
  const showToast = useToast();
  const withConfirmation = useWithConfirmation();
  const wordsOf = useFilterWords();
  const gigabyte = gigabyteUnit(useConfig()?.file_size_unit);
  const [days, setDays] = useState(String(current.days ?? defaultDays));
  const [size, setSize] = useState(conditions.minSize === 0 ? '' : String(conditions.minSize / gigabyte.bytes));
  const [availableOnly, setAvailableOnly] = useState(conditions.availableOnly);
  // 0 is immediately in a channel, and never in the settings of the archive.
  const minDays = channel ? 0 : 1;
  const isValid =
    /^\d+$/.test(days.trim()) && Number(days) >= minDays && Number(days) <= maxDays && Number(size) >= 0 && size !== '-';
  const rule = {
    autodelete_days: Number(days),
    autodelete_min_size: Math.round(Number(size) * gigabyte.bytes),
    autodelete_available_only: availableOnly,
  };
  const previewed = useDebouncedValue(JSON.stringify(rule), debounceMs);
  const save = useMutation({
    mutationFn: () =>
      withConfirmation(async (confirm) => {
        if (channel)
          await call('POST /api/channel/:id/', { params: { id: channel }, body: { channel_overwrites: rule }, ...confirm });
        else await call('POST /api/appsettings/config/', { body: { downloads: rule }, ...confirm });
      }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: channel ? ['channel'] : settingsQuery.queryKey });
      showToast(t`Cleanup rule saved.`);
      onClose();
    },
  });
  const before = [
    current.days === 0
      ? t`As soon as they are watched`
      : plural(current.days ?? 0, { one: '# day after watching', other: '# days after watching' }),
    ...wordsOf({
      ...(current.minSize > 0 && { min_size: current.minSize }),
      ...(current.availableOnly && { active: true }),
    }),
  ].join(' · ');
  return (
    <Form onSubmit={() => isValid && save.mutate()}>
      <div className={styles.fields}>
        <Field
          label={t`Days after watching`}
          help={channel && t`0 deletes them as soon as they are watched.`}
          type="number"
          inputMode="numeric"
          required
          min={minDays}
          max={maxDays}
          value={days}
          onChange={({ target }) => setDays(target.value)}
        />
        <Field
          label={t`Larger than (${gigabyte.name})`}
          help={t`Empty = any size.`}
          type="number"
          inputMode="decimal"
          min={0}
          step="any"
          value={size}
          onChange={({ target }) => setSize(target.value)}
        />
      </div>
      <Switch label={t`Only if still available at the source`} isOn={availableOnly} onChange={(isOn) => setAvailableOnly(isOn)} />
      {isValid && <Preview rule={JSON.parse(previewed) as RuleBody} channel={channel} />}
      {current.days !== null && (
        <p className={styles.note}>
          <Trans>Current rule: {before}</Trans>
        </p>
      )}
      <div className={styles.note}>
        <p>
          <Trans>
            Spared: videos that are protected, in a custom playlist, or in progress for any user. The task{' '}
            <Link to="/settings/scheduling/#task-autodelete">Apply cleanup rules</Link> deletes the others.
          </Trans>
        </p>
        {!channel && (
          <p>
            <Trans>Channels with a custom rule keep it.</Trans>
          </p>
        )}
        <RetentionHint />
      </div>
      {save.isError && <Callout kind="danger">{save.error.message}</Callout>}
      <DialogActions onCancel={onClose}>
        <Button type="submit" kind="primary" disabled={!isValid} isBusy={save.isPending}>
          {t`Save rule`}
        </Button>
      </DialogActions>
    </Form>
  );
}

interface Props {
  /** Conditions to start with; those of the current rule by default. */
  conditions?: RuleConditions | undefined;
  /** Edits the override of this channel instead of the rule of the archive. */
  channel?: string | undefined;
  onClose(): void;
}

/** Edits the cleanup rule for watched videos, and shows what it would delete before it is saved. */
export function WatchedRuleDialog({ conditions, channel, onClose }: Props) {
  const { t } = useLingui();
  const settings = useQuery(settingsQuery);
  const found = useQuery({ ...channelQuery(channel ?? ''), enabled: channel !== undefined });
  const name = found.data?.channel_name;
  const current =
    settings.data && (!channel || found.data)
      ? watchedRuleOf(settings.data.downloads, found.data?.channel_overwrites)
      : undefined;
  const error = settings.error ?? found.error;
  return (
    <Dialog
      title={channel ? t`Delete watched videos of ${name ?? '…'} automatically` : t`Delete watched videos automatically`}
      onClose={onClose}
    >
      {error && <Callout kind="danger">{error.message}</Callout>}
      {!current && !error && <Skeleton height={240} />}
      {current && <RuleForm current={current} conditions={conditions ?? current} channel={channel} onClose={onClose} />}
    </Dialog>
  );
}
