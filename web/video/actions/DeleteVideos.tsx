import { plural } from '@lingui/core/macro';
import { Plural, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import type { Video } from '#contract/video.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { useVideosDeletedToast } from '#web/api/queries/trash.ts';
import { RetentionHint } from '#web/trash/retention/RetentionHint.tsx';
import { sizeText } from '#web/format/numbers.ts';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { useConfirmation } from '#web/confirm/confirmation.tsx';
import { useConfig } from '#web/api/account.ts';
import { totalBytes } from '#web/format/bytes.ts';

interface Props {
  videos: Video[];
  onClose(): void;
  onDone?(): void;
}

/** Asks before several videos are deleted; names their number and size. */
export function DeleteVideos({ videos, onClose, onDone }: Props) {
  const { t } = useLingui();
  const sayDeleted = useVideosDeletedToast();
  const unit = useConfig()?.file_size_unit;
  const count = videos.length;
  const bytes = totalBytes(videos);
  const size = sizeText(bytes, unit);
  const confirmation = useConfirmation({ videos: count, bytes });
  const remove = useMutation({
    mutationFn: () =>
      call('POST /api/video/delete/', { body: { ids: videos.map(({ youtube_id: id }) => id) }, ...confirmation.sent }),
    onSettled: () => queryClient.invalidateQueries(),
    onSuccess: () => {
      const ids = videos.map(({ youtube_id: id }) => id);
      sayDeleted(ids, {
        inBin: plural(count, { one: '# video moved to trash.', other: '# videos moved to trash.' }),
        gone: plural(count, { one: '# video deleted.', other: '# videos deleted.' }),
      });
      onDone?.();
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={count === 1 ? t`Delete this video?` : t`Delete these videos?`}
      action={<Plural value={count} one="Delete # video" other="Delete # videos" />}
      disabled={!confirmation.isReady}
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>
        <Plural
          value={count}
          one={`Removes # video (${size}) with its subtitles and comments from the archive.`}
          other={`Removes # videos (${size}) with their subtitles and comments from the archive.`}
        />
      </p>
      <RetentionHint />
      {confirmation.field(() => remove.mutate())}
      {remove.isError && <Callout kind="danger">{remove.error.message}</Callout>}
    </ConfirmDialog>
  );
}
