import { useEffect, useEffectEvent, useLayoutEffect } from 'react';
import type { Video } from '#contract/video.ts';
import { useChoices } from './choices.ts';
import { askAhead, load, settle, sound } from './sound.ts';
import { usePart } from './store.ts';
import { useBeside } from './use-neighbours.ts';

/** Has the element play a video: its file, or what was made of it as somebody likes to hear it. */
export function useSound(video: Video, element: HTMLVideoElement | null) {
  const { media_url: file } = video;
  const isSoundOnly = useChoices((choices) => choices.isSoundOnly);
  const audio = useChoices((choices) => choices.audio);
  const picked = usePart(sound, (now) => now.picked);
  const turn = usePart(sound, (now) => now.turn);
  const likes = `${isSoundOnly} ${audio} ${picked} ${turn}`;
  const isAlone = usePart(sound, (now) => now.isAlone);
  const next = useBeside(video).next?.id;
  // Later news of the video, such as its position, change nothing.
  const begin = useEffectEvent((found: HTMLVideoElement, _file: string) => load(found, video));
  const look = useEffectEvent((found: HTMLVideoElement, signal: AbortSignal, _file: string, _likes: string) =>
    settle(found, video, signal),
  );
  useLayoutEffect(() => {
    if (element) begin(element, file);
  }, [element, file]);
  useEffect(() => {
    if (!element) return;
    const ending = new AbortController();
    void look(element, ending.signal, file, likes);
    return () => ending.abort();
  }, [element, file, likes]);
  // With a screen that is off the next one must begin without its picture.
  useEffect(() => {
    if (isAlone && next) void askAhead(next);
  }, [isAlone, next]);
}
