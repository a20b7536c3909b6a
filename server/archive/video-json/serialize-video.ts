import { crc32 } from 'node:zlib';
import type { Channel } from '#contract/channel.ts';
import { exampleVideo, serializeChannelOf, serializePlayer, serializeVideoRow } from '../video/shape.ts';
import type { VideoRow } from '../video/store.ts';

/** The tables that a serialized video is built from. */
export const serializeFrom = [
  'video',
  'channel',
  'stream',
  'subtitle',
  'playlist',
  'playlistEntry',
  'storyboard',
  'generatedChapters',
  'chat',
] as const;

const utf8 = new TextEncoder();

// The first eight bytes hold the duration in seconds, from which the watch progress of a user is computed.
const headBytes = 8;
const head = ' '.repeat(headBytes);
const durationOf = (bytes: Uint8Array): number => new DataView(bytes.buffer, bytes.byteOffset, headBytes).getFloat64(0);

/**
 * Serializes a video without user data: the duration in 8 bytes, then UTF-8 JSON without the closing brace, so that channel and
 * user data can be appended.
 */
export function serializeVideo(row: VideoRow): Uint8Array<ArrayBuffer> {
  const bytes = utf8.encode(head + JSON.stringify(serializeVideoRow(row)).slice(0, -1));
  new DataView(bytes.buffer).setFloat64(0, row.durationSeconds);
  return bytes;
}

/** Serializes a channel as part of a video, as UTF-8 JSON. */
export const serializeChannelPart = (channel: Channel): Uint8Array<ArrayBuffer> => utf8.encode(JSON.stringify(channel));

/** Serialized JSON of a video and its channel. */
export interface SerializedParts {
  id: string;
  video: Uint8Array;
  channel: Uint8Array;
}

export const serializeParts = (row: VideoRow): SerializedParts => ({
  id: row.id,
  video: serializeVideo(row),
  channel: serializeChannelPart(serializeChannelOf(row)),
});

const example = serializeParts(exampleVideo);

/** Format number of the stored JSON. It changes with the JSON of `exampleVideo`; JSON of another format is written again. */
export const serializedFormat = crc32(example.channel, crc32(example.video));

const channelKey = utf8.encode(',"channel":');

/** Watch state of one user; null without one. */
export interface WatchState {
  watchedAt: number | null;
  positionSeconds: number | null;
}

/** Returns the chunks of the JSON of a video for one user. */
export function videoChunks(
  { video, channel, watchedAt, positionSeconds }: SerializedParts & WatchState,
  score: number,
): Uint8Array[] {
  const player = serializePlayer({ watchedAt, positionSeconds, durationSeconds: durationOf(video) });
  const userPart = utf8.encode(`,"player":${JSON.stringify(player)},"_score":${score}}`);
  return [video.subarray(headBytes), channelKey, channel, userPart];
}
