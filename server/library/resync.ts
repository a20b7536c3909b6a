import { extname, join } from 'node:path';
import { z } from 'zod';
import type { Archive } from '../archive.ts';
import { pagesById } from '../db/db.ts';
import { embed, readTags, takesCover, type Tags } from '../media/embed.ts';
import { exists, removeFile } from '../media/shelf.ts';
import { defineTask, type TaskDefinition } from '../task/task.ts';
import { thumbnailPath } from '../video/thumbnail-path.ts';
import { swapFile, swapPath } from './swap.ts';
import { whyNotBelieved } from './media-marker.ts';

const pageSize = 200;

const pagesOfVideos = ({ db }: Archive) =>
  pagesById((after) =>
    db
      .selectFrom('video')
      .innerJoin('channel', 'channel.id', 'video.channelId')
      .select(['video.id', 'video.title', 'video.description', 'video.url', 'video.publishedAt'])
      .select(['video.mediaPath', 'video.chapters', 'channel.name as channelName'])
      .where('video.id', '>', after)
      .orderBy('video.id')
      .limit(pageSize)
      .execute(),
  );
type Row = ReturnType<typeof pagesOfVideos> extends AsyncGenerator<(infer R)[]> ? R : never;

const tagsOf = (video: Row): Tags => ({
  title: video.title,
  artist: video.channelName,
  description: video.description ?? '',
  comment: video.url ?? '',
  date: new Date(video.publishedAt * 1000).toISOString().slice(0, 10).replaceAll('-', ''),
});

/** Embeds into one file what it does not say yet. Answers whether anything was to be done. */
async function syncOne(
  archive: Archive,
  video: Row,
  { words, signal }: { words: boolean; signal: AbortSignal },
): Promise<boolean> {
  const { config, tools } = archive;
  const { ffmpeg } = tools;
  if (!ffmpeg) throw new Error('ffmpeg is not there.');
  const path = join(config.mediaFolder, video.mediaPath);
  const ending = extname(path).toLowerCase();
  const picture = join(config.cacheFolder, thumbnailPath(video.id));
  const now = await readTags(ffmpeg, path, signal);
  const tags = tagsOf(video);
  const saysIt = now.title === tags.title && now.artist === tags.artist && now.comment === tags.comment;
  const cover = takesCover(ending) && (await exists(picture)) ? picture : null;
  const isDone = words ? saysIt && (now.hasCover || !cover) : now.hasCover || !cover;
  if (isDone) return false;
  const made = swapPath(archive, video.id, ending);
  try {
    await embed(ffmpeg, path, made, { tags: words ? tags : null, chapters: JSON.parse(video.chapters) as [], cover }, signal);
    await swapFile(archive, video.id, made);
  } finally {
    await removeFile(made);
    await removeFile(`${made}.chapters`);
  }
  return true;
}

const resync = (of: Pick<TaskDefinition, 'name' | 'title'>, { words }: { words: boolean }) =>
  defineTask<object>({
    ...of,
    group: 'setting:thumbnailsync',
    isStartable: true,
    isStoppable: true,
    input: z.object({}),

    async run({ signal, report, skip }, archive) {
      const why = await whyNotBelieved(archive);
      if (why) throw new Error(why);
      let [seen, done] = [0, 0];
      for await (const page of pagesOfVideos(archive))
        for (const video of page) {
          signal.throwIfAborted();
          report({ messages: [`Embedding: ${video.title}`, `${seen++} videos looked at, ${done} files written.`] });
          try {
            if (await syncOne(archive, video, { words, signal })) done++;
          } catch (problem) {
            signal.throwIfAborted();
            skip(video.title, problem);
          }
        }
      return done > 0 ? `Embedded into ${done} files.` : undefined;
    },
  });

/** Puts title, channel, description, date, chapters and thumbnail into every file that does not say them yet. */
export const resyncMetadata = resync({ name: 'resync_metadata', title: 'Sync Metadata to Media Files' }, { words: true });

/** Puts the thumbnail into every file that has none yet. */
export const resyncThumbs = resync({ name: 'resync_thumbs', title: 'Sync Thumbnails to Media Files' }, { words: false });
