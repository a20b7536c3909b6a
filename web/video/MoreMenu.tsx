import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { IconDots, IconLock, IconLockOpen, IconPlaylist, IconRefresh, IconShare, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { Video } from '#contract/video.ts';
import { addressOf, call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { enqueueLast } from '#web/player/queue.ts';
import { Button } from '#web/ui/Button.tsx';
import { useCopy } from '#web/ui/copy.ts';
import { Menu, MenuItem, MenuLine } from '#web/ui/Menu.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { DeleteVideo } from './DeleteVideo.tsx';
import { pathOfVideo } from './paths.ts';
import { videoQuery } from './queries.ts';

/** What is done more seldom; most of it by staff. */
export function MoreMenu({ video, isStaff }: { video: Video; isStaff: boolean }) {
  const { t } = useLingui();
  const say = useToast();
  const copy = useCopy();
  const [isDeleting, setIsDeleting] = useState(false);
  const { youtube_id: id, is_kept: isKept } = video;
  const fail = (error: Error) => say(error.message, { isDanger: true });
  const reindex = useMutation({
    mutationFn: () => call('POST /api/refresh/', { body: { video: [id] } }),
    onSuccess: () => say(t`Reindex scheduled`),
    onError: fail,
  });
  const keep = useMutation({
    mutationFn: (isWanted: boolean) => call('POST /api/video/:id/keep/', { params: { id }, body: { is_kept: isWanted } }),
    onSuccess: ({ is_kept }) => {
      queryClient.setQueryData(videoQuery(id).queryKey, (known) => known && { ...known, is_kept });
      say(is_kept ? t`No rule deletes it any more.` : t`Rules may delete it again.`);
    },
    onError: fail,
  });
  return (
    <>
      <Menu trigger={<Button icon={<IconDots aria-hidden />} aria-label={t`More`} title={t`More`} />}>
        <MenuItem
          icon={<IconPlaylist aria-hidden />}
          onSelect={() => {
            enqueueLast(video);
            say(t`Added to the queue.`);
          }}
        >
          <Trans>Add to the queue</Trans>
        </MenuItem>
        <MenuItem icon={<IconShare aria-hidden />} onSelect={() => void copy(addressOf(pathOfVideo(video)), t`Link copied.`)}>
          <Trans>Copy link</Trans>
        </MenuItem>
        {isStaff && (
          <>
            <MenuLine />
            <MenuItem icon={<IconRefresh aria-hidden />} disabled={!reindex.isIdle} onSelect={() => reindex.mutate()}>
              {reindex.isSuccess ? <Trans>Reindex scheduled</Trans> : <Trans>Reindex</Trans>}
            </MenuItem>
            <MenuItem
              icon={isKept ? <IconLockOpen aria-hidden /> : <IconLock aria-hidden />}
              onSelect={() => keep.mutate(!isKept)}
            >
              {isKept ? <Trans>Let rules delete it</Trans> : <Trans>Keep whatever rules say</Trans>}
            </MenuItem>
            <MenuItem icon={<IconTrash aria-hidden />} isDanger onSelect={() => setIsDeleting(true)}>
              <Trans>Delete Video</Trans>
            </MenuItem>
          </>
        )}
      </Menu>
      {isDeleting && <DeleteVideo video={video} onClose={() => setIsDeleting(false)} />}
    </>
  );
}
