import { message, messages } from '#contract/messages.ts';
import { extname } from 'node:path';
import { z } from 'zod';
import type { AppContext } from '../../platform/context/app-context.ts';
import { pagesById } from '../../platform/db/db.ts';
import { embed, readTags, canEmbedCover, type Tags } from '../../platform/media/embed.ts';
import { MessageError } from '../../platform/messages/message-error.ts';
import { localPathOrNull } from '../../platform/storage/file-store.ts';
import { inCache } from '../../platform/storage/stored-path.ts';
import { removeFile } from '../../platform/files/files.ts';
import { defineTask, type TaskDefinition } from '../../platform/context/task.ts';
import { thumbnailPath } from '../../archive/storage/thumbnail-path.ts';
import { replaceFile, replacementPath } from '../../archive/storage/replace-file.ts';
import { whyMediaUnavailable } from '../../archive/storage/mount-check.ts';

const pageSize = 200;

const pagesOfVideos = ({ db }: AppContext) =>
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

/** Embeds the missing metadata into one file. Returns whether the file was changed. */
async function syncOne(
  app: AppContext,
  video: Row,
  { words, signal }: { words: boolean; signal: AbortSignal },
): Promise<boolean> {
  const { files, tools } = app;
  const { ffmpeg } = tools;
  if (!ffmpeg) throw new MessageError(message('files.no-ffmpeg'));
  const path = await files.localPath(video.mediaPath, signal);
  const ending = extname(path).toLowerCase();
  const picture = canEmbedCover(ending) ? await localPathOrNull(files, inCache(thumbnailPath(video.id)), signal) : null;
  const now = await readTags(ffmpeg, path, signal);
  const tags = tagsOf(video);
  const saysIt = now.title === tags.title && now.artist === tags.artist && now.comment === tags.comment;
  const isDone = words ? saysIt && (now.hasCover || !picture) : now.hasCover || !picture;
  if (isDone) return false;
  const made = replacementPath(app, video.id, ending);
  try {
    await embed(
      ffmpeg,
      path,
      made,
      { tags: words ? tags : null, chapters: JSON.parse(video.chapters) as [], cover: picture },
      signal,
    );
    await replaceFile(app, video.id, made, { signal });
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
    needs: ['ffmpeg'],
    input: z.object({}),

    async run({ signal, report, skip }, app) {
      const why = await whyMediaUnavailable(app);
      if (why) throw new MessageError(why);
      let [seen, done] = [0, 0];
      for await (const page of pagesOfVideos(app))
        for (const video of page) {
          signal.throwIfAborted();
          report({
            messages: [
              message('files.embedding', { title: video.title }),
              message('files.embedding-progress', { seen: seen++, done }),
            ],
          });
          try {
            if (await syncOne(app, video, { words, signal })) done++;
          } catch (problem) {
            signal.throwIfAborted();
            skip(video.title, problem as Error);
          }
        }
      return done > 0 ? message('files.embedded', { count: done }) : undefined;
    },
  });

/** Embeds title, channel, description, date, chapters and thumbnail into every file that lacks them. */
export const resyncMetadata = resync({ name: 'resync_metadata', title: messages['task.resync_metadata'] }, { words: true });

/** Embeds the thumbnail into every file that lacks one. */
export const resyncThumbnails = resync({ name: 'resync_thumbs', title: messages['task.resync_thumbs'] }, { words: false });
