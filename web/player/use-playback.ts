import { useEffect, useEffectEvent, useLayoutEffect } from 'react';
import type { Player, Video } from '#contract/video.ts';
import { queryClient } from '#web/api/client.ts';
import { videoQuery } from '#web/video/queries.ts';
import { begin } from './begin.ts';
import { beginCaptions, styleCaptions } from './captions.ts';
import { useChoices } from './choices.ts';
import { measureFrameRate } from './frame-rate.ts';
import { keepInLoop, loop } from './loop.ts';
import { keepPosition } from './progress.ts';
import { remember } from './remembered.ts';
import { useStage, type Beginning } from './stage.ts';
import { watchPlayback } from './trouble.ts';
import { useSound } from './use-sound.ts';

const tellPages = (id: string) => (player: Player) =>
  void queryClient.setQueryData(videoQuery(id).queryKey, (video) => video && { ...video, player });

/** Captions as the person likes them. */
function useCaptions(id: string, element: HTMLVideoElement | null) {
  const size = useChoices((choices) => choices.captionSize);
  const colour = useChoices((choices) => choices.captionColour);
  const ground = useChoices((choices) => choices.captionGround);
  useEffect(() => styleCaptions({ size, colour, ground }), [size, colour, ground]);
  useEffect(() => (element ? beginCaptions(element, id) : undefined), [element, id]);
}

function keepLoop(element: HTMLVideoElement): () => void {
  loop.set({ from: null, to: null });
  const look = () => keepInLoop(element);
  element.addEventListener('timeupdate', look);
  return () => element.removeEventListener('timeupdate', look);
}

/** Everything that goes with one video being played. */
function attend(element: HTMLVideoElement, id: string, video: Video): () => void {
  const ends = [keepPosition(element, id, tellPages(id)), keepLoop(element), watchPlayback(element, video)];
  return () => ends.forEach((end) => end());
}

/** Everything that goes with playing a video, but for what is seen. */
export function usePlayback(video: Video, element: HTMLVideoElement | null) {
  const { youtube_id: id, media_url: file } = video;
  const beginning = useStage((stage) => stage.beginning);
  // Later news of the video, such as its position, must not make it jump.
  const start = useEffectEvent((found: HTMLVideoElement, now: Beginning, _file: string) => begin(found, video, now));
  const attendTo = useEffectEvent((found: HTMLVideoElement, now: string, _file: string) => attend(found, now, video));
  useLayoutEffect(() => (element ? remember(element) : undefined), [element]);
  useLayoutEffect(() => (element ? measureFrameRate(element) : undefined), [element]);
  useSound(video, element);
  useLayoutEffect(() => (element ? attendTo(element, id, file) : undefined), [element, id, file]);
  useEffect(() => {
    if (element) start(element, beginning, file);
  }, [element, beginning, file]);
  useCaptions(id, element);
}
