import { useLingui } from '@lingui/react/macro';
import {
  IconCircleCheck,
  IconCircleDashedCheck,
  IconPlaylist,
  IconPlayerTrackNext,
  IconDownload,
  IconExternalLink,
  IconLink,
  IconPlayerPlay,
  IconPlaylistAdd,
  IconRefresh,
  IconShare,
  IconSquareCheck,
  IconTrash,
} from '@tabler/icons-react';
import { useState, type RefObject } from 'react';
import type { Video } from '#contract/video.ts';
import { addressOf } from '#web/api/call.ts';
import { playNext } from '#web/player/queue/play.ts';
import { enqueueLast } from '#web/player/queue/queue.ts';
import { AddToPlaylist } from '#web/add-to-playlist/AddToPlaylist.tsx';
import { ShareDialog } from '#web/sharing/ShareDialog.tsx';
import { usePlayerLinks } from '#web/sharing/use-player-links.ts';
import { useCopy } from '#web/ui/copy.ts';
import { MenuItem, MenuSeparator, OpenMenu } from '#web/ui/Menu.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { useIsStaff, useMayShare } from '#web/api/account.ts';
import { DeleteVideo } from '../actions/DeleteVideo.tsx';
import { downloadUrl, pathOfVideo } from '#web/api/paths.ts';
import { useMarkWatched } from '#web/api/queries/video.ts';
import { useRedownload } from '../actions/redownload.ts';

interface Props {
  video: Video;
  anchor: RefObject<HTMLButtonElement | null>;
  onClose(): void;
  onSelect: (() => void) | undefined;
}

/** Menu of a video card. */
export function VideoMenu({ video, anchor, onClose, onSelect }: Props) {
  const { t } = useLingui();
  const showToast = useToast();
  const copy = useCopy();
  const mark = useMarkWatched();
  const redownload = useRedownload();
  const isStaff = useIsStaff();
  const [openDialog, setAsks] = useState<'playlist' | 'share' | 'delete' | null>(null);
  const mayShare = useMayShare();
  const { copyVideo } = usePlayerLinks();
  const { watched } = video.player;
  if (openDialog === 'playlist') return <AddToPlaylist videos={[video]} onClose={onClose} />;
  if (openDialog === 'share')
    return <ShareDialog name={video.title} target={{ type: 'video', id: video.youtube_id }} onClose={onClose} />;
  if (openDialog === 'delete') return <DeleteVideo video={video} onClose={onClose} />;
  const next = () => {
    playNext(video);
    showToast(t`Plays next.`);
  };
  const last = () => {
    enqueueLast(video);
    showToast(t`Added to Up next.`);
  };
  return (
    <OpenMenu anchor={anchor} onClose={onClose}>
      <MenuItem
        icon={watched ? <IconCircleDashedCheck aria-hidden /> : <IconCircleCheck aria-hidden />}
        onSelect={() => mark(video, !watched)}
      >
        {watched ? t`Mark as unwatched` : t`Mark as watched`}
      </MenuItem>
      <MenuItem icon={<IconPlaylistAdd aria-hidden />} onSelect={() => setAsks('playlist')} staysOpen>
        {t`Add to playlist…`}
      </MenuItem>
      <MenuItem icon={<IconPlayerTrackNext aria-hidden />} onSelect={next}>
        {t`Play next`}
      </MenuItem>
      <MenuItem icon={<IconPlaylist aria-hidden />} onSelect={last}>
        {t`Add to Up next`}
      </MenuItem>
      {onSelect && (
        <MenuItem icon={<IconSquareCheck aria-hidden />} onSelect={onSelect}>
          {t`Select`}
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuItem icon={<IconDownload aria-hidden />} onSelect={() => location.assign(downloadUrl(video))}>
        {t`Download file`}
      </MenuItem>
      <MenuItem icon={<IconLink aria-hidden />} onSelect={() => void copy(addressOf(pathOfVideo(video)), t`Link copied.`)}>
        {t`Copy link`}
      </MenuItem>
      <MenuItem icon={<IconPlayerPlay aria-hidden />} onSelect={() => copyVideo(video.youtube_id)}>
        {t`Copy address for players`}
      </MenuItem>
      {mayShare && (
        <MenuItem icon={<IconShare aria-hidden />} onSelect={() => setAsks('share')} staysOpen>
          {t`Create share link…`}
        </MenuItem>
      )}
      {video.source_url && (
        <MenuItem
          icon={<IconExternalLink aria-hidden />}
          onSelect={() => window.open(video.source_url!, '_blank', 'noopener,noreferrer')}
        >
          {t`Open original`}
        </MenuItem>
      )}
      {isStaff && (
        <>
          <MenuSeparator />
          <MenuItem icon={<IconRefresh aria-hidden />} onSelect={() => redownload.mutate([video])}>
            {t`Redownload`}
          </MenuItem>
          <MenuItem icon={<IconTrash aria-hidden />} onSelect={() => setAsks('delete')} isDanger staysOpen>
            {t`Delete…`}
          </MenuItem>
        </>
      )}
    </OpenMenu>
  );
}
