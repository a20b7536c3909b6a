import { useState } from 'react';
import { said } from './said.ts';
import { usePart } from './store.ts';
import styles from './Bubble.module.css';

/** What a key did: for a moment on the picture, and read out once. */
export function Bubble() {
  const { text, turn } = usePart(said, (value) => value);
  // Where a player that is moved is put in anew, as in Safari, what has passed would pass again.
  const [passed, setPassed] = useState(0);
  return (
    <>
      {turn > passed && (
        <div key={turn} className={styles.bubble} aria-hidden onAnimationEnd={() => setPassed(turn)}>
          <bdi>{text}</bdi>
        </div>
      )}
      <div className="hidden" role="status" aria-live="polite">
        <span key={turn}>{text}</span>
      </div>
    </>
  );
}
