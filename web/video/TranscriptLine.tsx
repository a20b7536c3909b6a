import { useLingui } from '@lingui/react/macro';
import { IconLink } from '@tabler/icons-react';
import type { Video } from '#contract/video.ts';
import { durationText } from '#web/format/numbers.ts';
import { linkAt } from '#web/player/actions.ts';
import { useCopy } from '#web/ui/copy.ts';
import type { Hit } from './find-in-lines.ts';
import type { SpokenLine } from './vtt.ts';
import styles from './Transcript.module.css';

interface Props {
  video: Video;
  line: SpokenLine;
  isNow: boolean;
  hits: Hit[] | undefined;
  /** The one that is looked at. */
  hit: Hit | undefined;
  onSeek(seconds: number): void;
}

/** A text with what was found in it marked. */
function Marked({ text, hits, hit }: { text: string; hits: Hit[]; hit: Hit | undefined }) {
  const ends = [0, ...hits.map(({ to }) => to)];
  return (
    <>
      {hits.map((one, place) => (
        <span key={one.from}>
          {text.slice(ends[place], one.from)}
          <mark className={one === hit ? styles.here : undefined}>{text.slice(one.from, one.to)}</mark>
        </span>
      ))}
      {text.slice(ends.at(-1))}
    </>
  );
}

/** One line: a click plays it, and a smaller one copies it with its place. */
export function TranscriptLine({ video, line: { start, text }, isNow, hits, hit, onSeek }: Props) {
  const { t } = useLingui();
  const copy = useCopy();
  return (
    <div className={`${styles.line} ${isNow ? styles.now : ''}`} aria-current={isNow || undefined}>
      <button type="button" className={styles.seek} onClick={() => onSeek(start)}>
        <span className="number">{durationText(start)}</span>
        <bdi>{hits ? <Marked text={text} hits={hits} hit={hit} /> : text}</bdi>
      </button>
      <button
        type="button"
        className={styles.copy}
        aria-label={t`Copy this line and its link`}
        title={t`Copy`}
        onClick={() => void copy(`${text}\n${linkAt(video, start)}`, t`The line is copied, with its link.`)}
      >
        <IconLink aria-hidden />
      </button>
    </div>
  );
}
