import type { Db } from '../../platform/db/db.ts';
import type { ProbedStream } from '../../platform/media/probe.ts';
import type { Sound } from '../../platform/ytdlp/sounds.ts';

/** Returns the rows of the streams of a file; `sounds`: what the site said of its sound tracks, in their order. */
export function streamRows(streams: ProbedStream[], sounds: readonly Sound[]) {
  const audio = streams.filter(({ type }) => type === 'audio');
  return streams.map((stream) => {
    const sound = sounds[audio.indexOf(stream)];
    return {
      position: stream.index,
      type: stream.type,
      codec: stream.codec,
      bitrate: Math.round(stream.bitrate),
      width: stream.width ?? null,
      height: stream.height ?? null,
      language: sound?.language ?? null,
      kind: sound?.kind ?? null,
      profile: stream.format?.profile ?? null,
      bitDepth: stream.format?.bitDepth ?? null,
      dynamicRange: stream.format?.dynamicRange ?? null,
    };
  });
}

/** Returns what the site said of the sound tracks of a video, in their order. */
export const storedSounds = (db: Db, videoId: string): Promise<Sound[]> =>
  db
    .selectFrom('stream')
    .select(['language', 'kind'])
    .where('videoId', '=', videoId)
    .where('type', '=', 'audio')
    .orderBy('position')
    .execute();
