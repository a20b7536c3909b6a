import { Trans } from '@lingui/react/macro';
import { useEffect } from 'react';
import { durationText } from '#web/format/numbers.ts';
import { seekSilently } from '../commands/actions.ts';
import { resumePosition } from './resume-position.ts';
import { useStoreValue } from '#web/ui/create-store.ts';
import styles from '../styles/notice.module.css';

const visibleMs = 12_000;
const dismiss = () => resumePosition.set({ at: null });

/** Notice that playback resumed at the saved position, with a button to start over. */
export function ResumeNotice({ element }: { element: HTMLVideoElement }) {
  const seconds = useStoreValue(resumePosition, ({ at }) => at);
  useEffect(() => {
    if (seconds === null) return;
    // The notice stays while the video is paused, as the user may have just come back.
    let timer: ReturnType<typeof setTimeout> | undefined;
    const startTimer = () => (timer ??= setTimeout(dismiss, visibleMs));
    if (!element.paused) startTimer();
    element.addEventListener('play', startTimer);
    return () => {
      clearTimeout(timer);
      element.removeEventListener('play', startTimer);
    };
  }, [seconds, element]);
  if (seconds === null) return null;
  const position = durationText(seconds);
  const startOver = () => {
    seekSilently(element, 0);
    dismiss();
  };
  return (
    <div className={styles.notice} role="status" data-interactive="">
      <span className="number">
        <Trans>Resumed at {position}.</Trans>
      </span>
      <button type="button" onClick={startOver}>
        <Trans>Start over</Trans>
      </button>
    </div>
  );
}
