import { lazy, Suspense, useCallback } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { setCorner, useStage } from './stage.ts';
import styles from './StandingPlayer.module.css';

// The player weighs as much as the rest of the app, and is only needed when something is shown.
const Player = lazy(async () => ({ default: (await import('./Player.tsx')).Player }));

const InlinePlayer = lazy(async () => ({ default: (await import('./InlinePlayer.tsx')).InlinePlayer }));

// Pages that play a video without leaving them; which one stands in the address: ?videoId=…
const pages = /^\/(search\/?|playlist\/[^/]+\/?)?$/;

/** What plays stands above the pages: it goes on when they change. */
export function StandingPlayer() {
  const hasVideo = useStage((stage) => stage.video !== null);
  const isInCorner = useStage((stage) => stage.isInCorner);
  const ref = useCallback((found: HTMLDivElement | null) => setCorner(found), []);
  const { pathname } = useLocation();
  const [search] = useSearchParams();
  const inline = pages.test(pathname) ? search.get('videoId') : null;
  return (
    <>
      {inline && (
        <Suspense>
          <InlinePlayer id={inline} />
        </Suspense>
      )}
      <div ref={ref} className={styles.corner} hidden={!isInCorner} />
      {hasVideo && (
        <Suspense>
          <Player />
        </Suspense>
      )}
    </>
  );
}
