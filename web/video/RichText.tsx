import { Trans } from '@lingui/react/macro';
import { useMemo, useState } from 'react';
import { Button } from '#web/ui/Button.tsx';
import { piecesOf } from './rich-text.ts';
import styles from './RichText.module.css';

interface Props {
  text: string;
  durationSeconds: number;
  onSeek(seconds: number): void;
  /** Longer than this many lines begins folded. */
  foldAfter?: number;
}

/** A stranger's text, with its links and times to click; never anything but text. */
export function RichText({ text, durationSeconds, onSeek, foldAfter }: Props) {
  const isLong = foldAfter !== undefined && (text.split('\n').length > foldAfter || text.length > foldAfter * 90);
  const [isOpen, setIsOpen] = useState(false);
  const isFolded = isLong && !isOpen;
  // Folded, its few lines all have words: else the sign that more follows may stand alone.
  const shown = isFolded ? text.replace(/\n\s*\n/g, '\n') : text;
  const pieces = useMemo(() => piecesOf(shown, durationSeconds), [shown, durationSeconds]);
  return (
    <>
      <p className={`${styles.text} ${isFolded ? styles.folded : ''}`} dir="auto">
        {pieces.map((piece, place) => {
          if ('href' in piece)
            return (
              <a key={place} href={piece.href} target="_blank" rel="noopener noreferrer nofollow">
                {piece.text}
              </a>
            );
          if ('seconds' in piece)
            return (
              <button key={place} type="button" className="number" onClick={() => onSeek(piece.seconds)}>
                {piece.text}
              </button>
            );
          return piece.text;
        })}
      </p>
      {isLong && (
        <Button kind="quiet" size="s" className={styles.more} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? <Trans>Show less</Trans> : <Trans>Show more</Trans>}
        </Button>
      )}
    </>
  );
}
