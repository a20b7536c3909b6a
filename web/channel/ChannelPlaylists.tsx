import { PlaylistBar, usePlaylistBar } from '#web/playlist/grid/PlaylistBar.tsx';
import { PlaylistGrid } from '#web/playlist/grid/PlaylistGrid.tsx';

export function ChannelPlaylists({ id }: { id: string }) {
  const bar = usePlaylistBar();
  return (
    <>
      <PlaylistBar bar={bar} />
      <PlaylistGrid filter={{ channel: id, subscribed: bar.subscribed }} view={bar.view} />
    </>
  );
}
