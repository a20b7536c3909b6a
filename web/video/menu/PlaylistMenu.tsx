import { Trans, useLingui } from '@lingui/react/macro';
import { IconPlaylistAdd } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Video } from '#contract/video.ts';
import { PlaylistChoices } from '#web/playlist/add/PlaylistChoices.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Popover } from '#web/ui/Popover.tsx';
import styles from './PlaylistMenu.module.css';

/** Button that shows the custom playlists with their membership, and creates one with the video. */
export function PlaylistMenu({ video }: { video: Video }) {
  const { t } = useLingui();
  return (
    <Popover title={t`Add to playlist`} trigger={<Button icon={<IconPlaylistAdd aria-hidden />}>{t`Add to playlist`}</Button>}>
      <PlaylistChoices videos={[video]} />
      <Link to="/playlist/" className={styles.all}>
        <Trans>All playlists</Trans>
      </Link>
    </Popover>
  );
}
