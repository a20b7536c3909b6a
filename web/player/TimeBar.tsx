import { useLingui } from '@lingui/react/macro';
import { TimeSlider } from '@videojs/react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState, type CSSProperties } from 'react';
import type { Video } from '#contract/video.ts';
import { durationText } from '#web/format/numbers.ts';
import { PreviewPicture } from '#web/video/PreviewPicture.tsx';
import { loadStoryboard, previewAt, type Preview } from '#web/video/storyboard.ts';
import { useChoices } from './choices.ts';
import { usePlayer } from './engine.ts';
import { loop } from './loop.ts';
import { segmentKind } from './segment-names.ts';
import { segmentsOf, type Segment } from './segments.ts';
import { usePart } from './store.ts';
import styles from './TimeBar.module.css';

/** The previews of a video; none until they are there. */
const usePreviews = ({ storyboard_url: url }: Video): Preview[] =>
  useQuery({
    queryKey: ['storyboard', url],
    queryFn: () => loadStoryboard(url!),
    enabled: url !== null,
    staleTime: Number.POSITIVE_INFINITY,
  }).data ?? [];

const share = (seconds: number, length: number) => `${(100 * Math.max(0, Math.min(seconds, length))) / length}%`;
const between = (from: number, to: number, length: number): CSSProperties => ({
  left: share(from, length),
  width: share(to - from, length),
});

interface PointedProps {
  seconds: number;
  video: Video;
  segments: Segment[];
  previews: Preview[];
}

/** What is at the second that is pointed at. */
function Pointed({ seconds, video, segments, previews }: PointedProps) {
  const { t } = useLingui();
  const preview = previewAt(previews, seconds);
  const chapter = video.chapters.length > 1 ? video.chapters.findLast(({ start }) => start <= seconds) : undefined;
  const segment = segments.find(({ start, end }) => start <= seconds && seconds < end);
  return (
    <>
      {preview && <PreviewPicture preview={preview} className={styles.tile} />}
      <span className={styles.words}>
        {segment && <span>{t(segmentKind(segment.category).name)}</span>}
        {chapter && <bdi>{chapter.title}</bdi>}
        <span className="number">{durationText(seconds)}</span>
      </span>
    </>
  );
}

/** Escape takes away what is shown along the pointer, which need not move for it; until it has been elsewhere. */
function useDismissed() {
  const slider = useRef<HTMLDivElement>(null);
  const [isDismissed, setIsDismissed] = useState(false);
  useEffect(() => {
    const dismiss = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || isDismissed || !slider.current?.matches('[data-pointing]')) return;
      event.stopImmediatePropagation();
      setIsDismissed(true);
    };
    addEventListener('keydown', dismiss, { capture: true });
    return () => removeEventListener('keydown', dismiss, { capture: true });
  }, [isDismissed]);
  return { slider, isDismissed, forget: () => setIsDismissed(false) };
}

/** How far it is: chapters, what is left out, the loop; with previews where it is pointed at. */
export function TimeBar({ video }: { video: Video }) {
  const { t } = useLingui();
  const known = usePlayer(({ duration }) => duration);
  const length = Number.isFinite(known) && known > 0 ? known : Math.max(1, video.player.duration);
  const skips = useChoices((choices) => choices.skips);
  const segments = useMemo(() => segmentsOf(video, skips), [video, skips]);
  const previews = usePreviews(video);
  const { from, to } = usePart(loop, (value) => value);
  const { slider, isDismissed, forget } = useDismissed();
  return (
    <TimeSlider.Root ref={slider} onPointerLeave={forget} className={styles.slider} step={5} largeStep={60} label={t`Seek`}>
      <TimeSlider.Track className={styles.track}>
        <TimeSlider.Buffer className={styles.buffer} />
        <TimeSlider.Fill className={styles.fill} />
        {segments.map(({ id, category, start, end }) => (
          <span
            key={id}
            className={styles.segment}
            data-segment={category}
            style={{ ...between(start, end, length), background: segmentKind(category).colour }}
          />
        ))}
        {video.chapters.slice(1).map(({ start }) => (
          <span key={start} className={styles.cut} style={{ left: share(start, length) }} />
        ))}
        {from !== null && <span className={styles.loop} style={between(from, to ?? from + 0.2, length)} />}
      </TimeSlider.Track>
      <TimeSlider.Thumb className={styles.thumb} />
      <TimeSlider.Preview
        className={styles.preview}
        render={(props, { pointerPercent }) => (
          <div {...props}>
            {!isDismissed && <Pointed seconds={(pointerPercent / 100) * length} {...{ video, segments, previews }} />}
          </div>
        )}
      />
    </TimeSlider.Root>
  );
}
