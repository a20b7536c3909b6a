import { Trans } from '@lingui/react/macro';
import { useEffect } from 'react';
import { durationText } from '#web/format/numbers.ts';
import { jump } from './actions.ts';
import { resumed } from './begin.ts';
import { usePart } from './store.ts';
import styles from './notice.module.css';

const shownMs = 12_000;
const dismiss = () => resumed.set({ at: null });

/** Says that a video goes on where the person stopped, and offers its beginning. */
export function StartNotice({ element }: { element: HTMLVideoElement }) {
  const seconds = usePart(resumed, ({ at }) => at);
  useEffect(() => {
    if (seconds === null) return;
    // It stays while nothing plays: somebody may only be coming back.
    let timer: ReturnType<typeof setTimeout> | undefined;
    const begin = () => (timer ??= setTimeout(dismiss, shownMs));
    if (!element.paused) begin();
    element.addEventListener('play', begin);
    return () => {
      clearTimeout(timer);
      element.removeEventListener('play', begin);
    };
  }, [seconds, element]);
  if (seconds === null) return null;
  const place = durationText(seconds);
  const startOver = () => {
    jump(element, 0);
    dismiss();
  };
  return (
    <div className={styles.notice} role="status" data-interactive="">
      <span className="number">
        <Trans>Going on at {place}.</Trans>
      </span>
      <button type="button" onClick={startOver}>
        <Trans>Start over</Trans>
      </button>
    </div>
  );
}
