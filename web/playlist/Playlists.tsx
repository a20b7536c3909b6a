import { useTitle } from '#web/shell/title.ts';
import { useIsStaff } from '#web/user/queries.ts';
import { PlaylistGrid } from './PlaylistGrid.tsx';
import { SubscribeToPlaylists } from './SubscribeToPlaylists.tsx';
import styles from './Playlists.module.css';

/** Every playlist of the archive. */
export function Playlists() {
  useTitle('Playlists');
  const isStaff = useIsStaff();
  return (
    <>
      <h1 className={styles.heading}>Playlists</h1>
      {isStaff && <SubscribeToPlaylists />}
      <PlaylistGrid filter={{}} />
    </>
  );
}
