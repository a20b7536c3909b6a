import { useEffect, useEffectEvent, useLayoutEffect } from 'react';
import type { Player, Video } from '#contract/video.ts';
import { queryClient } from '#web/api/client.ts';
import { videoQuery } from '#web/api/queries/video.ts';
import { startPlayback } from './resume-position.ts';
import { startCaptions, styleCaptions } from '../captions/captions.ts';
import { usePreferences } from '../state/player-preferences.ts';
import { measureFrameRate } from '../commands/frame-rate.ts';
import { enforceLoop, loop } from './loop.ts';
import { saveProgress } from './progress.ts';
import { restoreVolumeAndSpeed } from './volume-and-speed.ts';
import { usePlayerStore, type StartPosition } from '../state/player-store.ts';
import { watchPlayback } from './playback-error.ts';
import { watchStopPosition } from '../state/stop-position.ts';
import { useAudioSource } from '../queue/use-audio-source.ts';

const updateVideoQuery = (id: string) => (player: Player) =>
  void queryClient.setQueryData(videoQuery(id).queryKey, (video) => video && { ...video, player });

/** Applies the user's caption preferences. */
function useCaptions(id: string, element: HTMLVideoElement | null) {
  const size = usePreferences((state) => state.captionSize);
  const colour = usePreferences((state) => state.captionColour);
  const ground = usePreferences((state) => state.captionGround);
  useEffect(() => styleCaptions({ size, colour, ground }), [size, colour, ground]);
  useEffect(() => (element ? startCaptions(element, id) : undefined), [element, id]);
}

function startLoop(element: HTMLVideoElement): () => void {
  loop.set({ from: null, to: null });
  const onTimeUpdate = () => enforceLoop(element);
  element.addEventListener('timeupdate', onTimeUpdate);
  return () => element.removeEventListener('timeupdate', onTimeUpdate);
}

/** Starts everything that belongs to one video. Returns a cleanup function. */
function startTracking(element: HTMLVideoElement, id: string, video: Video): () => void {
  const ends = [
    saveProgress(element, id, updateVideoQuery(id)),
    startLoop(element),
    watchStopPosition(element),
    watchPlayback(element, video),
  ];
  return () => ends.forEach((end) => end());
}

/** Everything about playback that is not rendered. */
export function usePlayback(video: Video, element: HTMLVideoElement | null) {
  const { youtube_id: id, media_url: file } = video;
  const startPosition = usePlayerStore((state) => state.start);
  // Updates of the video object, such as its position, must not seek.
  const start = useEffectEvent((found: HTMLVideoElement, now: StartPosition, _file: string) => startPlayback(found, video, now));
  const startTrackingVideo = useEffectEvent((found: HTMLVideoElement, now: string, _file: string) =>
    startTracking(found, now, video),
  );
  useLayoutEffect(() => (element ? restoreVolumeAndSpeed(element) : undefined), [element]);
  useLayoutEffect(() => (element ? measureFrameRate(element) : undefined), [element]);
  useAudioSource(video, element);
  useLayoutEffect(() => (element ? startTrackingVideo(element, id, file) : undefined), [element, id, file]);
  useEffect(() => {
    if (element) start(element, startPosition, file);
  }, [element, startPosition, file]);
  useCaptions(id, element);
}
