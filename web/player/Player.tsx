import { createPortal } from 'react-dom';
import { PlayerProvider } from './state/videojs.ts';
import { PlayerView } from './PlayerView.tsx';
import { playerContainer, usePlayerStore } from './state/player-store.ts';

/** The only player, rendered into its container wherever that is attached. Only components below it use the video.js library. */
export function Player() {
  const video = usePlayerStore((state) => state.video);
  if (!video) return null;
  return createPortal(
    <PlayerProvider>
      <PlayerView video={video} />
    </PlayerProvider>,
    playerContainer(),
  );
}
