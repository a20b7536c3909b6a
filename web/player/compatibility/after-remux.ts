import type { Video } from '#contract/video.ts';
import { endingOf, findUnsupported, type CanPlayType } from './can-play.ts';

// Codecs that MP4 can contain without encoding.
const mp4Codecs = new Set(['h264', 'hevc', 'av1', 'aac', 'mp3', 'ac3', 'eac3', 'opus', 'alac']);

/** Whether the browser could play the file after it is remuxed to MP4. */
export const isPlayableAfterRemux = (video: Video, canPlay: CanPlayType) =>
  endingOf(video) !== 'mp4' &&
  video.streams.length > 0 &&
  video.streams.every(({ codec }) => mp4Codecs.has(codec)) &&
  findUnsupported({ ...video, media_url: 'x.mp4' }, canPlay) === null;
