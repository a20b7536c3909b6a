import { expect, test } from 'vitest';
import type { Video } from '#contract/video.ts';
import { isPlayableAfterRemux } from './after-remux.ts';
import { findUnsupported } from './can-play.ts';

const film = (name: string, ...codecs: [string, string][]) =>
  ({
    media_url: `/youtube/c/${name}`,
    streams: codecs.map(([type, codec], index) => ({ type, codec, index, bitrate: 0 })),
  }) as Video;
const supports =
  (...known: string[]) =>
  (type: string) =>
    known.some((one) => (type.split('codecs=')[1] ?? type).includes(one));

test('names the unsupported codec or container, and offers remuxing only if it helps', () => {
  const mkv = film('a.mkv', ['video', 'h264'], ['audio', 'aac']);
  const commonCodecs = supports('avc1', 'mp4a', 'video/mp4');
  expect(findUnsupported(film('a.mp4', ['video', 'h264'], ['audio', 'aac']), commonCodecs)).toBeNull();
  expect(findUnsupported(mkv, commonCodecs)).toEqual({ what: 'container', name: 'mkv' });
  expect(isPlayableAfterRemux(mkv, commonCodecs)).toBe(true);
  const hevc = film('a.mkv', ['video', 'hevc'], ['audio', 'aac']);
  expect(findUnsupported(hevc, commonCodecs)).toEqual({ what: 'codec', name: 'hevc' });
  expect(isPlayableAfterRemux(hevc, commonCodecs)).toBe(false);
  expect(findUnsupported(film('a.webm', ['video', 'ffv1']), commonCodecs)).toEqual({ what: 'codec', name: 'ffv1' });
});
