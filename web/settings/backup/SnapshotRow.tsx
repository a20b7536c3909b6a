import { ActionDialog } from '#web/confirm/ActionDialog.tsx';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconCamera, IconRestore, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { Snapshot } from '#contract/backup.ts';
import { call } from '#web/api/call.ts';
import { dateTimeText } from '#web/format/dates.ts';
import { lengthText } from '#web/format/numbers.ts';
import { MenuItem, MenuSeparator } from '#web/ui/Menu.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { EntryRow } from '#web/setting-fields/EntryRow.tsx';
import { Badge } from '#web/ui/Badge.tsx';
import { ActionsMenu } from '#web/setting-fields/ActionsMenu.tsx';
import { RestoreCounts } from './RestoreCounts.tsx';
import { AccountChanges } from './AccountChanges.tsx';
import { snapshotAccountsQuery, snapshotsQuery } from '#web/api/queries/backup.ts';

/** A snapshot with its size and actions. */
export function SnapshotRow({ snapshot }: { snapshot: Snapshot }) {
  const { t } = useLingui();
  const showToast = useToast();
  const [openDialog, setOpenDialog] = useState<'restore' | 'delete'>();
  const { id, end_stamp: ended, duration_s: seconds, state, es_version: version } = snapshot;
  const date = dateTimeText(ended);
  const [restoresDeleted, setRestoresDeleted] = useState(false);
  const accounts = useQuery({ ...snapshotAccountsQuery(id), enabled: openDialog === 'restore' });
  return (
    <EntryRow
      icon={<IconCamera aria-hidden />}
      name={date}
      facts={
        <>
          <Badge>{t`Snapshot`}</Badge>
          <span>{state === 'SUCCESS' ? t`OK` : t`Snapshot in progress`}</span>
          <span>{lengthText(seconds)}</span>
          <span>{version}</span>
          <bdi>{id}</bdi>
        </>
      }
    >
      <ActionsMenu name={id}>
        <MenuItem icon={<IconRestore aria-hidden />} disabled={state !== 'SUCCESS'} onSelect={() => setOpenDialog('restore')}>
          <Trans>Restore…</Trans>
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<IconTrash aria-hidden />} isDanger onSelect={() => setOpenDialog('delete')}>
          <Trans>Delete…</Trans>
        </MenuItem>
      </ActionsMenu>
      {openDialog === 'restore' && (
        <ActionDialog
          title={t`Restore the snapshot of ${date}?`}
          action={t`Restore snapshot`}
          disabled={!accounts.isSuccess}
          run={(confirm) =>
            call('POST /api/appsettings/snapshot/:id/', { params: { id }, body: { bring_accounts: restoresDeleted }, ...confirm })
          }
          onSuccess={() => showToast(t`Snapshot restore started`)}
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
        </ActionDialog>
      )}
      {openDialog === 'delete' && (
        <ActionDialog
          title={t`Delete the snapshot of ${date}?`}
          action={t`Delete snapshot`}
          run={(confirm) => call('DELETE /api/appsettings/snapshot/:id/', { params: { id }, ...confirm })}
          queryKey={snapshotsQuery.queryKey}
          onClose={() => setOpenDialog(undefined)}
        >
          <p>
            <Trans>This can’t be undone.</Trans>
          </p>
        </ActionDialog>
      )}
    </EntryRow>
  );
}
