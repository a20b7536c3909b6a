import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import type { Video } from '#contract/video.ts';
import { addressOf } from '#web/api/call.ts';
import { seekSilently } from '../commands/actions.ts';
import { usePreferences } from '../state/player-preferences.ts';
import { usePlayer } from '../state/videojs.ts';
import { usePlayQueue } from './queue.ts';
import { useNoteSequence } from '../state/note-sequence.ts';
import { usePlayerStore } from '../state/player-store.ts';
import { AutoplayDelay } from './AutoplayDelay.tsx';
import { useNextAndPrevious, useOpenVideo, type Neighbour } from './use-neighbours.ts';
import styles from './UpNext.module.css';

/** Number of automatic videos without user input after which the player asks whether anyone is watching. */
const unattendedLimit = 4;

// Videos played automatically since the last input.
let unattendedCount = 0;
const resetUnattended = () => void (unattendedCount = 0);

function Card({ next }: { next: Neighbour }) {
  const { t } = useLingui();
  const goTo = useOpenVideo();
  const asksIfWatching = unattendedCount >= unattendedLimit;
  const wait = usePreferences(({ upNextSeconds }) => upNextSeconds);
  const isSmall = usePlayerStore(({ isMini }) => isMini);
  const [left, setLeft] = useState<number>(wait);
  const [isStopped, setIsStopped] = useState(asksIfWatching || wait === 0);
  useEffect(() => {
    if (isStopped) return;
    const timer = setInterval(() => setLeft((seconds) => seconds - 1), 1000);
    return () => clearInterval(timer);
  }, [isStopped]);
  const isDue = left <= 0 && !isStopped;
  useEffect(() => {
    if (!isDue) return;
    unattendedCount++;
    void goTo(next.id);
    // oxlint-disable-next-line react-hooks/exhaustive-deps, react/exhaustive-effect-dependencies -- once, when it is due
  }, [isDue]);
  const go = () => {
    resetUnattended();
    void goTo(next.id);
  };
  return (
    <section className={styles.card} aria-label={t`Next video`} data-interactive="">
      {/* The countdown is not announced every second. */}
      <p className="hidden" role="status">
        {!isStopped && (
          <Trans>
            {next.title} plays in {wait} s.
          </Trans>
        )}
      </p>
      <p className={styles.countdown} role="status" aria-hidden={!isStopped}>
        {asksIfWatching ? (
          <Trans>Are you still watching?</Trans>
        ) : isStopped ? (
          <Trans>Next</Trans>
        ) : (
          <Trans>Next in {left} s</Trans>
        )}
      </p>
      <img src={addressOf(next.thumbnail)} alt="" width={160} height={90} />
      <p className={styles.title}>
        <bdi>{next.title}</bdi>
        {next.from !== null && <bdi>{next.from}</bdi>}
      </p>
      <div className={styles.actions}>
        {!isStopped && (
          <button type="button" onClick={() => setIsStopped(true)}>
            <Trans>Cancel</Trans>
          </button>
        )}
        <button type="button" className={styles.play} onClick={go} aria-label={t`Play ${next.title} now`}>
          <Trans>Play now</Trans>
        </button>
      </div>
      {!asksIfWatching && !isSmall && (
        <AutoplayDelay
          onChange={(seconds) => {
            setLeft(seconds);
            setIsStopped(seconds === 0);
          }}
        />
      )}
    </section>
  );
}

/** Card at the end of a video: the next video, its countdown, and a button to cancel. */
export function UpNext({ video, element }: { video: Video; element: HTMLVideoElement }) {
  const hasEnded = usePlayer(({ ended }) => ended);
  const repeat = usePlayQueue((queue) => queue.repeat);
  const isSequence = useNoteSequence(({ items }) => items.length > 0);
  const { next, playsAutomatically } = useNextAndPrevious(video);
  useEffect(() => {
    for (const event of ['pointerdown', 'keydown']) document.addEventListener(event, resetUnattended);
    return () => {
      for (const event of ['pointerdown', 'keydown']) document.removeEventListener(event, resetUnattended);
    };
  }, []);
  useEffect(() => {
    if (!hasEnded || repeat !== 'one' || isSequence) return;
    seekSilently(element, 0);
    void element.play().catch(() => {}); // playback stays at the start if autoplay is blocked
  }, [hasEnded, repeat, isSequence, element]);
  if (!hasEnded || repeat === 'one' || !next || !playsAutomatically) return null;
  return <Card next={next} />;
}
