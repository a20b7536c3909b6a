import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Backup } from '#contract/backup.ts';
import { call } from '#web/api/call.ts';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { useWithConfirmation } from '#web/confirm/ReauthProvider.tsx';
import { backupDate } from './backup-date.ts';
import { RestoreCounts } from './RestoreCounts.tsx';
import { AccountChanges } from './AccountChanges.tsx';
import { backupAccountsQuery } from '#web/api/queries/backup.ts';

/** Confirms a restore. `onClose` gets the id of the run that was started. */
export function RestoreBackup({ backup, onClose }: { backup: Backup; onClose(run?: string): void }) {
  const { t } = useLingui();
  const withConfirmation = useWithConfirmation();
  const { filename } = backup;
  const date = backupDate(backup);
  const [restoresDeleted, setRestoresDeleted] = useState(false);
  const accounts = useQuery(backupAccountsQuery(filename));
  const restore = useMutation({
    mutationFn: () =>
      withConfirmation((confirm) =>
        call('POST /api/appsettings/backup/:filename/', {
          params: { filename },
          body: { dry_run: false, bring_accounts: restoresDeleted },
          ...confirm,
        }),
      ),
    onSuccess: ({ task_id: id }) => onClose(id),
  });
  return (
    <ConfirmDialog
      title={t`Restore the backup of ${date}?`}
      action={<Trans>Restore</Trans>}
      disabled={!accounts.isSuccess}
      isBusy={restore.isPending}
      onConfirm={() => restore.mutate()}
      onClose={() => onClose()}
    >
      {accounts.data && (
        <p>
          {accounts.data.replaces ? (
            <Trans>
              This replaces all metadata with the contents of {filename}: settings, channels, playlists, videos, the queue and
              watch history. No media files are deleted. A snapshot of the current state is taken first.
            </Trans>
          ) : (
            <Trans>
              This adds the channels, playlists, videos and watch history of the TubeArchivist backup {filename} to the archive.
              Nothing is deleted.
            </Trans>
          )}
        </p>
      )}
      {accounts.data && (
        <RestoreCounts
          contents={accounts.data.contents}
          isReplaced={accounts.data.replaces}
          restoredUsers={restoresDeleted ? accounts.data.missing.length : 0}
        />
      )}
      <AccountChanges query={accounts} restoresDeleted={restoresDeleted} onRestoreDeleted={setRestoresDeleted} />
      {restore.isError && <Callout kind="danger">{restore.error.message}</Callout>}
    </ConfirmDialog>
  );
}
