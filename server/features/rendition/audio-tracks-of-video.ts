import { message, type Message } from '#contract/messages.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { toolOf } from '../../platform/context/tools.ts';
import { etagOf } from '../../platform/http/files/media-types.ts';
import { notFound } from '../../platform/http/http-error.ts';
import type { AudioTracks } from '../../platform/media/audio-tracks.ts';
import { IncompleteFileError } from '../../platform/media/probe.ts';
import { readTracks } from './read-tracks.ts';
import { setNewest } from '../../platform/lib/set-newest.ts';

/** A video and the audio tracks of its file. */
export interface VideoAudioTracks {
  id: string;
  title: string;
  mediaPath: string;
  sizeBytes: number;
  durationSeconds: number;
  stamp: string;
  /** Why the audio tracks cannot be read or converted; null if they are available. */
  why: Message[] | null;
  sounds: AudioTracks;
}

const nothing: AudioTracks = { tracks: [], picture: null, durationSeconds: 0 };
const maxKnown = 500;

declare module '../../platform/context/app-state.ts' {
  interface AppState {
    /** ffprobe results by file stamp, because players poll while they wait. */
    audioTracks: Map<string, Promise<AudioTracks>>;
  }
}

function look(app: AppContext, key: string, path: string, sizeBytes: number): Promise<AudioTracks> {
  const all = app.state.audioTracks;
  let found = all.get(key);
  if (!found) {
    found = readTracks(app, path, sizeBytes);
    found.catch(() => all.delete(key));
    setNewest(all, key, found, maxKnown);
  }
  return found;
}

/** Returns the audio tracks of a video. @throws 404 if the video does not exist. */
export async function audioTracksOf(app: AppContext, id: string): Promise<VideoAudioTracks> {
  const { db, files, state } = app;
  const video = await db
    .selectFrom('video')
    .select(['id', 'title', 'mediaPath', 'sizeBytes', 'durationSeconds', 'sha256'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!video) throw notFound('error.video');
  const { sha256: _, ...about } = video;
  const found = { ...about, stamp: etagOf(video) };
  const key = `${id} ${found.stamp}`;
  const not = (why: Message[]) => ({ ...found, why, sounds: nothing });
  if (!(await toolOf(app.tools, 'ffmpeg'))) return not([message('rendition.no-ffmpeg')]);
  try {
    // A bucket is not asked again for each request of a player that waits.
    const isKnown = files.isRemote && state.audioTracks.has(key);
    const stored = isKnown ? video : await files.stat(video.mediaPath);
    if (!stored) return not([message('rendition.no-file')]);
    return { ...found, why: null, sounds: await look(app, key, video.mediaPath, stored.sizeBytes) };
  } catch (problem) {
    if (problem instanceof IncompleteFileError) return not(problem.messages);
    throw problem;
  }
}
