import { Trans } from '@lingui/react/macro';
import type { Chapter } from '#contract/video.ts';
import { durationText } from '#web/format/numbers.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import styles from './Chapters.module.css';

const GeneratedNote = lazyComponent(async () => (await import('./GeneratedNote.tsx')).GeneratedNote, 'optional');

/** Chapters of a video; a click seeks. */
export function Chapters({ chapters, onSeek }: { chapters: Chapter[]; onSeek(seconds: number): void }) {
  if (chapters.length < 2) return null;
  return (
    <section aria-labelledby="chapters">
      <h2 id="chapters" className={styles.heading}>
        <Trans>Chapters</Trans>
      </h2>
      {chapters[0]!.is_generated && <GeneratedNote />}
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
