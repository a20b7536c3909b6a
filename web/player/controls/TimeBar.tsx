import { useLingui } from '@lingui/react/macro';
import { TimeSlider } from '@videojs/react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState, type CSSProperties } from 'react';
import type { Video } from '#contract/video.ts';
import { notesOfVideoQuery } from '#web/api/queries/note.ts';
import { durationText } from '#web/format/numbers.ts';
import { PreviewPicture } from '#web/storyboard/PreviewPicture.tsx';
import { loadStoryboard, previewAt, type Preview } from '#web/storyboard/storyboard.ts';
import { usePreferences } from '../state/player-preferences.ts';
import { usePlayer } from '../state/videojs.ts';
import { loop } from '../playback/loop.ts';
import { segmentKind } from '../segments/segment-names.ts';
import { segmentsOf, type Segment } from '../segments/segments.ts';
import { useStoreValue } from '#web/ui/create-store.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import styles from './TimeBar.module.css';

const NoteMarks = lazyComponent(async () => (await import('./NoteMarks.tsx')).NoteMarks, 'optional');

/** Storyboard of a video; empty until it is loaded. */
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

/** Preview, chapter and segment at the pointer's position. */
function PointerPreview({ seconds, video, segments, previews }: PointedProps) {
  const { t } = useLingui();
  const preview = previewAt(previews, seconds);
  const chapter = video.chapters.length > 1 ? video.chapters.findLast(({ start }) => start <= seconds) : undefined;
  const segment = segments.find(({ start, end }) => start <= seconds && seconds < end);
  return (
    <>
      {preview && <PreviewPicture preview={preview} className={styles.tile} />}
      <span className={styles.text}>
        {segment && <span>{t(segmentKind(segment.category).name)}</span>}
        {chapter && <bdi>{chapter.title}</bdi>}
        <span className="number">{durationText(seconds)}</span>
      </span>
    </>
  );
}

/** Escape hides the preview until the pointer has left the bar (WCAG 1.4.13). */
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

/** Time bar with chapters, segments, loop, notes and previews. */
export function TimeBar({ video }: { video: Video }) {
  const { t } = useLingui();
  const known = usePlayer(({ duration }) => duration);
  const length = Number.isFinite(known) && known > 0 ? known : Math.max(1, video.player.duration);
  const skips = usePreferences((state) => state.skips);
  const segments = useMemo(() => segmentsOf(video, skips), [video, skips]);
  const previews = usePreviews(video);
  const { data: notes } = useQuery(notesOfVideoQuery(video.youtube_id));
  const { from, to } = useStoreValue(loop, (value) => value);
  const { slider, isDismissed, forget } = useDismissed();
  return (
    <div className={styles.bar}>
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
              {!isDismissed && <PointerPreview seconds={(pointerPercent / 100) * length} {...{ video, segments, previews }} />}
            </div>
          )}
        />
      </TimeSlider.Root>
      {notes && notes.length > 0 && <NoteMarks notes={notes} length={length} />}
    </div>
  );
}
