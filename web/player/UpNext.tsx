import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import type { Video } from '#contract/video.ts';
import { addressOf } from '#web/api/call.ts';
import { jump } from './actions.ts';
import { useChoices } from './choices.ts';
import { usePlayer } from './engine.ts';
import { usePlayQueue } from './queue.ts';
import { useStage } from './stage.ts';
import { UpNextWait } from './UpNextWait.tsx';
import { useBeside, useGoTo, type Beside } from './use-neighbours.ts';
import styles from './UpNext.module.css';

/** After so many that nobody asked for, it is asked whether somebody is there. */
const mostUnasked = 4;

// How many have followed each other while nobody touched anything.
let unasked = 0;
const noteSomebody = () => void (unasked = 0);

function Card({ next }: { next: Beside }) {
  const { t } = useLingui();
  const goTo = useGoTo();
  const isAsked = unasked >= mostUnasked;
  const wait = useChoices(({ upNextSeconds }) => upNextSeconds);
  const isSmall = useStage(({ isInCorner }) => isInCorner);
  const [left, setLeft] = useState<number>(wait);
  const [isStopped, setIsStopped] = useState(isAsked || wait === 0);
  useEffect(() => {
    if (isStopped) return;
    const timer = setInterval(() => setLeft((seconds) => seconds - 1), 1000);
    return () => clearInterval(timer);
  }, [isStopped]);
  const isDue = left <= 0 && !isStopped;
  useEffect(() => {
    if (!isDue) return;
    unasked++;
    void goTo(next.id);
    // oxlint-disable-next-line react-hooks/exhaustive-deps, react/exhaustive-effect-dependencies -- once, when it is due
  }, [isDue]);
  const go = () => {
    noteSomebody();
    void goTo(next.id);
  };
  return (
    <section className={styles.card} aria-label={t`Next video`} data-interactive="">
      {/* What is counted is not read out second by second. */}
      <p className="hidden" role="status">
        {!isStopped && (
          <Trans>
            {next.title} follows in {wait} s.
          </Trans>
        )}
      </p>
      <p className={styles.when} role="status" aria-hidden={!isStopped}>
        {isAsked ? <Trans>Are you still watching?</Trans> : isStopped ? <Trans>Next</Trans> : <Trans>Next in {left} s</Trans>}
      </p>
      <img src={addressOf(next.thumbnail)} alt="" width={160} height={90} />
      <p className={styles.title}>
        <bdi>{next.title}</bdi>
        {next.from !== null && <bdi>{next.from}</bdi>}
      </p>
      <div className={styles.acts}>
        {!isStopped && (
          <button type="button" onClick={() => setIsStopped(true)}>
            <Trans>Cancel</Trans>
          </button>
        )}
        <button type="button" className={styles.go} onClick={go} aria-label={t`Play ${next.title} now`}>
          <Trans>Play now</Trans>
        </button>
      </div>
      {!isAsked && !isSmall && (
        <UpNextWait
          onChange={(seconds) => {
            setLeft(seconds);
            setIsStopped(seconds === 0);
          }}
        />
      )}
    </section>
  );
}

/** At the end of a video: what comes, when it comes, and a way to say no. */
export function UpNext({ video, element }: { video: Video; element: HTMLVideoElement }) {
  const hasEnded = usePlayer(({ ended }) => ended);
  const repeat = usePlayQueue((queue) => queue.repeat);
  const { next, isByItself } = useBeside(video);
  useEffect(() => {
    for (const event of ['pointerdown', 'keydown']) document.addEventListener(event, noteSomebody);
    return () => {
      for (const event of ['pointerdown', 'keydown']) document.removeEventListener(event, noteSomebody);
    };
  }, []);
  useEffect(() => {
    if (!hasEnded || repeat !== 'one') return;
    jump(element, 0);
    void element.play().catch(() => {}); // it stays at its beginning, to be played by hand
  }, [hasEnded, repeat, element]);
  if (!hasEnded || repeat === 'one' || !next || !isByItself) return null;
  return <Card next={next} />;
}
