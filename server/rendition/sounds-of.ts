import { join } from 'node:path';
import type { Archive } from '../archive.ts';
import { stampOf } from '../http/files.ts';
import { notFound } from '../http/problem.ts';
import { lookAtSounds, type Sounds } from '../media/audio-tracks.ts';
import { Incomplete } from '../media/probe.ts';
import { exists } from '../media/shelf.ts';

/** A video whose sounds are asked for, and the file that they are in. */
export interface SoundsOfVideo {
  id: string;
  title: string;
  mediaPath: string;
  /** Absolute. */
  source: string;
  sizeBytes: number;
  durationSeconds: number;
  stamp: string;
  /** Why its sounds cannot be told, or made into anything, as a sentence; else they are there. */
  why: string | null;
  sounds: Sounds;
}

const nothing: Sounds = { tracks: [], picture: null };
const mostKnown = 500;
// What ffprobe said of files, by their stamps: players ask again while they wait.
const known = new WeakMap<Archive['tasks'], Map<string, Promise<Sounds>>>();

function look(archive: Archive, key: string, path: string): Promise<Sounds> {
  const all = known.getOrInsertComputed(archive.tasks, () => new Map());
  let found = all.get(key);
  if (!found) {
    found = lookAtSounds(archive.tools.ffmpeg!, path, new AbortController().signal);
    found.catch(() => all.delete(key));
    all.set(key, found);
    if (all.size > mostKnown) all.delete(all.keys().next().value!);
  }
  return found;
}

/** The sounds that a video's file has. Throws 404 when there is no such video. */
export async function soundsOf(archive: Archive, id: string): Promise<SoundsOfVideo> {
  const { db, config, tools } = archive;
  const video = await db
    .selectFrom('video')
    .select(['id', 'title', 'mediaPath', 'sizeBytes', 'durationSeconds', 'sha256'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!video) throw notFound('video');
  const { sha256: _, ...about } = video;
  const source = join(config.mediaFolder, video.mediaPath);
  const told = { ...about, source, stamp: stampOf(video) };
  const not = (why: string) => ({ ...told, why, sounds: nothing });
  if (!tools.ffmpeg) return not('ffmpeg is not there, so only what the file plays by itself can be played.');
  if (!(await exists(source))) return not('The file is not there, so nothing can be made of it.');
  try {
    return { ...told, why: null, sounds: await look(archive, `${id} ${told.stamp}`, source) };
  } catch (problem) {
    if (problem instanceof Incomplete) return not(problem.message);
    throw problem;
  }
}
