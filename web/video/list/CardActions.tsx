import { useLingui } from '@lingui/react/macro';
import { IconCircleCheck, IconCircleDashedCheck, IconDotsVertical, IconPlaylistAdd } from '@tabler/icons-react';
import { useState } from 'react';
import type { Video } from '#contract/video.ts';
import { IconButton } from '#web/ui/Button.tsx';
import { LazyPopup } from '#web/ui/LazyPopup.tsx';
import { useMarkWatched } from '#web/api/queries/video.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';

const VideoMenu = lazyComponent(async () => (await import('../menu/VideoMenu.tsx')).VideoMenu);
const AddToPlaylist = lazyComponent(async () => (await import('#web/add-to-playlist/AddToPlaylist.tsx')).AddToPlaylist);

interface Props {
  video: Video;
  tabIndex?: number;
}

/** Toggles the watched state of a video. */
export function WatchedButton({ video, ...rest }: Props) {
  const { t } = useLingui();
  const mark = useMarkWatched();
  const { title, player } = video;
  return (
    <IconButton
      {...rest}
      label={player.watched ? t`Mark “${title}” as unwatched` : t`Mark “${title}” as watched`}
      title={player.watched ? t`Unwatched` : t`Watched`}
      aria-pressed={player.watched}
      onClick={() => mark(video, !player.watched)}
    >
      {player.watched ? <IconCircleCheck aria-hidden /> : <IconCircleDashedCheck aria-hidden />}
    </IconButton>
  );
}

/** Adds a video to custom playlists, or removes it. */
export function PlaylistButton({ video, ...rest }: Props) {
  const { t } = useLingui();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <IconButton
        {...rest}
        label={t`Add “${video.title}” to a playlist`}
        title={t`Add to playlist`}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        <IconPlaylistAdd aria-hidden />
      </IconButton>
      {isOpen && <AddToPlaylist videos={[video]} onClose={() => setIsOpen(false)} />}
    </>
  );
}

/** Opens the menu with all other actions. */
export function MoreButton({ video, onSelect, ...rest }: Props & { onSelect?: (() => void) | undefined }) {
  const { t } = useLingui();
  return (
    <LazyPopup
      button={(props) => (
        <IconButton {...rest} {...props} label={t`More actions for “${video.title}”`} title={t`More`}>
          <IconDotsVertical aria-hidden />
        </IconButton>
      )}
      popup={(props) => <VideoMenu video={video} onSelect={onSelect} {...props} />}
    />
  );
}
