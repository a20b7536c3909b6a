import { encodedBitrate } from '../../platform/media/audio-packing.ts';
import { h264LevelOf, maxBitrateOf, scaledSize } from '../../platform/media/hls.ts';
import { firstFrameOf, segmentCountOf, segmentSeconds, timeOfFrame } from '../../platform/media/hls-grid.ts';
import { partName, soundName, videoName } from './names.ts';
import type { HlsStream } from './stream-of-video.ts';

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
  const sounds = tracks.map(({ index, language, title, channels, codec }, at) => {
    const name = [`${at + 1}.`, title ?? language ?? ''].join(' ').trim();
    const attributes = [
      'TYPE=AUDIO',
      'GROUP-ID="sound"',
      `NAME=${quoted(name)}`,
      ...(language === null ? [] : [`LANGUAGE=${quoted(language)}`]),
      index === chosen?.index ? 'DEFAULT=YES' : 'DEFAULT=NO',
      'AUTOSELECT=YES',
      `CHANNELS="${codec === 'aac' ? channels || 2 : 2}"`,
      `URI="${soundName(index, 'm3u8')}"`,
    ];
    return `#EXT-X-MEDIA:${attributes.join(',')}`;
  });
  const streams = heights.flatMap((one) => {
    const size = scaledSize(picture, one);
    const codecs = [`avc3.6400${h264LevelOf(size, frameRate).toString(16)}`, ...(tracks.length > 0 ? ['mp4a.40.2'] : [])].join(
      ',',
    );
    const attributes = [
      `BANDWIDTH=${maxBitrateOf(one) + (tracks.length > 0 ? encodedBitrate : 0)}`,
      `RESOLUTION=${size.width}x${size.height}`,
      `FRAME-RATE=${(frameRate.num / frameRate.den).toFixed(3)}`,
      `CODECS="${codecs}"`,
      ...(tracks.length > 0 ? ['AUDIO="sound"'] : []),
    ];
    return [`#EXT-X-STREAM-INF:${attributes.join(',')}`, videoName(one)];
  });
  return joined([...beginning, '#EXT-X-INDEPENDENT-SEGMENTS', ...sounds, ...streams]);
}

const mediaBeginning = [
  ...beginning,
  `#EXT-X-TARGETDURATION:${segmentSeconds}`,
  '#EXT-X-MEDIA-SEQUENCE:0',
  '#EXT-X-PLAYLIST-TYPE:VOD',
];

/** Returns the playlist of the picture in a height: complete, although its segments are encoded when they are requested. */
export function videoPlaylist({ grid }: HlsStream, height: number): string {
  const segments = Array.from({ length: segmentCountOf(grid) }, (_, segment) => {
    const frames = firstFrameOf(segment + 1, grid) - firstFrameOf(segment, grid);
    return [`#EXTINF:${timeOfFrame(frames, grid.frameRate).toFixed(6)},`, partName(height, segment)];
  });
  const map = `#EXT-X-MAP:URI="${partName(height, 'init')}"`;
  return joined([...mediaBeginning, '#EXT-X-INDEPENDENT-SEGMENTS', map, ...segments.flat(), '#EXT-X-ENDLIST']);
}

/** Where the fragments of a sound track are in its file. */
export interface SoundIndex {
  /** Bytes before the index: the headers. */
  headerBytes: number;
  /** Where the first fragment begins. */
  offset: number;
  fragments: { bytes: number; seconds: number }[];
}

/** Returns the playlist of a sound track: ranges of its file. */
export function soundPlaylist({ headerBytes, offset, fragments }: SoundIndex, track: number): string {
  const file = soundName(track, 'mp4');
  let at = offset;
  const segments = fragments.flatMap(({ bytes, seconds }) => {
    const range = `#EXT-X-BYTERANGE:${bytes}@${at}`;
    at += bytes;
    return [`#EXTINF:${seconds.toFixed(6)},`, range, file];
  });
  const map = `#EXT-X-MAP:URI="${file}",BYTERANGE="${headerBytes}@0"`;
  // The first sound may be in a longer fragment than the others.
  const longest = Math.max(segmentSeconds, ...fragments.map(({ seconds }) => Math.round(seconds)));
  const beginningOfSound = mediaBeginning.map((line) =>
    line.startsWith('#EXT-X-TARGETDURATION') ? `#EXT-X-TARGETDURATION:${longest}` : line,
  );
  return joined([...beginningOfSound, map, ...segments, '#EXT-X-ENDLIST']);
}
