import type { Channel } from '#contract/channel.ts';
import { shapeChannelOf, shapeVideo } from './shape.ts';
import type { VideoRow } from './store.ts';

/**
 * What is kept as it was written (`writtenVideo`, `writtenChannel`) is of this form. It changes with whatever changes in what is written of
 * the same rows, which written-video.test.ts notices: what is of another form is written anew.
 */
export const form = 1;

/** The tables of whose rows it is written. */
export const writtenFrom = ['video', 'channel', 'stream', 'subtitle', 'playlistEntry', 'storyboard'] as const;

const utf8 = new TextEncoder();

// In front stands how long the video is, as eight bytes: what a person has watched of it is told as a share of that.
export const headBytes = 8;
const head = ' '.repeat(headBytes);
export const durationOf = (bytes: Uint8Array): number => new DataView(bytes.buffer, bytes.byteOffset, headBytes).getFloat64(0);

/** A video in UTF-8, the same for everybody: a head, and JSON without its last brace, before which its channel and what is one person's belong. */
export function writeVideo(row: VideoRow): Uint8Array<ArrayBuffer> {
  const bytes = utf8.encode(head + JSON.stringify(shapeVideo(row)).slice(0, -1));
  new DataView(bytes.buffer).setFloat64(0, row.durationSeconds);
  return bytes;
}

/** A channel as it stands within its videos, as JSON in UTF-8. */
export const writeChannel = (channel: Channel): Uint8Array<ArrayBuffer> => utf8.encode(JSON.stringify(channel));

const between = utf8.encode(',"channel":');

/** A video and its channel, written. */
export interface WrittenParts {
  id: string;
  video: Uint8Array;
  channel: Uint8Array;
}

export const writeParts = (row: VideoRow): WrittenParts => ({
  id: row.id,
  video: writeVideo(row),
  channel: writeChannel(shapeChannelOf(row)),
});

/** Each video with its channel, still without its last brace, all in one block of memory that is nobody else's: between threads whole blocks cross. */
export function together(parts: readonly WrittenParts[]): Map<string, Uint8Array> {
  const sizeOf = ({ video, channel }: WrittenParts) => video.byteLength + between.byteLength + channel.byteLength;
  const block = new Uint8Array(parts.reduce((sum, part) => sum + sizeOf(part), 0));
  let end = 0;
  return new Map(
    parts.map((part) => {
      const from = end;
      for (const bytes of [part.video, between, part.channel]) {
        block.set(bytes, end);
        end += bytes.byteLength;
      }
      return [part.id, block.subarray(from, end)];
    }),
  );
}
