import { useState } from 'react';
import { statusMessage } from '../state/status-message.ts';
import { useStoreValue } from '#web/ui/create-store.ts';
import styles from './StatusToast.module.css';

/** Status message of a command: shown briefly, and announced once by screen readers. */
export function StatusToast() {
  const { text, count: turn } = useStoreValue(statusMessage, (value) => value);
  // Safari restarts animations when the player is moved in the DOM, so messages that have ended are remembered.
  const [passed, setPassed] = useState(0);
  return (
    <>
      {turn > passed && (
        <div key={turn} className={styles.toast} aria-hidden onAnimationEnd={() => setPassed(turn)}>
          <bdi>{text}</bdi>
        </div>
      )}
      <div className="hidden" role="status" aria-live="polite">
        <span key={turn}>{text}</span>
      </div>
    </>
  );
}
