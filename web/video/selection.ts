import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Video } from '#contract/video.ts';
import { isTyping } from '#web/ui/typing.ts';

export interface Selection {
  isOn: boolean;
  chosen: ReadonlyMap<string, Video>;
  begin(): void;
  /** Chooses one or drops it; from here on a range begins. */
  toggle(at: number): void;
  /** Chooses everything from where the last one was chosen to here. */
  extend(at: number): void;
  all(): void;
  end(): void;
}

/** Which videos of a list are chosen, to do something with all of them. They stay so on other pages. */
export function useSelection(count: number, videoAt: (at: number) => Video | undefined): Selection {
  const [isOn, setIsOn] = useState(false);
  const [chosen, setChosen] = useState<ReadonlyMap<string, Video>>(new Map());
  const anchor = useRef(0);
  const put = useCallback((videos: (Video | undefined)[]) => {
    setIsOn(true);
    setChosen((before) => new Map([...before, ...videos.flatMap((one) => (one ? [[one.youtube_id, one] as const] : []))]));
  }, []);
  const end = useCallback(() => {
    setIsOn(false);
    setChosen(new Map());
  }, []);
  const all = useCallback(() => put(Array.from({ length: count }, (_, at) => videoAt(at))), [count, videoAt, put]);

  useEffect(() => {
    if (!isOn) return;
    const look = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isTyping(event)) return;
      if (event.key === 'Escape') end();
      else if (event.key === 'a' && (event.ctrlKey || event.metaKey)) all();
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
      begin: () => setIsOn(true),
      toggle(at) {
        const video = videoAt(at);
        if (!video) return;
        anchor.current = at;
        setIsOn(true);
        setChosen((before) => {
          const after = new Map(before);
          if (!after.delete(video.youtube_id)) after.set(video.youtube_id, video);
          return after;
        });
      },
      extend(at) {
        const [from, to] = [Math.min(anchor.current, at), Math.max(anchor.current, at)];
        put(Array.from({ length: to - from + 1 }, (_, place) => videoAt(from + place)));
      },
      all,
      end,
    }),
    [isOn, chosen, videoAt, put, all, end],
  );
}
