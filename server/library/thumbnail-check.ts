import { mkdir, opendir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Archive } from '../archive.ts';
import { refreshChannel } from '../channel/refresh-channel.ts';
import { pagesById } from '../db/db.ts';
import { fetchThumbnail } from '../download/thumbnail.ts';
import { withPicture } from '../media/fetch-picture.ts';
import { exists, removeFile } from '../media/shelf.ts';
import { makeThumbnail, stillOf } from '../media/thumbnail.ts';
import { artFromVideo, playlistArtPath } from '../playlist/artwork.ts';
import { defineTask, type Work } from '../task/task.ts';
import { thumbnailPath } from '../video/thumbnail-path.ts';

interface Round {
  archive: Archive;
  work: Work<object>;
  counts: { made: number; removed: number };
}

const pageSize = 500;

/** The picture of a video: its site's where that is known to stand at a certain place, else a still of the file. */
async function mendVideo(
  { archive, work, counts }: Round,
  video: { id: string; site: string; siteId: string; mediaPath: string; durationSeconds: number },
) {
  const { config, tools } = archive;
  const target = join(config.cacheFolder, thumbnailPath(video.id));
  const { ffmpeg, gate } = tools;
  if (!ffmpeg || (await exists(target))) return;
  await mkdir(dirname(target), { recursive: true });
  try {
    if (video.site !== 'youtube') throw new Error('the site has no certain place for it');
    const url = `https://i.ytimg.com/vi/${encodeURIComponent(video.siteId)}/hq720.jpg`;
    await withPicture(gate.fetch, url, target, work.signal, (path) => makeThumbnail(ffmpeg, path, target, work.signal));
  } catch {
    work.signal.throwIfAborted();
    await stillOf(ffmpeg, join(config.mediaFolder, video.mediaPath), video.durationSeconds / 10, target, work.signal);
  }
  counts.made++;
}

async function mendVideos(round: Round) {
  const { archive, work } = round;
  const next = (after: string) =>
    archive.db
      .selectFrom('video')
      .select(['id', 'title', 'site', 'siteId', 'mediaPath', 'durationSeconds'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(pageSize)
      .execute();
  for await (const page of pagesById(next)) {
    work.report({ messages: ['Looking at thumbnails of videos.'] });
    for (const video of page) {
      work.signal.throwIfAborted();
      await mendVideo(round, video).catch((problem: unknown) => work.skip(video.title, problem));
    }
  }
}

async function mendChannels({ archive, work, counts }: Round) {
  const channels = await archive.db.selectFrom('channel').select(['id', 'name', 'hasThumb']).where('isActive', '=', 1).execute();
  for (const { id, name, hasThumb } of channels) {
    work.signal.throwIfAborted();
    if (!hasThumb || (await exists(join(archive.config.cacheFolder, 'channels', `${id}_thumb.jpg`)))) continue;
    work.report({ messages: [`Fetching the pictures of ${name}.`] });
    await refreshChannel(archive, id, work.signal).then(
      () => counts.made++,
      (problem: unknown) => work.skip(name, problem),
    );
  }
}

async function mendPlaylists({ archive, counts }: Round) {
  const { db, config } = archive;
  for (const { id } of await db.selectFrom('playlist').select('id').execute()) {
    if (await exists(join(config.cacheFolder, playlistArtPath(id)))) continue;
    const first = await db
      .selectFrom('playlistEntry')
      .innerJoin('video', 'video.id', 'playlistEntry.videoId')
      .select('video.id')
      .where('playlistId', '=', id)
      .orderBy('position')
      .limit(1)
      .executeTakeFirst();
    if (first && (await artFromVideo(archive, id, first.id))) counts.made++;
  }
}

const mostOfQueue = 300; // those that are seen first; the others get theirs when their turn comes

async function mendQueue({ archive, work }: Round) {
  const items = await archive.db
    .selectFrom('download')
    .select(['id', 'thumbnailUrl'])
    .where('status', '=', 'pending')
    .where('thumbnailUrl', 'is not', null)
    .orderBy('autoStart', 'desc')
    .orderBy('queuedAt')
    .limit(mostOfQueue)
    .execute();
  for (const { id, thumbnailUrl } of items) {
    work.signal.throwIfAborted();
    await fetchThumbnail(archive, id, thumbnailUrl!, work.signal);
  }
}

/** Removes pictures of things that are no more. `known` says which of some ids there are. */
async function clear(
  { archive, work, counts }: Round,
  folder: string,
  idOf: (name: string) => string | null,
  known: (ids: string[]) => Promise<Set<string>>,
) {
  const root = join(archive.config.cacheFolder, folder);
  if (!(await exists(root))) return;
  const look = async (batch: Map<string, string>) => {
    const there = await known([...new Set(batch.values())]);
    for (const [name, id] of batch)
      if (!there.has(id)) {
        await removeFile(join(root, name));
        counts.removed++;
      }
    batch.clear();
  };
  const batch = new Map<string, string>();
  for await (const entry of await opendir(root)) {
    work.signal.throwIfAborted();
    const id = entry.isFile() ? idOf(entry.name) : null;
    if (id === null) continue;
    batch.set(entry.name, id);
    if (batch.size >= pageSize) await look(batch);
  }
  if (batch.size > 0) await look(batch);
}

async function clearAll(round: Round) {
  const { archive } = round;
  const { db, config } = archive;
  const of = (table: 'video' | 'channel' | 'playlist' | 'download') => async (ids: string[]) =>
    new Set((await db.selectFrom(table).select('id').where('id', 'in', ids).execute()).map(({ id }) => id));
  const [video, download] = [of('video'), of('download')];
  const plain = (name: string) => (name.endsWith('.jpg') ? name.slice(0, -4) : null);
  const either = async (ids: string[]) => new Set([...(await video(ids)), ...(await download(ids))]);
  const preview = (name: string) => /^(.+)(_\d\.jpg|\.vtt)$/.exec(name)?.[1] ?? null;
  for (const [folder, idOf, known] of [
    ['videos', plain, either],
    ['storyboards', preview, video],
  ] as const) {
    const root = join(config.cacheFolder, folder);
    if (!(await exists(root))) continue;
    for await (const entry of await opendir(root))
      if (entry.isDirectory() && entry.name.length === 1) await clear(round, join(folder, entry.name), idOf, known);
  }
  const channel = of('channel');
  const inBin = async (ids: string[]) =>
    (await db.selectFrom('bin').select('channelId').distinct().where('channelId', 'in', ids).execute()).map(
      (row) => row.channelId,
    );
  const channelOrBin = async (ids: string[]) => new Set([...(await channel(ids)), ...(await inBin(ids))]);
  await clear(round, 'channels', (name) => /^(.+)_(thumb|banner|tvart)\.jpg$/.exec(name)?.[1] ?? null, channelOrBin);
  await clear(round, 'playlists', plain, of('playlist'));
}

/** Fetches pictures that are missing, and removes those that belong to nothing any more. */
export const thumbnailCheck = defineTask<object>({
  name: 'thumbnail_check',
  title: 'Check your Thumbnails',
  group: 'setting:thumbnailcheck',
  isStartable: true,
  isStoppable: true,
  schedule: { auto: '0 17 *' },
  input: z.object({}),

  async run(work, archive) {
    const round: Round = { archive, work, counts: { made: 0, removed: 0 } };
    await mendVideos(round);
    await mendChannels(round);
    await mendPlaylists(round);
    await mendQueue(round);
    await clearAll(round);
    archive.announce('video', 'channel', 'playlist', 'download');
    const { made, removed } = round.counts;
    return made + removed > 0 ? `${made} thumbnails made, ${removed} removed.` : undefined;
  },
});
