import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useVirtualizer } from '@tanstack/react-virtual';
import { IconChevronDown, IconChevronUp, IconSearch } from '@tabler/icons-react';
import { useDeferredValue, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { Video } from '#contract/video.ts';
import { seekTo } from '#web/player/state/player-store.ts';
import { clearTranscriptFocusRequest, useTranscriptFocusRequest } from '#web/player/state/transcript-focus.ts';
import { Button, IconButton } from '#web/ui/Button.tsx';
import { findInLines, normalizeLines } from './find-in-lines.ts';
import { TranscriptLine } from './TranscriptLine.tsx';
import { useCurrentLine } from './use-transcript.ts';
import type { TranscriptCue } from './vtt.ts';
import styles from './Transcript.module.css';

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
  const now = useCurrentLine(lines);
  const folded = useMemo(() => normalizeLines(lines), [lines]);
  const hits = useMemo(() => findInLines(folded, deferredWords), [folded, deferredWords]);
  const hit = hits[at % Math.max(1, hits.length)];
  const hitsOf = useMemo(() => Map.groupBy(hits, ({ line }) => line), [hits]);
  // oxlint-disable-next-line react/incompatible-library -- its functions change with the list and are not memoized
  const list = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => 44,
    overscan: 12,
    getItemKey: (index) => index,
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
  const stopFollowing = () => setFollows(false);
  return (
    <div
      className={styles.body}
      onKeyDown={(event) => {
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
        onKeyDown={({ key }) => /^(Page|Arrow|Home|End)/.test(key) && stopFollowing()}
      >
        <ol style={{ height: list.getTotalSize() }} lang={lang} dir="auto">
          {list.getVirtualItems().map(({ index, start, key }) => (
            <li key={key} ref={list.measureElement} data-index={index} style={{ translate: `0 ${start}px` }}>
              <TranscriptLine
                video={video}
                line={lines[index]!}
                isNow={index === now}
                hits={hitsOf.get(index)}
                hit={hit}
                onSeek={seekTo}
              />
            </li>
          ))}
        </ol>
      </div>
      {!follows && (
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
  );
}
