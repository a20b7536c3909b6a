import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useVirtualizer } from '@tanstack/react-virtual';
import { IconChevronDown, IconChevronUp, IconSearch } from '@tabler/icons-react';
import { useDeferredValue, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { Video } from '#contract/video.ts';
import { seekTo } from '#web/player/stage.ts';
import { transcriptReached, useTranscriptWanted } from '#web/player/transcript-way.ts';
import { Button, IconButton } from '#web/ui/Button.tsx';
import { findInLines, foldLines } from './find-in-lines.ts';
import { TranscriptLine } from './TranscriptLine.tsx';
import { useLineNow } from './use-transcript.ts';
import type { SpokenLine } from './vtt.ts';
import styles from './Transcript.module.css';

interface Props {
  video: Video;
  lang: string;
  lines: SpokenLine[];
}

/** The lines: the one that is said is marked and kept in sight, until somebody scrolls. */
export function TranscriptLines({ video, lang, lines }: Props) {
  const { t } = useLingui();
  const box = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const [follows, setFollows] = useState(true);
  const [words, setWords] = useState('');
  const wanted = useDeferredValue(words);
  const [at, setAt] = useState(0);
  const now = useLineNow(lines);
  const folded = useMemo(() => foldLines(lines), [lines]);
  const hits = useMemo(() => findInLines(folded, wanted), [folded, wanted]);
  const hit = hits[at % Math.max(1, hits.length)];
  const hitsOf = useMemo(() => Map.groupBy(hits, ({ line }) => line), [hits]);
  // oxlint-disable-next-line react/incompatible-library -- it answers functions that change with the list; nothing keeps them
  const list = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => 44,
    overscan: 12,
    getItemKey: (place) => place,
  });
  const show = useEffectEvent((place: number) => list.scrollToIndex(place, { align: 'center' }));
  useEffect(() => {
    if (follows && now >= 0) show(now);
  }, [follows, now]);
  const isWanted = useTranscriptWanted();
  useEffect(() => {
    if (!isWanted) return;
    box.current?.focus();
    transcriptReached();
  }, [isWanted]);
  const line = hit?.line;
  useEffect(() => {
    if (line !== undefined) show(line);
  }, [line]);
  const go = (step: 1 | -1) => {
    setFollows(false);
    setAt((place) => (place + step + hits.length) % Math.max(1, hits.length));
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
            <Trans>Search in the transcript</Trans>
          </span>
          <input
            ref={search}
            type="search"
            value={words}
            placeholder={t`Search what is said`}
            onChange={(event) => {
              setWords(event.target.value);
              setAt(0);
              if (event.target.value) setFollows(false);
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter') go(event.shiftKey ? -1 : 1);
            }}
          />
        </label>
        {words.trim() !== '' && (
          <>
            <span className={`${styles.count} number`} role="status">
              {hits.length === 0 ? (
                <Trans>Not said</Trans>
              ) : (
                <>
                  {(at % hits.length) + 1} / <Plural value={hits.length} one="#" other="#" />
                </>
              )}
            </span>
            <IconButton label={t`Place before`} disabled={hits.length === 0} onClick={() => go(-1)}>
              <IconChevronUp aria-hidden />
            </IconButton>
            <IconButton label={t`Next place`} disabled={hits.length === 0} onClick={() => go(1)}>
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
        aria-label={t`What is said`}
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
          <Trans>Follow the video</Trans>
        </Button>
      )}
    </div>
  );
}
