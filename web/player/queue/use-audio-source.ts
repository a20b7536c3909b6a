import { useEffect, useEffectEvent, useLayoutEffect } from 'react';
import type { Video } from '#contract/video.ts';
import { usePreferences } from '../state/player-preferences.ts';
import { prepareAudio, loadSource, applyAudioPreference, audioSource } from '../audio/audio-source.ts';
import { useStoreValue } from '#web/ui/create-store.ts';
import { useNextAndPrevious } from './use-neighbours.ts';

/** Loads a video: its file, or the rendition that the user prefers. */
export function useAudioSource(video: Video, element: HTMLVideoElement | null) {
  const { media_url: file } = video;
  const isSoundOnly = usePreferences((state) => state.isSoundOnly);
  const audio = usePreferences((state) => state.audio);
  const pickedTrack = useStoreValue(audioSource, (now) => now.pickedTrack);
  const attempt = useStoreValue(audioSource, (now) => now.attempt);
  const preferenceKey = `${isSoundOnly} ${audio} ${pickedTrack} ${attempt}`;
  const isAudioOnly = useStoreValue(audioSource, (now) => now.isAudioOnly);
  const next = useNextAndPrevious(video).next?.id;
  // Updates of the video object, such as its position, must not reload it.
  const load = useEffectEvent((found: HTMLVideoElement, _file: string) => loadSource(found, video));
  const look = useEffectEvent((found: HTMLVideoElement, signal: AbortSignal, _file: string, _likes: string) =>
    applyAudioPreference(found, video, signal),
  );
  useLayoutEffect(() => {
    if (element) load(element, file);
  }, [element, file]);
  useEffect(() => {
    if (!element) return;
    const ending = new AbortController();
    void look(element, ending.signal, file, preferenceKey);
    return () => ending.abort();
  }, [element, file, preferenceKey]);
  // Prepares the next rendition, because a locked phone cannot start a video.
  useEffect(() => {
    if (isAudioOnly && next) void prepareAudio(next);
  }, [isAudioOnly, next]);
}
