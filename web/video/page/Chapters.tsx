import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Chapter } from '#contract/video.ts';
import { durationText } from '#web/format/numbers.ts';
import styles from './Chapters.module.css';

interface Props {
  chapters: Chapter[];
  onSeek(seconds: number): void;
  /** Shown below the heading. */
  note?: ReactNode;
}

/** Chapters of a video; a click seeks. */
export function Chapters({ chapters, onSeek, note }: Props) {
  if (chapters.length < 2) return null;
  return (
    <section aria-labelledby="chapters">
      <h2 id="chapters" className={styles.heading}>
        <Trans>Chapters</Trans>
      </h2>
      {note}
      <ol className={styles.chapters}>
        {chapters.map(({ title, start }) => (
          <li key={`${start} ${title}`}>
            <button type="button" onClick={() => onSeek(start)}>
              <span className="number">{durationText(start)}</span>
              <bdi>{title}</bdi>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
