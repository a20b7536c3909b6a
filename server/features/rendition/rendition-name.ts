import { extname } from 'node:path';
import { picturePackingFor, type AudioPacking } from '../../platform/media/audio-packing.ts';

/** Track of a request for a video without audio. */
export const noTrack = -1;

interface NamedRendition {
  /** Of the media file. */
  stamp: string;
  /** Stream index, or `noTrack`. */
  track: number;
  withPicture: boolean;
  packing: AudioPacking;
}

/** Returns the file name of a rendition: `<stamp>-s1.m4a` is audio, `-p1.mp4` video with its audio, and `-e1.mp4` the same with encoded audio. */
export function renditionName({ stamp, track, withPicture, packing: { ending, encodes } }: NamedRendition): string {
  const form = withPicture ? (encodes ? 'e' : 'p') : 's';
  return `${stamp}-${form}${track === noTrack ? '' : track}${ending}`;
}

/** Returns the container of a rendition with video by its name. */
export const packingOfName = (name: string) => picturePackingFor(extname(name), /-e\d+\.\w+$/.test(name));
