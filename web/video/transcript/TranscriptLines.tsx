import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { IconChevronDown, IconChevronUp, IconSearch } from '@tabler/icons-react';
import { useDeferredValue, useEffect, useEffectEvent, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import type { Video } from '#contract/video.ts';
import { notesOfVideoQuery } from '#web/api/queries/note.ts';
import { seekTo } from '#web/player/state/player-store.ts';
import { clearTranscriptFocusRequest, useTranscriptFocusRequest } from '#web/player/state/transcript-focus.ts';
import { Button, IconButton } from '#web/ui/Button.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { findInLines, normalizeLines } from './find-in-lines.ts';
import { highlightedLines } from './highlighted-lines.ts';
import { SelectionBar } from './SelectionBar.tsx';
import { TranscriptLine } from './TranscriptLine.tsx';
import { useLineSelection } from './use-line-selection.ts';
import { useCurrentLine } from './use-transcript.ts';
import type { TranscriptCue } from './vtt.ts';
import styles from './Transcript.module.css';

const ClipDialog = lazyComponent(async () => (await import('#web/clip/ClipDialog.tsx')).ClipDialog);

interface Props {
  video: Video;
  lang: string;
  lines: TranscriptCue[];
}

/** Transcript lines. The current line is highlighted and kept in view until the user scrolls. */
export function TranscriptLines({ video, lang, lines }: Props) {
  const { t } = useLingui();
  const box = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const [follows, setFollows] = useState(true);
  const [words, setWords] = useState('');
  const deferredWords = useDeferredValue(words);
  const [at, setAt] = useState(0);
  const [clipped, setClipped] = useState<{ start: number; end: number } | null>(null);
  const now = useCurrentLine(lines);
  const folded = useMemo(() => normalizeLines(lines), [lines]);
  const hits = useMemo(() => findInLines(folded, deferredWords), [folded, deferredWords]);
  const hit = hits[at % Math.max(1, hits.length)];
  const hitsOf = useMemo(() => Map.groupBy(hits, ({ line }) => line), [hits]);
  const { data: notes } = useQuery(notesOfVideoQuery(video.youtube_id));
  const highlighted = useMemo(() => highlightedLines(lines, notes ?? []), [lines, notes]);
  const stopFollowing = () => setFollows(false);
  const bar = useRef<HTMLDivElement>(null);
  const { selection, range, isPressed, press, extend, focusLine, clear } = useLineSelection(box, {
    count: lines.length,
    initial: () => Math.max(0, now),
    onSelect: stopFollowing,
  });
  // oxlint-disable-next-line react/incompatible-library -- its functions change with the list and are not memoized
  const list = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => 44,
    overscan: 12,
    getItemKey: (index) => index,
    // The browser forgets a selection whose ends are removed.
    rangeExtractor: (visible) => {
      const indexes = defaultRangeExtractor(visible);
      return range ? [...new Set([...indexes, range.from, range.to])].toSorted((a, b) => a - b) : indexes;
    },
  });
  const show = useEffectEvent((index: number) => list.scrollToIndex(index, { align: 'center' }));
  useEffect(() => {
    if (follows && now >= 0) show(now);
  }, [follows, now]);
  const isFocusRequested = useTranscriptFocusRequest();
  useEffect(() => {
    if (!isFocusRequested) return;
    box.current?.focus();
    clearTranscriptFocusRequest();
  }, [isFocusRequested]);
  const line = hit?.line;
  useEffect(() => {
    if (line !== undefined) show(line);
  }, [line]);
  const goToHit = (step: 1 | -1) => {
    setFollows(false);
    setAt((index) => (index + step + hits.length) % Math.max(1, hits.length));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, shiftKey } = event;
    if (/^(Page|Arrow|Home|End)/.test(key)) stopFollowing();
    if (shiftKey && (key === 'ArrowDown' || key === 'ArrowUp')) {
      event.preventDefault();
      list.scrollToIndex(extend(key === 'ArrowDown' ? 1 : -1));
    } else if (key === 'Tab' && !shiftKey && range) {
      event.preventDefault();
      bar.current?.querySelector('button')?.focus();
    }
  };
  const onSeek = (seconds: number) => {
    clear();
    seekTo(seconds);
  };
  return (
    <>
      <div
        className={styles.body}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && selection) {
            event.preventDefault();
            focusLine(selection.focus);
            clear();
          }
          if (event.key !== 'f' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          search.current?.focus();
        }}
      >
        <div className={styles.search}>
          <label className={styles.field}>
            <IconSearch aria-hidden />
            <span className="hidden">
              <Trans>Search transcript</Trans>
            </span>
            <input
              ref={search}
              type="search"
              value={words}
              placeholder={t`Search transcript`}
              onChange={(event) => {
                setWords(event.target.value);
                setAt(0);
                if (event.target.value) setFollows(false);
              }}
              onKeyDown={(event) => {
                if (event.key === 'Enter') goToHit(event.shiftKey ? -1 : 1);
              }}
            />
          </label>
          {words.trim() !== '' && (
            <>
              <span className={`${styles.count} number`} role="status">
                {hits.length === 0 ? (
                  <Trans>No match in transcript</Trans>
                ) : (
                  <>
                    {(at % hits.length) + 1} / <Plural value={hits.length} one="#" other="#" />
                  </>
                )}
              </span>
              <IconButton label={t`Previous match`} disabled={hits.length === 0} onClick={() => goToHit(-1)}>
                <IconChevronUp aria-hidden />
              </IconButton>
              <IconButton label={t`Next match`} disabled={hits.length === 0} onClick={() => goToHit(1)}>
                <IconChevronDown aria-hidden />
              </IconButton>
            </>
          )}
        </div>
        <div
          ref={box}
          className={styles.lines}
          role="region"
          tabIndex={0}
          aria-label={t`Transcript lines`}
          onWheel={stopFollowing}
          onTouchMove={stopFollowing}
          onPointerDown={press}
          onKeyDown={onKeyDown}
        >
          <ol style={{ height: list.getTotalSize() }} lang={lang} dir="auto">
            {list.getVirtualItems().map(({ index, start, key }) => (
              <li key={key} ref={list.measureElement} data-index={index} style={{ translate: `0 ${start}px` }}>
                <TranscriptLine
                  video={video}
                  line={lines[index]!}
                  isNow={index === now}
                  isSelected={range !== null && index >= range.from && index <= range.to}
                  isHighlighted={highlighted.has(index)}
                  hits={hitsOf.get(index)}
                  hit={hit}
                  onSeek={onSeek}
                />
              </li>
            ))}
          </ol>
        </div>
        {range && !isPressed && (
          <SelectionBar
            ref={bar}
            video={video}
            lang={lang}
            lines={lines.slice(range.from, range.to + 1)}
            onKeyDown={(event) => {
              if (event.key !== 'Tab' || !event.shiftKey || event.target !== bar.current?.querySelector('button')) return;
              event.preventDefault();
              if (selection) focusLine(selection.focus);
            }}
            onClip={setClipped}
            onDone={() => {
              // The focused button disappears.
              if (selection && bar.current?.contains(document.activeElement)) focusLine(selection.focus);
              clear();
            }}
          />
        )}
        {!follows && !range && (
          <Button
            size="s"
            className={styles.follow}
            onClick={() => {
              setFollows(true);
              setWords('');
            }}
          >
            <Trans>Follow video</Trans>
          </Button>
        )}
      </div>
      {/* Outside, because Escape ends the selection there. */}
      {clipped && <ClipDialog video={video.youtube_id} range={clipped} onClose={() => setClipped(null)} />}
    </>
  );
}
