import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Api } from '#contract/api.ts';
import type { Reply } from '#contract/endpoint.ts';
import { useConfig } from '#web/api/account.ts';
import { call } from '#web/api/call.ts';
import { invalidateTopics, queryClient } from '#web/api/client.ts';
import { copiesQuery } from '#web/api/queries/suggestions.ts';
import { dayText } from '#web/format/dates.ts';
import { sizeText } from '#web/format/numbers.ts';
import { Button } from '#web/ui/Button.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import styles from './CopiesDialog.module.css';

type Copies = Reply<Api['GET /api/video/copies/']>;

function Choice({ copies: { data, count }, onClose }: { copies: Copies; onClose(): void }) {
  const { t } = useLingui();
  const showToast = useToast();
  const unit = useConfig()?.file_size_unit;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const selected = data.filter(({ youtube_id: id }) => chosen.has(id));
  const size = sizeText(
    selected.reduce((sum, { media_size: bytes }) => sum + bytes, 0),
    unit,
  );
  const isAll = selected.length === data.length;
  const toggle = (id: string) =>
    setChosen((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]));
  const remove = useMutation({
    mutationFn: () => call('POST /api/video/copies/delete/', { body: { ids: selected.map(({ youtube_id: id }) => id) } }),
    onSuccess: ({ count: deleted }) => {
      showToast(plural(deleted, { one: '# copy deleted.', other: '# copies deleted.' }));
      onClose();
    },
    onSettled: () => {
      invalidateTopics('video');
      return queryClient.invalidateQueries({ queryKey: ['cleanup'] });
    },
  });
  return (
    <>
      {count > data.length && (
        <p className={styles.muted}>
          <Plural value={data.length} one="The largest copy." other="The # largest copies." />
        </p>
      )}
      <label className={styles.item}>
        <input
          type="checkbox"
          checked={isAll}
          onChange={() => setChosen(new Set(isAll ? [] : data.map(({ youtube_id: id }) => id)))}
        />
        <Trans>Select all</Trans>
      </label>
      <ul className={styles.list}>
        {data.map(({ youtube_id: id, title, channel_name: channel, height, media_size: bytes, fetched_at: at }) => (
          <li key={id}>
            <label className={styles.item}>
              <input type="checkbox" checked={chosen.has(id)} onChange={() => toggle(id)} />
              <span>
                <bdi>{title}</bdi>
                <span className={`${styles.muted} number`}>
                  <bdi>{channel}</bdi> · {t`${height}p`} · {sizeText(bytes, unit)} · {dayText(at)}
                </span>
              </span>
            </label>
          </li>
        ))}
      </ul>
      {remove.isError && <Callout kind="danger">{remove.error.message}</Callout>}
      <DialogActions onCancel={onClose}>
        <Button kind="danger" disabled={selected.length === 0} isBusy={remove.isPending} onClick={() => remove.mutate()}>
          {selected.length === 0 ? (
            <Trans>Delete copies</Trans>
          ) : (
            <Plural value={selected.length} one={`Delete # copy (${size})`} other={`Delete # copies (${size})`} />
          )}
        </Button>
      </DialogActions>
    </>
  );
}

/** Selects compatible copies and deletes them. */
export function CopiesDialog({ onClose }: { onClose(): void }) {
  const { t } = useLingui();
  const query = useQuery(copiesQuery);
  return (
    <Dialog title={t`Delete compatible copies`} onClose={onClose} isWide>
      <p>
        <Trans>
          The copies are deleted permanently, without the trash. The videos keep their files, and a copy can be fetched again as
          long as its source offers it.
        </Trans>
      </p>
      <QueryBoundary query={query} skeleton={240}>
        {(copies) => <Choice copies={copies} onClose={onClose} />}
      </QueryBoundary>
    </Dialog>
  );
}
