import { encodedBitrate } from '../../platform/media/audio-packing.ts';
import { h264LevelOf, maxBitrateOf, scaledSize } from '../../platform/media/hls.ts';
import { firstFrameOf, segmentCountOf, segmentSeconds, timeOfFrame } from '../../platform/media/hls-grid.ts';
import { mediaName, partName, type Layer } from './names.ts';
import { gridOf, type HlsStream } from './stream-of-video.ts';

// Playlists of HLS (RFC 8216). All addresses in them are relative, because the signature is in the path.

const beginning = ['#EXTM3U', '#EXT-X-VERSION:7'];
const joined = (lines: string[]) => `${lines.join('\n')}\n`;

/** A quoted string cannot contain quotes or line breaks (§4.2). */
const quoted = (text: string) => `"${text.replace(/["\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')}"`;

/** Returns the playlist with these heights, and all sound tracks. `track`: the stream index of the default one. */
export function mainPlaylist({ picture, tracks, grid }: HlsStream, heights: number[], track: number | null): string {
  const { frameRate } = grid;
  const fallback = tracks.find(({ isDefault }) => isDefault) ?? tracks[0];
  const chosen = tracks.find(({ index }) => index === track) ?? fallback;
  const sounds = tracks.map(({ index, language, title }, at) => {
    const name = [`${at + 1}.`, title ?? language ?? ''].join(' ').trim();
    const attributes = [
      'TYPE=AUDIO',
      'GROUP-ID="sound"',
      `NAME=${quoted(name)}`,
      ...(language === null ? [] : [`LANGUAGE=${quoted(language)}`]),
      index === chosen?.index ? 'DEFAULT=YES' : 'DEFAULT=NO',
      'AUTOSELECT=YES',
      'CHANNELS="2"',
      `URI="${mediaName({ kind: 'sound', which: index })}"`,
    ];
    return `#EXT-X-MEDIA:${attributes.join(',')}`;
  });
  const streams = heights.flatMap((one) => {
    const size = scaledSize(picture, one);
    const codecs = [`avc1.6400${h264LevelOf(size, frameRate).toString(16)}`, ...(tracks.length > 0 ? ['mp4a.40.2'] : [])].join(
      ',',
    );
    const attributes = [
      `BANDWIDTH=${maxBitrateOf(one) + (tracks.length > 0 ? encodedBitrate : 0)}`,
      `RESOLUTION=${size.width}x${size.height}`,
      `FRAME-RATE=${(frameRate.num / frameRate.den).toFixed(3)}`,
      `CODECS="${codecs}"`,
      ...(tracks.length > 0 ? ['AUDIO="sound"'] : []),
    ];
    return [`#EXT-X-STREAM-INF:${attributes.join(',')}`, mediaName({ kind: 'video', which: one })];
  });
  return joined([...beginning, '#EXT-X-INDEPENDENT-SEGMENTS', ...sounds, ...streams]);
}

/** Returns the playlist of a layer: complete, although its segments are encoded when they are requested. */
export function mediaPlaylist(stream: HlsStream, layer: Layer): string {
  const grid = gridOf(stream, layer);
  const segments = Array.from({ length: segmentCountOf(grid) }, (_, segment) => {
    const frames = firstFrameOf(segment + 1, grid) - firstFrameOf(segment, grid);
    return [`#EXTINF:${timeOfFrame(frames, grid.frameRate).toFixed(6)},`, partName(layer, segment)];
  });
  return joined([
    ...beginning,
    `#EXT-X-TARGETDURATION:${segmentSeconds}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    `#EXT-X-MAP:URI="${partName(layer, 'init')}"`,
    ...segments.flat(),
    '#EXT-X-ENDLIST',
  ]);
}
