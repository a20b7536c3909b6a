import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { IconCamera, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { Snapshot } from '#contract/backup.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { Button, IconButton } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Loaded } from '#web/ui/Loaded.tsx';
import { Note } from '#web/ui/Note.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { snapshotsQuery } from './backup-queries.ts';
import styles from './Rows.module.css';
import { Section } from './Section.tsx';
import cards from './Settings.module.css';

const refresh = () => queryClient.invalidateQueries({ queryKey: snapshotsQuery.queryKey });

function Row({ snapshot }: { snapshot: Snapshot }) {
  const { t } = useLingui();
  const say = useToast();
  const [asks, setAsks] = useState<'restore' | 'delete'>();
  const { id, start_date: date, duration_s: seconds, state, es_version: version } = snapshot;
  const fail = (error: Error) => say(error.message, { isDanger: true });
  const restore = useMutation({
    mutationFn: () => call('POST /api/appsettings/snapshot/:id/', { params: { id } }),
    onSuccess: () => say(t`Snapshot restore started`),
    onError: fail,
    onSettled: () => setAsks(undefined),
  });
  const drop = useMutation({
    mutationFn: () => call('DELETE /api/appsettings/snapshot/:id/', { params: { id } }),
    onError: fail,
    onSettled: () => {
      setAsks(undefined);
      void refresh();
    },
  });
  return (
    <li className={styles.row}>
      <IconCamera aria-hidden />
      <div className={styles.words}>
        <strong>{date}</strong>
        <p>
          <span>{state === 'SUCCESS' ? t`whole` : t`Snapshot in progress`}</span>
          <span>{t`took ${seconds} s`}</span>
          <span>{t`by version ${version}`}</span>
          <bdi>{id}</bdi>
        </p>
      </div>
      <Button size="s" disabled={state !== 'SUCCESS'} onClick={() => setAsks('restore')} aria-label={t`Restore: ${id}`}>
        <Trans>Restore</Trans>
      </Button>
      <IconButton label={t`Delete: ${id}`} onClick={() => setAsks('delete')}>
        <IconTrash aria-hidden />
      </IconButton>
      {asks && (
        <Dialog
          title={asks === 'restore' ? t`Go back to ${date}?` : t`Delete the snapshot of ${date}?`}
          onClose={() => setAsks(undefined)}
        >
          <p>
            {asks === 'restore' ? (
              <Trans>
                Everything that the archive knows becomes what it was then: people and what they watched, settings, channels,
                playlists, videos and the queue. No media file is deleted. A snapshot of what is here now is taken first.
              </Trans>
            ) : (
              <Trans>It cannot be had again.</Trans>
            )}
          </p>
          <DialogActions>
            <Button onClick={() => setAsks(undefined)}>
              <Trans>Leave it as it is</Trans>
            </Button>
            <Button
              kind="danger"
              isBusy={restore.isPending || drop.isPending}
              onClick={() => (asks === 'restore' ? restore.mutate() : drop.mutate())}
            >
              {asks === 'restore' ? t`Go back` : t`Delete snapshot`}
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </li>
  );
}

/** Copies of the database as it was at an instant. */
export function Snapshots() {
  const { t } = useLingui();
  const query = useQuery({
    ...snapshotsQuery,
    refetchInterval: ({ state }) => (state.data?.snapshots.some((one) => one.state === 'IN_PROGRESS') ? 1000 : false),
  });
  const take = useMutation({ mutationFn: () => call('POST /api/appsettings/snapshot/', {}), onSettled: refresh });
  const isTaking = query.data?.snapshots.some(({ state }) => state === 'IN_PROGRESS') ?? false;
  return (
    <Section
      id="snapshots"
      title={t`Snapshots`}
      words={t`Copies of the database on the same disk, to go back by. They help against a slip; against a broken disk only a backup elsewhere does.`}
    >
      {isTaking && <Note>{t`Snapshot in progress`}</Note>}
      {take.isError && <Note kind="danger">{take.error.message}</Note>}
      <div className={cards.actions}>
        <Button disabled={isTaking} isBusy={take.isPending} onClick={() => take.mutate()}>
          <Trans>Take a snapshot</Trans>
        </Button>
      </div>
      <Loaded query={query} skeleton={<Skeleton height={120} />}>
        {({ snapshots, next_exec_str: next, expire_after: kept }) => (
          <>
            <p className={cards.muted}>
              <Trans>
                Next one {next}; each is kept for {kept.replace('d', '')} days.
              </Trans>
            </p>
            <ul>
              {snapshots.map((snapshot) => (
                <Row key={snapshot.id} snapshot={snapshot} />
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </Section>
  );
}
