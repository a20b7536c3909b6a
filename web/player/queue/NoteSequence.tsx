import { useLingui } from '@lingui/react/macro';
import { IconPlayerSkipBackFilled, IconPlayerSkipForwardFilled, IconX } from '@tabler/icons-react';
import { useEffect, useEffectEvent } from 'react';
import { stopNoteSequence, useNoteSequence } from '../state/note-sequence.ts';
import styles from './NoteSequence.module.css';

interface Props {
  className: string | undefined;
  isSmall: boolean;
  /** The end of the note that plays is reached. */
  isReached: boolean;
  onStop(): void;
  onNext(): void;
  onPrevious(): void;
}

/** The notes that play in a row: which one plays, the next, the previous, and an end. */
export function NoteSequence({ className, isSmall, isReached, onStop, onNext, onPrevious }: Props) {
  const { t } = useLingui();
  const { items, at } = useNoteSequence((all) => all);
  const goOn = useEffectEvent(() => (at + 1 < items.length ? onNext() : stopNoteSequence()));
  useEffect(() => {
    if (isReached) goOn();
  }, [isReached]);
  const item = items[at];
  if (!item) return null;
  const [number, count] = [at + 1, items.length];
  return (
    <section
      className={`${className} ${styles.bar} ${isSmall ? styles.small : ''}`}
      aria-label={t`Notes in a row`}
      data-interactive=""
    >
      <span className="number" role="status">
        {t`Note ${number} of ${count}`}
      </span>
      {!isSmall && (
        <span className={styles.text} dir="auto">
          {item.text}
        </span>
      )}
      <button type="button" aria-label={t`Previous note`} title={t`Previous note`} disabled={at === 0} onClick={onPrevious}>
        <IconPlayerSkipBackFilled aria-hidden />
      </button>
      <button type="button" aria-label={t`Next note`} title={t`Next note`} disabled={number === count} onClick={onNext}>
        <IconPlayerSkipForwardFilled aria-hidden />
      </button>
      <button type="button" aria-label={t`Stop playing notes`} title={t`Stop playing notes`} onClick={onStop}>
        <IconX aria-hidden />
      </button>
    </section>
  );
}
