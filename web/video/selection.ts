import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Video } from '#contract/video.ts';
import { plainKey } from '#web/player/key-name.ts';
import { isTyping } from '#web/ui/typing.ts';

export interface Selection {
  isOn: boolean;
  chosen: ReadonlyMap<string, Video>;
  /** All of the list that is here was chosen at once: now the rest may be wanted too. */
  isWholePage: boolean;
  /** Everything that matches is chosen, on pages that were never here as well. */
  isEverything: boolean;
  has(video: Video): boolean;
  begin(): void;
  /** Chooses one or drops it; from here on a range begins. */
  toggle(at: number): void;
  /** Chooses everything from where the last one was chosen to here. */
  extend(at: number): void;
  /** Chooses all of the list that is here. */
  all(): void;
  /** Chooses everything that matches. */
  everything(): void;
  end(): void;
}

interface Of {
  /** How many places the list has that is here. */
  count: number;
  videoAt(at: number): Video | undefined;
  /** Says which list it is: what "everything" means ends with it. */
  list: string;
}

/** Which videos of a list are chosen, to do something with all of them. They stay so on other pages. */
export function useSelection({ count, videoAt, list }: Of): Selection {
  const [isOn, setIsOn] = useState(false);
  const [isWholePage, setIsWholePage] = useState(false);
  const [allOf, setAllOf] = useState<string | null>(null);
  const isEverything = allOf === list;
  const [chosen, setChosen] = useState<ReadonlyMap<string, Video>>(new Map());
  const anchor = useRef(0);
  const put = useCallback((videos: (Video | undefined)[]) => {
    setIsOn(true);
    setChosen((before) => new Map([...before, ...videos.flatMap((one) => (one ? [[one.youtube_id, one] as const] : []))]));
  }, []);
  const end = useCallback(() => {
    setIsOn(false);
    setChosen(new Map());
    setAllOf(null);
    setIsWholePage(false);
  }, []);
  const here = useCallback(() => Array.from({ length: count }, (_, at) => videoAt(at)), [count, videoAt]);
  const all = useCallback(() => {
    put(here());
    setIsWholePage(true);
  }, [here, put]);

  useEffect(() => {
    if (!isOn) return;
    const look = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isTyping(event)) return;
      if (event.key === 'Escape') end();
      else if (plainKey(event) === 'a' && (event.ctrlKey || event.metaKey) && !event.shiftKey) all();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', look);
    return () => document.removeEventListener('keydown', look);
  }, [isOn, end, all]);

  return useMemo(
    () => ({
      isOn,
      chosen,
      isWholePage,
      isEverything,
      has: (video) => isEverything || chosen.has(video.youtube_id),
      begin: () => setIsOn(true),
      toggle(at) {
        const video = videoAt(at);
        if (!video) return;
        anchor.current = at;
        // Who takes one out of everything means those that are here, but for that one.
        if (isEverything) all();
        setAllOf(null);
        setIsWholePage(false);
        setIsOn(true);
        setChosen((before) => {
          const after = new Map(before);
          if (!after.delete(video.youtube_id)) after.set(video.youtube_id, video);
          return after;
        });
      },
      extend(at) {
        if (isEverything) return;
        const [from, to] = [Math.min(anchor.current, at), Math.max(anchor.current, at)];
        put(Array.from({ length: to - from + 1 }, (_, place) => videoAt(from + place)));
      },
      all,
      everything() {
        all();
        setAllOf(list);
      },
      end,
    }),
    [isOn, chosen, isWholePage, isEverything, list, videoAt, put, all, end],
  );
}
