import { useLingui } from '@lingui/react/macro';
import {
  IconCircleCheck,
  IconCircleDashedCheck,
  IconPlaylist,
  IconPlayerTrackNext,
  IconDownload,
  IconExternalLink,
  IconLink,
  IconPlaylistAdd,
  IconRefresh,
  IconSquareCheck,
  IconTrash,
} from '@tabler/icons-react';
import { useState, type RefObject } from 'react';
import type { Video } from '#contract/video.ts';
import { addressOf } from '#web/api/call.ts';
import { playNext } from '#web/player/play.ts';
import { enqueueLast } from '#web/player/queue.ts';
import { AddToPlaylist } from '#web/playlist/AddToPlaylist.tsx';
import { useCopy } from '#web/ui/copy.ts';
import { MenuItem, MenuLine, OpenMenu } from '#web/ui/Menu.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { useIsStaff } from '#web/user/queries.ts';
import { DeleteVideos } from './DeleteVideos.tsx';
import { fileToKeep, pathOfVideo } from './paths.ts';
import { useMarkWatched } from './queries.ts';
import { useRedownload } from './redownload.ts';

interface Props {
  video: Video;
  anchor: RefObject<HTMLButtonElement | null>;
  onClose(): void;
  onSelect: (() => void) | undefined;
}

/** What the three dots of a video offer. */
export function VideoMenu({ video, anchor, onClose, onSelect }: Props) {
  const { t } = useLingui();
  const say = useToast();
  const copy = useCopy();
  const mark = useMarkWatched();
  const redownload = useRedownload();
  const isStaff = useIsStaff();
  const [asks, setAsks] = useState<'playlist' | 'delete' | null>(null);
  const { watched } = video.player;
  if (asks === 'playlist') return <AddToPlaylist videos={[video]} onClose={onClose} />;
  if (asks === 'delete') return <DeleteVideos videos={[video]} onClose={onClose} />;
  const next = () => {
    playNext(video);
    say(t`Played next.`);
  };
  const last = () => {
    enqueueLast(video);
    say(t`Added to the queue.`);
  };
  return (
    <OpenMenu anchor={anchor} onClose={onClose}>
      <MenuItem
        icon={watched ? <IconCircleDashedCheck aria-hidden /> : <IconCircleCheck aria-hidden />}
        onSelect={() => mark(video, !watched)}
      >
        {watched ? t`Mark as not watched` : t`Mark as watched`}
      </MenuItem>
      <MenuItem icon={<IconPlaylistAdd aria-hidden />} onSelect={() => setAsks('playlist')} isKept>
        {t`Add to a playlist …`}
      </MenuItem>
      <MenuItem icon={<IconPlayerTrackNext aria-hidden />} onSelect={next}>
        {t`Play next`}
      </MenuItem>
      <MenuItem icon={<IconPlaylist aria-hidden />} onSelect={last}>
        {t`Add to the queue`}
      </MenuItem>
      {onSelect && (
        <MenuItem icon={<IconSquareCheck aria-hidden />} onSelect={onSelect}>
          {t`Select`}
        </MenuItem>
      )}
      <MenuLine />
      <MenuItem icon={<IconDownload aria-hidden />} onSelect={() => location.assign(fileToKeep(video))}>
        {t`Download file`}
      </MenuItem>
      <MenuItem icon={<IconLink aria-hidden />} onSelect={() => void copy(addressOf(pathOfVideo(video)), t`Link copied.`)}>
        {t`Copy link`}
      </MenuItem>
      {video.source_url && (
        <MenuItem
          icon={<IconExternalLink aria-hidden />}
          onSelect={() => window.open(video.source_url!, '_blank', 'noopener,noreferrer')}
        >
          {t`Open at its site`}
        </MenuItem>
      )}
      {isStaff && (
        <>
          <MenuLine />
          <MenuItem icon={<IconRefresh aria-hidden />} onSelect={() => redownload.mutate([video])}>
            {t`Redownload`}
          </MenuItem>
          <MenuItem icon={<IconTrash aria-hidden />} onSelect={() => setAsks('delete')} isDanger isKept>
            {t`Delete …`}
          </MenuItem>
        </>
      )}
    </OpenMenu>
  );
}
