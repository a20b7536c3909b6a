import { useCallback } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { hasInlinePlayer } from './inline-pages.ts';
import { setMiniContainer, usePlayerStore } from './state/player-store.ts';
import styles from './PersistentPlayer.module.css';

// The player is as large as the rest of the app, so it is loaded with the first video.
const Player = lazyComponent(async () => (await import('./Player.tsx')).Player);

const InlinePlayer = lazyComponent(async () => (await import('./InlinePlayer.tsx')).InlinePlayer);

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
      {inline && <InlinePlayer id={inline} fallback={<div className={styles.inline} />} />}
      <div ref={ref} className={styles.mini} data-mini-player hidden={!isMini} />
      {hasVideo && <Player />}
    </>
  );
}
