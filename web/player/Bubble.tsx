import { said } from './said.ts';
import { usePart } from './store.ts';
import styles from './Bubble.module.css';

/** What a key did: for a moment on the picture, and read out once. */
export function Bubble() {
  const { text, turn } = usePart(said, (value) => value);
  return (
    <>
      {turn > 0 && (
        <div key={turn} className={styles.bubble} aria-hidden>
          <bdi>{text}</bdi>
        </div>
      )}
      <div className="hidden" role="status" aria-live="polite">
        <span key={turn}>{text}</span>
      </div>
    </>
  );
}
