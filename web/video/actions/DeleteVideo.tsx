import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import type { Video } from '#contract/video.ts';
import { call } from '#web/api/call.ts';
import { beingDeleted, queryClient } from '#web/api/client.ts';
import { useVideosDeletedToast } from '#web/api/queries/trash.ts';
import { RetentionHint } from '#web/trash/retention/RetentionHint.tsx';
import { sizeText } from '#web/format/numbers.ts';
import { removeFromQueue } from '#web/player/queue/queue.ts';
import { closePlayer, playerStore } from '#web/player/state/player-store.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { useConfirmation } from '#web/confirm/confirmation.tsx';
import { useConfig } from '#web/api/account.ts';

interface Props {
  video: Pick<Video, 'youtube_id' | 'title' | 'media_size'>;
  onClose(): void;
  /** Called before the video is removed from the lists of the app, so that a page of the video can be left first. */
  onDeleted?(): void | Promise<void>;
}

/** Asks before a video is deleted, and whether it is ignored by later scans. */
export function DeleteVideo({ video, onClose, onDeleted }: Props) {
  const { t } = useLingui();
  const sayDeleted = useVideosDeletedToast();
  const unit = useConfig()?.file_size_unit;
  const { youtube_id: id, title } = video;
  const size = sizeText(video.media_size, unit);
  const confirmation = useConfirmation({ videos: 1, bytes: video.media_size });
  const remove = useMutation({
    mutationFn: (andIgnore: boolean) =>
      call('DELETE /api/video/:id/', { params: { id }, query: { ignore: andIgnore }, ...confirmation.sent }),
    onMutate: () => void beingDeleted.add(id),
    onSettled: () => void beingDeleted.delete(id),
    onSuccess: async (_, andIgnore) => {
      if (playerStore.get().video?.youtube_id === id) closePlayer();
      removeFromQueue(id);
      sayDeleted([id], {
        inBin: andIgnore ? t`“${title}” moved to trash and ignored.` : t`“${title}” moved to trash.`,
        gone: andIgnore ? t`“${title}” deleted and ignored.` : t`“${title}” deleted.`,
      });
      await onDeleted?.();
      onClose();
      queryClient.removeQueries({ queryKey: ['video'], predicate: ({ queryKey }) => queryKey.includes(id) });
      void queryClient.invalidateQueries();
    },
  });
  const isDone = remove.isPending || remove.isSuccess;
  return (
    <Dialog title={t`Delete this video?`} onClose={onClose}>
      <p>
        <Trans>
          Removes “<bdi>{title}</bdi>” ({size}) with its subtitles and comments from the archive.
        </Trans>
      </p>
      <p>
        <Trans>
          Subscriptions do not download it again. An ignored video is not added by its URL either; the Downloads page lists it.
        </Trans>
      </p>
      <RetentionHint />
      {confirmation.field(() => remove.mutate(false))}
      {remove.isError && <Callout kind="danger">{remove.error.message}</Callout>}
      <DialogActions onCancel={onClose}>
        <Button kind="danger" disabled={isDone || !confirmation.isReady} onClick={() => remove.mutate(true)}>
          <Trans>Delete and ignore</Trans>
        </Button>
        <Button kind="danger" disabled={!confirmation.isReady} isBusy={isDone} onClick={() => remove.mutate(false)}>
          <Trans>Delete</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  );
}
