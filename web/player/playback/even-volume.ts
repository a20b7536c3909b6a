import { useEffect, useLayoutEffect } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { Video } from '#contract/video.ts';
import { useStoreValue } from '#web/ui/create-store.ts';
import { audioSource } from '../audio/audio-source.ts';
import { audioTracksQuery, findAudioTrack } from '../audio/pick-audio-track.ts';
import { usePreferences, type EvenVolume } from '../state/player-preferences.ts';

/** Loud videos are lowered by this much at most. */
const mostDecibels = 12;

/** Returns by how many decibels a sound of `lufs` is lowered (negative) so that it is not louder than `target`; 0 for quiet ones. */
export const decibelsFor = (lufs: number, target: EvenVolume): number =>
  target === 0 ? 0 : Math.max(-mostDecibels, Math.min(0, target - lufs));

const native = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, 'volume')!;

/**
 * Lets the volume of an element be multiplied, while its property keeps the number that the user has chosen. The property is that of a
 * prototype of its own, because casting puts its properties on the element itself. Returns a function that sets the factor.
 */
export function createGain(element: HTMLMediaElement): (factor: number) => void {
  let wanted = element.volume;
  let factor = 1;
  const read = () => native.get!.call(element) as number;
  const apply = () => native.set!.call(element, wanted * factor);
  const volume: PropertyDescriptor = {
    configurable: true,
    // Phones do not let pages change the volume: then it is what they say.
    get: () => (Math.abs(read() - wanted * factor) < 0.001 ? wanted : read()),
    set(level: number) {
      native.set!.call(element, level * factor);
      wanted = level;
    },
  };
  Object.setPrototypeOf(element, Object.create(Object.getPrototypeOf(element) as object, { volume }) as object);
  return (next) => {
    factor = next;
    apply();
  };
}
const gains = new WeakMap<HTMLMediaElement, (factor: number) => void>();

/** Returns the loudness of the playing sound track; null if it is not measured. */
export function useLoudness(video: Video): number | null {
  const { data: tracks = [] } = useQuery({ ...audioTracksQuery(video), enabled: false });
  const audio = usePreferences((state) => state.audio);
  const pickedTrack = useStoreValue(audioSource, (now) => now.pickedTrack);
  const track = findAudioTrack(tracks, { audio, pickedTrack })?.index;
  return video.streams.find(({ type, index }) => type === 'audio' && (track === undefined || index === track))?.lufs ?? null;
}

/** Lowers the volume of loud videos. Renders nothing. */
export function EvenVolume({ video, element }: { video: Video; element: HTMLMediaElement }): null {
  const lufs = useLoudness(video);
  const target = usePreferences((state) => state.evenVolume);
  useLayoutEffect(() => {
    if (!gains.has(element)) gains.set(element, createGain(element));
  }, [element]);
  useEffect(() => {
    gains.get(element)!(lufs === null ? 1 : 10 ** (decibelsFor(lufs, target) / 20));
  }, [element, lufs, target]);
  return null;
}
