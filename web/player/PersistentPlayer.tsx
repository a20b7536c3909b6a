import { lazy, Suspense, useCallback } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { hasInlinePlayer } from './inline-pages.ts';
import { setMiniContainer, usePlayerStore } from './state/player-store.ts';
import styles from './PersistentPlayer.module.css';

// The player is as large as the rest of the app, so it is loaded with the first video.
const Player = lazy(async () => ({ default: (await import('./Player.tsx')).Player }));

const InlinePlayer = lazy(async () => ({ default: (await import('./InlinePlayer.tsx')).InlinePlayer }));

/** Rendered above the routes, so that playback continues when the page changes. */
export function PersistentPlayer() {
  const hasVideo = usePlayerStore((state) => state.video !== null);
  const isMini = usePlayerStore((state) => state.isMini);
  const ref = useCallback((found: HTMLDivElement | null) => setMiniContainer(found), []);
  const { pathname } = useLocation();
  const [search] = useSearchParams();
  const inline = hasInlinePlayer(pathname) ? search.get('videoId') : null;
  return (
    <>
      {inline && (
        <Suspense fallback={<div className={styles.inline} />}>
          <InlinePlayer id={inline} />
        </Suspense>
      )}
      <div ref={ref} className={styles.mini} data-mini-player hidden={!isMini} />
      {hasVideo && (
        <Suspense>
          <Player />
        </Suspense>
      )}
    </>
  );
}
