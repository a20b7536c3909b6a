import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Archive } from '../archive.ts';
import { hasWork } from '../download/incoming.ts';
import { incomingFolder } from '../media/shelf.ts';

type Part = Pick<Archive, 'db' | 'config'>;

const pageSize = 1000;

async function* everyVideo({ db }: Part) {
  for (let after = ''; ;) {
    const rows = await db
      .selectFrom('video')
      .select(['id', 'mediaPath', 'sizeBytes', 'commentCount'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(pageSize)
      .execute();
    yield* rows;
    if (rows.length < pageSize) return;
    after = rows.at(-1)!.id;
  }
}

/** Each video has its file, of the size that was recorded. */
async function* videosWithoutTheirFile(part: Part) {
  for await (const { id, mediaPath, sizeBytes } of everyVideo(part)) {
    const found = await stat(join(part.config.mediaFolder, mediaPath)).catch(() => null);
    if (!found) yield `Video ${id} has no file: ${mediaPath} is missing.`;
    else if (found.size !== sizeBytes)
      yield `Video ${id}: ${mediaPath} has ${found.size} bytes, not ${sizeBytes} as when it was archived.`;
  }
}

/** Each file on the shelf belongs to a video. */
async function* filesOfNobody({ db, config }: Part) {
  for (const entry of await readdir(config.mediaFolder, { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name.startsWith('.')) continue;
    const known = await db.selectFrom('video').select(['mediaPath']).where('channelId', '=', entry.name).execute();
    const stems = new Set(known.map((row) => row.mediaPath.replace(/\.[^.]+$/, '')));
    const media = new Set(known.map((row) => row.mediaPath));
    const subtitles = new Set(
      (
        await db
          .selectFrom('subtitle')
          .innerJoin('video', 'video.id', 'subtitle.videoId')
          .select('path')
          .where('channelId', '=', entry.name)
          .execute()
      ).map((row) => row.path),
    );
    for (const name of await readdir(join(config.mediaFolder, entry.name))) {
      const path = `${entry.name}/${name}`;
      const isSidecar = path.endsWith('.info.json') && stems.has(path.slice(0, -'.info.json'.length));
      if (!media.has(path) && !subtitles.has(path) && !isSidecar) yield `The file ${path} belongs to no video.`;
    }
  }
}

/** What waits in the queue is not in the archive already, unless it was asked for again. */
async function* queuedTwice({ db }: Part) {
  const rows = await db
    .selectFrom('download')
    .innerJoin('video', 'video.id', 'download.id')
    .select('download.id')
    .where('download.status', '=', 'pending')
    .where('download.isForced', '=', 0)
    .execute();
  for (const { id } of rows) yield `Queue item ${id} is in the archive already.`;
}

/** Each number that is kept is the number it counts. */
async function* wrongCounts(part: Part) {
  const rows = await part.db
    .selectFrom('comment')
    .select((e) => ['videoId', e.fn.countAll<number>().as('count')])
    .groupBy('videoId')
    .execute();
  const counts = new Map(rows.map((row) => [row.videoId, row.count]));
  for await (const { id, commentCount } of everyVideo(part))
    if (commentCount !== null && commentCount !== (counts.get(id) ?? 0))
      yield `Video ${id} says ${commentCount} comments and has ${counts.get(id) ?? 0}.`;
}

/** Downloads under way belong to the queue, or are whole and wait to be put on the shelf. */
async function* strayDownloads(part: Part) {
  const folder = incomingFolder(part.config.mediaFolder);
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (!(/^\d+$/.test(name) && (await hasWork(part, Number(name)))))
      yield `${relative(part.config.mediaFolder, path)} belongs to no download.`;
  }
}

/** Every promise about files and rows that does not hold, one sentence each. Reads only; streams, whatever the size of the library. */
export async function* brokenPromises(part: Part): AsyncGenerator<string> {
  yield* videosWithoutTheirFile(part);
  yield* filesOfNobody(part);
  yield* queuedTwice(part);
  yield* wrongCounts(part);
  yield* strayDownloads(part);
}
