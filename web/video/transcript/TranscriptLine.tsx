import { Trans, useLingui } from '@lingui/react/macro';
import { IconLink } from '@tabler/icons-react';
import type { KeyboardEvent } from 'react';
import type { Video } from '#contract/video.ts';
import { durationText } from '#web/format/numbers.ts';
import { linkAt } from '#web/player/commands/actions.ts';
import { useCopy } from '#web/ui/copy.ts';
import type { Hit } from './find-in-lines.ts';
import type { TranscriptCue } from './vtt.ts';
import styles from './Transcript.module.css';

interface Props {
  video: Video;
  line: TranscriptCue;
  isNow: boolean;
  isSelected: boolean;
  isHighlighted: boolean;
  hits: Hit[] | undefined;
  /** The current match of the search. */
  hit: Hit | undefined;
  onSeek(seconds: number): void;
}

/** Text with its matches highlighted. */
function Marked({ text, hits, hit }: { text: string; hits: Hit[]; hit: Hit | undefined }) {
  const ends = [0, ...hits.map(({ to }) => to)];
  return (
    <>
      {hits.map((one, index) => (
        <span key={one.from}>
          {text.slice(ends[index], one.from)}
          <mark className={one === hit ? styles.currentMatch : undefined}>{text.slice(one.from, one.to)}</mark>
        </span>
      ))}
      {text.slice(ends.at(-1))}
    </>
  );
}

/** One line: a click seeks; the second button copies it with a link. */
export function TranscriptLine({ video, line: { start, text }, isNow, isSelected, isHighlighted, hits, hit, onSeek }: Props) {
  const { t } = useLingui();
  const copy = useCopy();
  return (
    <div
      className={`${styles.line} ${isNow ? styles.current : ''} ${isSelected ? styles.selected : ''} ${isHighlighted ? styles.highlighted : ''}`}
      aria-current={isNow || undefined}
    >
      {/* The text of a button element cannot be selected. */}
      <div
        role="button"
        tabIndex={0}
        className={styles.seek}
        onClick={() => getSelection()?.isCollapsed !== false && onSeek(start)}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key !== 'Enter' && event.key !== ' ') return;
          event.preventDefault();
          onSeek(start);
        }}
      >
        <span className="number">{durationText(start)}</span>
        <bdi>{hits ? <Marked text={text} hits={hits} hit={hit} /> : text}</bdi>
        {isHighlighted && (
          <span className="hidden">
            <Trans>Highlighted</Trans>
          </span>
        )}
      </div>
      <button
        type="button"
        className={styles.copy}
        aria-label={t`Copy line with link`}
        title={t`Copy`}
        onClick={() => void copy(`${text}\n${linkAt(video, start)}`, t`Line and link copied.`)}
      >
        <IconLink aria-hidden />
      </button>
    </div>
  );
}
