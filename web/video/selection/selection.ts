import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Video } from '#contract/video.ts';
import { plainKey } from '#web/player/shortcuts/key-name.ts';
import { isTyping } from '#web/ui/is-typing.ts';

export interface Selection {
  isOn: boolean;
  videos: ReadonlyMap<string, Video>;
  /** All loaded videos were selected at once, so selecting all matches is offered. */
  isWholePage: boolean;
  /** All matches are selected, also on pages that are not loaded. */
  includesAllMatches: boolean;
  has(video: Video): boolean;
  start(): void;
  /** Selects or deselects one video, and starts a range there. */
  toggle(index: number): void;
  /** Selects the range from the last toggled video. */
  extendTo(index: number): void;
  /** Selects all loaded videos. */
  selectLoaded(): void;
  /** Selects all matches. */
  selectAllMatches(): void;
  end(): void;
}

interface Options {
  /** Number of loaded items. */
  count: number;
  videoAt(index: number): Video | undefined;
  /** Identifies the list; "all matches" ends when it changes. */
  list: string;
}

/** Selected videos of a list. The selection is kept across pages. */
export function useSelection({ count, videoAt, list }: Options): Selection {
  const [isOn, setIsOn] = useState(false);
  const [isWholePage, setIsWholePage] = useState(false);
  const [allMatchesOf, setAllMatchesOf] = useState<string | null>(null);
  const includesAllMatches = allMatchesOf === list;
  const [videos, setVideos] = useState<ReadonlyMap<string, Video>>(new Map());
  const anchor = useRef(0);
  const add = useCallback((added: (Video | undefined)[]) => {
    setIsOn(true);
    setVideos((before) => new Map([...before, ...added.flatMap((one) => (one ? [[one.youtube_id, one] as const] : []))]));
  }, []);
  const end = useCallback(() => {
    setIsOn(false);
    setVideos(new Map());
    setAllMatchesOf(null);
    setIsWholePage(false);
  }, []);
  const loaded = useCallback(() => Array.from({ length: count }, (_, index) => videoAt(index)), [count, videoAt]);
  const selectLoaded = useCallback(() => {
    add(loaded());
    setIsWholePage(true);
  }, [loaded, add]);

  useEffect(() => {
    if (!isOn) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isTyping(event)) return;
      if (event.key === 'Escape') end();
      else if (plainKey(event) === 'a' && (event.ctrlKey || event.metaKey) && !event.shiftKey) selectLoaded();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [isOn, end, selectLoaded]);

  return useMemo(
    () => ({
      isOn,
      videos,
      isWholePage,
      includesAllMatches,
      has: (video) => includesAllMatches || videos.has(video.youtube_id),
      start: () => setIsOn(true),
      toggle(index) {
        const video = videoAt(index);
        if (!video) return;
        anchor.current = index;
        // Deselecting one of all matches leaves the other loaded videos selected.
        if (includesAllMatches) selectLoaded();
        setAllMatchesOf(null);
        setIsWholePage(false);
        setIsOn(true);
        setVideos((before) => {
          const after = new Map(before);
          if (!after.delete(video.youtube_id)) after.set(video.youtube_id, video);
          return after;
        });
      },
      extendTo(index) {
        if (includesAllMatches) return;
        const [from, to] = [Math.min(anchor.current, index), Math.max(anchor.current, index)];
        add(Array.from({ length: to - from + 1 }, (_, offset) => videoAt(from + offset)));
      },
      selectLoaded,
      selectAllMatches() {
        selectLoaded();
        setAllMatchesOf(list);
      },
      end,
    }),
    [isOn, videos, isWholePage, includesAllMatches, list, videoAt, add, selectLoaded, end],
  );
}
