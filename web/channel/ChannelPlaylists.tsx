import { PlaylistBar, usePlaylistBar } from '#web/playlist/PlaylistBar.tsx';
import { PlaylistGrid } from '#web/playlist/PlaylistGrid.tsx';

/** The playlists of a channel. */
export function ChannelPlaylists({ id }: { id: string }) {
  const bar = usePlaylistBar();
  return (
    <>
      <PlaylistBar bar={bar} />
      <PlaylistGrid filter={{ channel: id, subscribed: bar.subscribed }} view={bar.view} />
    </>
  );
}
