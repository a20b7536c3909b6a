import { lazy, Suspense, useCallback } from 'react';
import { InlinePlayer } from './InlinePlayer.tsx';
import { setCorner, useStage } from './stage.ts';
import styles from './StandingPlayer.module.css';

// The player weighs as much as the rest of the app, and is only needed when something is shown.
const Player = lazy(async () => ({ default: (await import('./Player.tsx')).Player }));

/** What plays stands above the pages: it goes on when they change. */
export function StandingPlayer() {
  const hasVideo = useStage((stage) => stage.video !== null);
  const isInCorner = useStage((stage) => stage.isInCorner);
  const ref = useCallback((found: HTMLDivElement | null) => setCorner(found), []);
  return (
    <>
      <InlinePlayer />
      <div ref={ref} className={styles.corner} hidden={!isInCorner} />
      {hasVideo && (
        <Suspense>
          <Player />
        </Suspense>
      )}
    </>
  );
}
