import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import type { Backup } from '#contract/backup.ts';
import { call } from '#web/api/call.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Note } from '#web/ui/Note.tsx';
import { useConfirming } from '#web/user/Confirming.tsx';

/** Asks whether what is here is to be replaced, and says by what; answers the run that does it. */
export function RestoreBackup({ backup, onClose }: { backup: Backup; onClose(run?: string): void }) {
  const { t } = useLingui();
  const confirming = useConfirming();
  const { filename, timestamp } = backup;
  const restore = useMutation({
    mutationFn: () =>
      confirming((confirm) =>
        call('POST /api/appsettings/backup/:filename/', { params: { filename }, body: { dry_run: false }, ...confirm }),
      ),
    onSuccess: ({ task_id: id }) => onClose(id),
  });
  return (
    <Dialog title={t`Restore the backup of ${timestamp}?`} onClose={() => onClose()}>
      <p>
        <Trans>
          Everything that the archive knows is replaced by what {filename} holds: people and what they watched, settings,
          channels, playlists, videos and the queue. No media file is deleted. A snapshot of what is here now is taken first. A
          backup of TubeArchivist is added to what is here instead.
        </Trans>
      </p>
      {restore.isError && <Note kind="danger">{restore.error.message}</Note>}
      <DialogActions>
        <Button onClick={() => onClose()}>
          <Trans>Leave it as it is</Trans>
        </Button>
        <Button kind="danger" isBusy={restore.isPending} onClick={() => restore.mutate()}>
          <Trans>Restore</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  );
}
