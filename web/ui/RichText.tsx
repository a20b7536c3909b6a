import { Trans } from '@lingui/react/macro';
import { Fragment, useMemo, useState, type ReactNode } from 'react';
import { Button } from '#web/ui/Button.tsx';
import { parseRichText } from './rich-text.ts';
import styles from './RichText.module.css';

interface Props {
  text: string;
  durationSeconds: number;
  onSeek(seconds: number): void;
  /** Texts with more lines start collapsed. */
  foldAfter?: number;
  /** Renders the plain parts and the texts of links, for example with marks. */
  renderText?: (text: string) => ReactNode;
}

type PiecesProps = Pick<Props, 'text' | 'durationSeconds' | 'onSeek' | 'renderText'>;

/** Text whose addresses are links and whose times are buttons. */
export function RichPieces({ text, durationSeconds, onSeek, renderText = (plain) => plain }: PiecesProps) {
  const pieces = useMemo(() => parseRichText(text, durationSeconds), [text, durationSeconds]);
  return pieces.map((piece, index) => {
    if ('href' in piece)
      return (
        <a key={index} href={piece.href} target="_blank" rel="noopener noreferrer nofollow">
          {renderText(piece.text)}
        </a>
      );
    if ('seconds' in piece)
      return (
        <button key={index} type="button" className="number" onClick={() => onSeek(piece.seconds)}>
          {piece.text}
        </button>
      );
    return <Fragment key={index}>{renderText(piece.text)}</Fragment>;
  });
}

/** Long texts start collapsed, with a button to expand them. */
export function useFold(isLong: boolean) {
  const [isOpen, setIsOpen] = useState(false);
  return {
    isFolded: isLong && !isOpen,
    button: isLong && (
      <Button kind="quiet" size="s" className={styles.more} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {isOpen ? <Trans>Show less</Trans> : <Trans>Show more</Trans>}
      </Button>
    ),
  };
}

/** Untrusted text with clickable links and timestamps; never rendered as HTML. */
export function RichText({ text, durationSeconds, onSeek, foldAfter, renderText }: Props) {
  const isLong = foldAfter !== undefined && (text.split('\n').length > foldAfter || text.length > foldAfter * 90);
  const { isFolded, button } = useFold(isLong);
  // Blank lines are removed while collapsed, so that the ellipsis never has its own line.
  const visibleText = isFolded ? text.replace(/\n\s*\n/g, '\n') : text;
  return (
    <>
      <p className={`${styles.text} ${isFolded ? styles.folded : ''}`} dir="auto">
        <RichPieces text={visibleText} {...{ durationSeconds, onSeek }} {...(renderText && { renderText })} />
      </p>
      {button}
    </>
  );
}
