import { createElement, useEffect, useLayoutEffect } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { Video } from '#contract/video.ts';
import { addressOf } from '#web/api/call.ts';
import { useStoreValue } from '#web/ui/create-store.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { audioSource } from '../audio/audio-source.ts';
import { audioTracksQuery, findAudioTrack } from '../audio/pick-audio-track.ts';
import { castState } from '../state/google-cast.ts';
import { canRaise } from '../state/raised-volume.ts';
import { usePreferences, type EvenVolume } from '../state/player-preferences.ts';

const RaiseVolume = lazyComponent(async () => (await import('./raise-volume.ts')).RaiseVolume, 'optional');

/** Loud videos are lowered by this much at most. */
const mostDecibels = 12;

/** Returns by how many decibels a sound of `lufs` is lowered (negative) so that it is not louder than `target`; 0 for quiet ones. */
export const decibelsFor = (lufs: number, target: EvenVolume): number =>
  target === 0 ? 0 : Math.max(-mostDecibels, Math.min(0, target - lufs));

/** Quiet videos are raised by this much at most, and only so far that their true peak stays below `maxPeak`, dBTP. */
const maxRaise = 6;
const maxPeak = -1;

interface Loudness {
  lufs: number;
  truePeak: number | null;
}

/** Returns by how many decibels a quiet sound can be raised towards `target`; 0 for others, and for those without a measured peak. */
export const raisableDecibels = ({ lufs, truePeak }: Loudness, target: EvenVolume): number =>
  target === 0 || truePeak === null ? 0 : Math.max(0, Math.min(maxRaise, target - lufs, maxPeak - truePeak));

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
export function useLoudness(video: Video): Loudness | null {
  const { data: tracks = [] } = useQuery({ ...audioTracksQuery(video), enabled: false });
  const audio = usePreferences((state) => state.audio);
  const pickedTrack = useStoreValue(audioSource, (now) => now.pickedTrack);
  const track = findAudioTrack(tracks, { audio, pickedTrack })?.index;
  const found = video.streams.find(({ type, index }) => type === 'audio' && (track === undefined || index === track));
  return found?.lufs === undefined ? null : { lufs: found.lufs, truePeak: found.true_peak ?? null };
}

/** Lowers the volume of loud videos, and raises that of quiet ones where the user wants it. Shows nothing. */
export function EvenVolume({ video, element }: { video: Video; element: HTMLMediaElement }) {
  const loudness = useLoudness(video);
  const lufs = loudness?.lufs ?? null;
  const raises = usePreferences((state) => state.raisesQuiet);
  const isCasting = useStoreValue(castState, (now) => now.name !== null);
  const target = usePreferences((state) => state.evenVolume);
  useLayoutEffect(() => {
    if (!gains.has(element)) gains.set(element, createGain(element));
  }, [element]);
  useEffect(() => {
    gains.get(element)!(lufs === null ? 1 : 10 ** (decibelsFor(lufs, target) / 20));
  }, [element, lufs, target]);
  const decibels = loudness && raises && canRaise && !isCasting ? raisableDecibels(loudness, target) : 0;
  if (decibels === 0) return null;
  return createElement(RaiseVolume, { element, decibels, file: addressOf(video.media_url) });
}
