import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { Video } from '#contract/video.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { useSayDeleted } from '#web/bin/queries.ts';
import { WhatFollows } from '#web/bin/WhatFollows.tsx';
import { sizeText } from '#web/format/numbers.ts';
import { removeFromQueue } from '#web/player/queue.ts';
import { closePlayer } from '#web/player/stage.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Note } from '#web/ui/Note.tsx';
import { useConfirmation } from '#web/user/confirmation.tsx';
import { useConfig } from '#web/user/queries.ts';
import { pathOfChannel } from './paths.ts';
import { videoQuery } from './queries.ts';

/** Asks before a video goes, and whether it is to stay away. */
export function DeleteVideo({ video, onClose }: { video: Video; onClose(): void }) {
  const { t } = useLingui();
  const sayDeleted = useSayDeleted();
  const navigate = useNavigate();
  const unit = useConfig()?.file_size_unit;
  const { youtube_id: id, title, channel } = video;
  const size = sizeText(video.media_size, unit);
  const confirmation = useConfirmation({ videos: 1, bytes: video.media_size });
  const remove = useMutation({
    mutationFn: (andIgnore: boolean) =>
      call('DELETE /api/video/:id/', { params: { id }, query: { ignore: andIgnore }, ...confirmation.sent }),
    onSuccess: async (_, andIgnore) => {
      closePlayer();
      removeFromQueue(id);
      sayDeleted([id], {
        inBin: andIgnore ? t`“${title}” is in the bin, and ignored from now on.` : t`“${title}” is in the bin.`,
        gone: andIgnore ? t`“${title}” is deleted, and ignored from now on.` : t`“${title}” is deleted.`,
      });
      await navigate(pathOfChannel(channel.channel_id), { replace: true });
      queryClient.removeQueries({ queryKey: videoQuery(id).queryKey });
      void queryClient.invalidateQueries({ queryKey: ['video'] });
    },
  });
  const isDone = remove.isPending || remove.isSuccess;
  return (
    <Dialog title={t`Delete this video?`} onClose={onClose}>
      <p>
        <Trans>1 video ({size}) is removed from the archive, with its subtitles and comments.</Trans>
      </p>
      <WhatFollows />
      {confirmation.field(() => remove.mutate(false))}
      {remove.isError && <Note kind="danger">{remove.error.message}</Note>}
      <DialogActions>
        <Button onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
        <Button kind="danger" disabled={isDone || !confirmation.isReady} onClick={() => remove.mutate(true)}>
          <Trans>Delete and Ignore</Trans>
        </Button>
        <Button kind="danger" disabled={!confirmation.isReady} isBusy={isDone} onClick={() => remove.mutate(false)}>
          <Trans>Delete</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  );
}
