import { useTitle } from '#web/shell/title.ts';
import { PlaylistGrid } from './PlaylistGrid.tsx';
import styles from './Playlists.module.css';

/** Every playlist of the archive. */
export function Playlists() {
  useTitle('Playlists');
  return (
    <>
      <h1 className={styles.heading}>Playlists</h1>
      <PlaylistGrid filter={{}} />
    </>
  );
}
