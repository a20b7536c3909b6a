import { useAction } from '#web/confirm/use-action.ts';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconCamera, IconDots, IconRestore, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { Snapshot } from '#contract/backup.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { dateTimeText } from '#web/format/dates.ts';
import { lengthText } from '#web/format/numbers.ts';
import { IconButton } from '#web/ui/Button.tsx';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { Menu, MenuItem, MenuSeparator } from '#web/ui/Menu.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { RestoreCounts } from './RestoreCounts.tsx';
import { AccountChanges } from './AccountChanges.tsx';
import { snapshotAccountsQuery, snapshotsQuery } from '#web/api/queries/backup.ts';
import styles from '#web/setting-fields/Rows.module.css';

const refresh = () => queryClient.invalidateQueries({ queryKey: snapshotsQuery.queryKey });

/** A snapshot with its size and actions. */
export function SnapshotRow({ snapshot }: { snapshot: Snapshot }) {
  const { t } = useLingui();
  const showToast = useToast();
  const [openDialog, setOpenDialog] = useState<'restore' | 'delete'>();
  const { id, end_stamp: ended, duration_s: seconds, state, es_version: version } = snapshot;
  const date = dateTimeText(ended);
  const [restoresDeleted, setRestoresDeleted] = useState(false);
  const accounts = useQuery({ ...snapshotAccountsQuery(id), enabled: openDialog === 'restore' });
  const restore = useAction(
    (_: void, confirm) =>
      call('POST /api/appsettings/snapshot/:id/', { params: { id }, body: { bring_accounts: restoresDeleted }, ...confirm }),
    {
      onSuccess: () => showToast(t`Snapshot restore started`),
      onSettled: () => setOpenDialog(undefined),
    },
  );
  const remove = useAction((_: void, confirm) => call('DELETE /api/appsettings/snapshot/:id/', { params: { id }, ...confirm }), {
    onSettled: () => {
      setOpenDialog(undefined);
      void refresh();
    },
  });
  return (
    <li className={styles.row}>
      <IconCamera aria-hidden />
      <div className={styles.text}>
        <strong>{date}</strong>
        <p>
          <span className={styles.badge}>{t`Snapshot`}</span>
          <span>{state === 'SUCCESS' ? t`OK` : t`Snapshot in progress`}</span>
          <span>{lengthText(seconds)}</span>
          <span>{version}</span>
          <bdi>{id}</bdi>
        </p>
      </div>
      <Menu
        trigger={
          <IconButton label={t`Actions for ${id}`}>
            <IconDots aria-hidden />
          </IconButton>
        }
      >
        <MenuItem icon={<IconRestore aria-hidden />} disabled={state !== 'SUCCESS'} onSelect={() => setOpenDialog('restore')}>
          <Trans>Restore…</Trans>
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<IconTrash aria-hidden />} isDanger onSelect={() => setOpenDialog('delete')}>
          <Trans>Delete…</Trans>
        </MenuItem>
      </Menu>
      {openDialog === 'restore' && (
        <ConfirmDialog
          title={t`Restore the snapshot of ${date}?`}
          action={t`Restore snapshot`}
          disabled={!accounts.isSuccess}
          isBusy={restore.isPending}
          onConfirm={() => restore.mutate()}
          onClose={() => setOpenDialog(undefined)}
        >
          <p>
            <Trans>
              This resets all metadata to that point in time: settings, channels, playlists, videos, the queue and watch history.
              No media files are deleted. A snapshot of the current state is taken first.
            </Trans>
          </p>
          {accounts.data && (
            <RestoreCounts
              contents={accounts.data.contents}
              isReplaced
              restoredUsers={restoresDeleted ? accounts.data.missing.length : 0}
            />
          )}
          <AccountChanges query={accounts} restoresDeleted={restoresDeleted} onRestoreDeleted={setRestoresDeleted} />
        </ConfirmDialog>
      )}
      {openDialog === 'delete' && (
        <ConfirmDialog
          title={t`Delete the snapshot of ${date}?`}
          action={t`Delete snapshot`}
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setOpenDialog(undefined)}
        >
          <p>
            <Trans>This can’t be undone.</Trans>
          </p>
        </ConfirmDialog>
      )}
    </li>
  );
}
