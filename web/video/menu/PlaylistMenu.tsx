import { Trans, useLingui } from '@lingui/react/macro';
import type { RefObject } from 'react';
import { Link } from 'react-router';
import type { Video } from '#contract/video.ts';
import { PlaylistChoices } from '#web/add-to-playlist/PlaylistChoices.tsx';
import { OpenPopover } from '#web/ui/Popover.tsx';
import styles from './PlaylistMenu.module.css';

interface Props {
  video: Video;
  anchor: RefObject<HTMLButtonElement | null>;
  onClose(): void;
}

/** Shows the custom playlists with their membership, and creates one with the video. */
export function PlaylistMenu({ video, ...popup }: Props) {
  const { t } = useLingui();
  return (
    <OpenPopover title={t`Add to playlist`} {...popup}>
      <PlaylistChoices videos={[video]} />
      <Link to="/playlist/" className={styles.all}>
        <Trans>All playlists</Trans>
      </Link>
    </OpenPopover>
  );
}
