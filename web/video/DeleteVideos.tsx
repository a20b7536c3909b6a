import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import type { Video } from '#contract/video.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { useSayDeleted } from '#web/bin/queries.ts';
import { WhatFollows } from '#web/bin/WhatFollows.tsx';
import { sizeText } from '#web/format/numbers.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Note } from '#web/ui/Note.tsx';
import { useConfirmation } from '#web/user/confirmation.tsx';
import { useConfig } from '#web/user/queries.ts';
import { bytesOf } from './bytes.ts';

interface Props {
  videos: Video[];
  onClose(): void;
  onDone?(): void;
}

/** Asks before files go: how many, and how much. */
export function DeleteVideos({ videos, onClose, onDone }: Props) {
  const { t } = useLingui();
  const sayDeleted = useSayDeleted();
  const unit = useConfig()?.file_size_unit;
  const count = videos.length;
  const bytes = bytesOf(videos);
  const size = sizeText(bytes, unit);
  const confirmation = useConfirmation({ videos: count, bytes });
  const remove = useMutation({
    mutationFn: () =>
      call('POST /api/video/delete/', { body: { ids: videos.map(({ youtube_id: id }) => id) }, ...confirmation.sent }),
    onSettled: () => queryClient.invalidateQueries(),
    onSuccess: () => {
      const ids = videos.map(({ youtube_id: id }) => id);
      sayDeleted(ids, {
        inBin: plural(count, { one: '# video is in the bin.', other: '# videos are in the bin.' }),
        gone: plural(count, { one: '# video is deleted.', other: '# videos are deleted.' }),
      });
      onDone?.();
      onClose();
    },
  });
  return (
    <Dialog title={count === 1 ? t`Delete this video?` : t`Delete these videos?`} onClose={onClose}>
      <p>
        <Plural
          value={count}
          one={`# file (${size}), its subtitles and comments are removed from the archive.`}
          other={`# files (${size}), their subtitles and comments are removed from the archive.`}
        />
      </p>
      <WhatFollows />
      {confirmation.field(() => remove.mutate())}
      {remove.isError && <Note kind="danger">{remove.error.message}</Note>}
      <DialogActions>
        <Button onClick={onClose}>
          <Trans>Keep</Trans>
        </Button>
        <Button kind="danger" disabled={!confirmation.isReady} isBusy={remove.isPending} onClick={() => remove.mutate()}>
          <Plural value={count} one="Delete # video" other="Delete # videos" />
        </Button>
      </DialogActions>
    </Dialog>
  );
}
