import { useLingui } from '@lingui/react/macro';
import { TaskNotices } from '#web/downloads/TaskNotices.tsx';
import { SmartLists } from '#web/lists/SmartLists.tsx';
import { useTitle } from '#web/shell/title.ts';
import { useIsStaff } from '#web/user/queries.ts';
import { MakePlaylist } from './MakePlaylist.tsx';
import { PlaylistBar, usePlaylistBar } from './PlaylistBar.tsx';
import { PlaylistGrid } from './PlaylistGrid.tsx';
import { SubscribeToPlaylists } from './SubscribeToPlaylists.tsx';
import styles from './Playlists.module.css';

/** Every playlist of the archive. */
export function Playlists() {
  const { t } = useLingui();
  useTitle(t`Playlists`);
  const isStaff = useIsStaff();
  const bar = usePlaylistBar();
  return (
    <>
      <h1 className={styles.heading}>{t`Playlists`}</h1>
      <SmartLists />
      {isStaff && <SubscribeToPlaylists />}
      <MakePlaylist />
      <TaskNotices />
      <PlaylistBar bar={bar} />
      <PlaylistGrid filter={{ subscribed: bar.subscribed }} view={bar.view} />
    </>
  );
}
