import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { partialRenditionsFolder } from '../../archive/storage/rendition-files.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { exists, removeFile } from '../../platform/files/files.ts';
import { readAudioTracks, type AudioTracks } from '../../platform/media/audio-tracks.ts';
import { IncompleteFileError } from '../../platform/media/probe.ts';
import { resolveStoredPath } from '../../platform/storage/stored-path.ts';

/** Containers describe their tracks at the start or at the end; the index of an hour of MP4 has about 3 MB. */
const endBytes = 8 * 2 ** 20;

/** Calls `use` with a file that has the start and the end of a file in a bucket, and between them a hole. */
async function withEnds<T>(app: AppContext, path: string, sizeBytes: number, use: (local: string) => Promise<T>): Promise<T> {
  const folder = partialRenditionsFolder(app);
  const local = join(folder, `${randomUUID()}${extname(path)}`);
  await mkdir(folder, { recursive: true });
  try {
    await writeFile(local, '');
    await truncate(local, sizeBytes);
    for (const [from, to] of [[0, endBytes - 1] as const, [sizeBytes - endBytes, sizeBytes - 1] as const]) {
      const stream = await app.files.read(path, { from, to });
      await pipeline(stream, createWriteStream(local, { flags: 'r+', start: from }));
    }
    return await use(local);
  } finally {
    await removeFile(local);
  }
}

/**
 * Reads the audio tracks of a media file. Of a large file in a bucket only the start and the end are fetched, because a server
 * that only lists tracks does not need the rest.
 * @throws IncompleteFileError if the file cannot be read
 */
export async function readTracks(app: AppContext, path: string, sizeBytes: number): Promise<AudioTracks> {
  const { files } = app;
  const read = (local: string) => readAudioTracks(app.tools.ffmpeg!, local, new AbortController().signal);
  if (files.isRemote && sizeBytes > 3 * endBytes && !(await exists(resolveStoredPath(app, path)))) {
    const found = await withEnds(app, path, sizeBytes, read).catch((error: unknown) => {
      if (!(error instanceof IncompleteFileError)) throw error;
      return null; // the description is elsewhere
    });
    if (found && (found.picture || found.tracks.length > 0)) return found;
  }
  return read(await files.localPath(path));
}
