import { useLingui } from '@lingui/react/macro';
import { IconPlayerSkipBackFilled, IconPlayerSkipForwardFilled, IconX } from '@tabler/icons-react';
import { useEffect, useEffectEvent } from 'react';
import { useStoreValue } from '#web/ui/create-store.ts';
import { stopPosition } from '../state/stop-position.ts';
import { stopNoteSequence, useNoteSequence } from '../state/note-sequence.ts';
import { mediaElement } from '../state/player-store.ts';
import { playNote } from './play-note.ts';
import { useOpenVideo } from './use-neighbours.ts';
import notice from '../styles/notice.module.css';
import styles from './NoteSequence.module.css';

/** The notes that play in a row: which one plays, the next, the previous, and an end. */
export function NoteSequence({ isSmall }: { isSmall: boolean }) {
  const { t } = useLingui();
  const { items, at } = useNoteSequence((all) => all);
  const isReached = useStoreValue(stopPosition, (state) => state.isReached);
  const open = useOpenVideo();
  const goOn = useEffectEvent(() => void playNote(at + 1, open));
  useEffect(() => {
    if (isReached) goOn();
  }, [isReached]);
  const stop = () => {
    mediaElement()?.pause();
    stopPosition.set({ at: null });
    stopNoteSequence();
  };
  const item = items[at];
  if (!item) return null;
  const [number, count] = [at + 1, items.length];
  return (
    <section
      className={`${notice.badge} ${styles.bar} ${isSmall ? styles.small : ''}`}
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
      <button
        type="button"
        className={notice.close}
        aria-label={t`Previous note`}
        title={t`Previous note`}
        disabled={at === 0}
        onClick={() => void playNote(at - 1, open)}
      >
        <IconPlayerSkipBackFilled aria-hidden />
      </button>
      <button
        type="button"
        className={notice.close}
        aria-label={t`Next note`}
        title={t`Next note`}
        disabled={number === count}
        onClick={() => void playNote(at + 1, open)}
      >
        <IconPlayerSkipForwardFilled aria-hidden />
      </button>
      <button
        type="button"
        className={notice.close}
        aria-label={t`Stop playing notes`}
        title={t`Stop playing notes`}
        onClick={stop}
      >
        <IconX aria-hidden />
      </button>
    </section>
  );
}
