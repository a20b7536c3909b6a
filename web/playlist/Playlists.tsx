import { useLingui } from '@lingui/react/macro';
import { LazyAddBox } from '#web/add/LazyAddBox.tsx';
import { SmartLists } from '#web/smart-list/SmartLists.tsx';
import { useTitle } from '#web/ui/use-title.ts';
import { useIsStaff } from '#web/api/account.ts';
import { AlbumsLink } from '#web/album/AlbumsLink.tsx';
import { CreatePlaylist } from '#web/add-to-playlist/CreatePlaylist.tsx';
import { PlaylistBar, usePlaylistBar } from './grid/PlaylistBar.tsx';
import { PlaylistGrid } from './grid/PlaylistGrid.tsx';
import styles from './Playlists.module.css';

export function Playlists() {
  const { t } = useLingui();
  useTitle(t`Playlists`);
  const isStaff = useIsStaff();
  const bar = usePlaylistBar();
  return (
    <>
      <div className={styles.top}>
        <h1>{t`Playlists`}</h1>
        <AlbumsLink />
      </div>
      <SmartLists />
      {isStaff && <LazyAddBox place="playlist" />}
      <CreatePlaylist />
      <PlaylistBar bar={bar} />
      <PlaylistGrid filter={{ subscribed: bar.subscribed }} view={bar.view} />
    </>
  );
}
