import { MessageError } from '../../platform/messages/message-error.ts';
import { message, messages } from '#contract/messages.ts';
import { mkdir, readFile, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import type { AppContext } from '../../platform/context/app-context.ts';
import type { Ffmpeg } from '../../platform/media/ffmpeg.ts';
import { removeFolder, writeAtomically } from '../../platform/files/files.ts';
import { localPathOrNull, StorageError } from '../../platform/storage/file-store.ts';
import { inCache, resolveStoredPath } from '../../platform/storage/stored-path.ts';
import { renderStoryboard, sheetsOf, storyboardVtt } from '../../platform/media/storyboard.ts';
import { inTransaction } from '../../platform/db/db.ts';
import { cancelDeletion } from '../../archive/storage/pending-deletions.ts';
import { whyMediaUnavailable } from '../../archive/storage/mount-check.ts';
import { defineTask } from '../../platform/context/task.ts';
import { storyboardPath, storyboardPaths, storyboardSheetPath } from '../../archive/storage/storyboard-path.ts';
import { isBusy, restAfter, untilQuiet } from './quiet-work.ts';

const Input = z.object({
  /** Includes videos that produced no images, and those whose images are missing on disk. */
  isThorough: z.boolean().default(true),
});

// Interval between announcements, because open lists reload on each.
const tellEverySeconds = 20;

interface Wanted {
  id: string;
  title: string;
  mediaPath: string;
  durationSeconds: number;
  sha256: string;
  sheets: number | null;
}

/** Returns the next videos after an id without a storyboard; with `isThorough`, all videos. */
const nextOf = ({ db }: AppContext, after: string, isThorough: boolean): Promise<Wanted[]> =>
  db
    .selectFrom('video')
    .leftJoin('storyboard', (on) => on.onRef('storyboard.videoId', '=', 'video.id').onRef('sourceSha256', '=', 'video.sha256'))
    .select(['video.id', 'title', 'mediaPath', 'durationSeconds', 'sha256', 'sheets'])
    .where('video.id', '>', after)
    .$if(!isThorough, (q) => q.where('video.id', 'in', (e) => e.selectFrom('storyboardPending').select('videoId')))
    .orderBy('video.id')
    .limit(100)
    .execute();

const localOf = (app: AppContext, path: string) => resolveStoredPath(app, inCache(path));

/**
 * Returns the number of storyboard files of each video in the bucket; null for folders. A run that looks at all videos cannot ask
 * the bucket for each file.
 */
async function countFiles({ files }: AppContext, signal: AbortSignal): Promise<Map<string, number> | null> {
  if (!files.isRemote) return null;
  const counts = new Map<string, number>();
  for await (const { path } of files.list(inCache('storyboards/'), signal)) {
    const [, id] = /\/([^/]+)(?:_\d\.jpg|\.vtt)$/.exec(path) ?? [];
    if (id) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

/** Returns whether the storyboard of the present video file is complete. */
async function isThere(
  { files }: AppContext,
  { id, durationSeconds, sha256, sheets }: Wanted,
  counts: Map<string, number> | null,
): Promise<boolean> {
  const paths = storyboardPaths(id, sheetsOf(durationSeconds));
  if (counts) {
    if (counts.get(id) !== paths.length) return false;
    if (sheets) return true; // the row was written after the files
  }
  const list = await localPathOrNull(files, inCache(storyboardPath(id)));
  if (!list || !(await readFile(list, 'utf8')).includes(`NOTE ${sha256}\n`)) return false;
  for (const path of paths) if (!(await files.stat(inCache(path)))) return false;
  return true;
}

/** Stores the result. If the video was deleted meanwhile, its files are removed. */
async function note(app: AppContext, { id, sha256, durationSeconds }: Wanted, sheets: number): Promise<void> {
  const row = { sheets, sourceSha256: sha256 };
  const isKnown = await app.db
    .insertInto('storyboard')
    .columns(['videoId', 'sheets', 'sourceSha256'])
    .expression((e) =>
      e
        .selectFrom('video')
        .select((s) => ['id', s.val(sheets).as('sheets'), s.val(sha256).as('sourceSha256')])
        .where('id', '=', id),
    )
    .onConflict((c) => c.column('videoId').doUpdateSet(row))
    .returning('videoId')
    .executeTakeFirst();
  if (isKnown) return;
  for (const path of storyboardPaths(id, sheetsOf(durationSeconds))) await app.files.remove(inCache(path));
}

/** Creates the storyboard of a video: rendered in a temporary folder, renamed and saved, the list file last. */
async function make(app: AppContext, ffmpeg: Ffmpeg, video: Wanted, signal: AbortSignal): Promise<number> {
  const { id, durationSeconds, sha256 } = video;
  const { files } = app;
  // Checked first: starting ffmpeg for each file is expensive if many are missing.
  const media = await localPathOrNull(files, video.mediaPath, signal);
  if (!media) throw new MessageError(message('files.missing'));
  // Those of an earlier copy of the video, which could not be deleted yet, would take the new ones with them.
  const paths = storyboardPaths(id, sheetsOf(durationSeconds)).map(inCache);
  await inTransaction(app.db, (tx) => cancelDeletion(tx, paths));
  const temporaryFolder = localOf(app, 'storyboards/.making');
  await removeFolder(temporaryFolder);
  await mkdir(temporaryFolder, { recursive: true });
  try {
    const sheets = await renderStoryboard(ffmpeg, { media, durationSeconds, folder: temporaryFolder }, signal);
    await mkdir(dirname(localOf(app, storyboardPath(id))), { recursive: true });
    for (let sheet = 0; sheet < sheets; sheet++) {
      const path = storyboardSheetPath(id, sheet);
      await rename(join(temporaryFolder, `${sheet}.jpg`), localOf(app, path));
      await files.save(inCache(path), signal);
    }
    const list = storyboardVtt(durationSeconds, (sheet) => basename(storyboardSheetPath(id, sheet)), sha256);
    await writeAtomically(localOf(app, storyboardPath(id)), list);
    await files.save(inCache(storyboardPath(id)), signal);
    return sheets;
  } finally {
    await removeFolder(temporaryFolder);
  }
}

/** Creates storyboards (preview images) for videos without them. */
export const makeStoryboards = defineTask({
  name: 'make_storyboards',
  title: messages['task.make_storyboards'],
  group: 'setting:storyboards',
  isStartable: true,
  isStoppable: true,
  isPausable: true,
  needs: ['ffmpeg'],
  input: Input,

  async run(work, app) {
    const { input, signal, report, skip } = work;
    const { ffmpeg } = app.tools;
    if (!ffmpeg) throw new MessageError(message('previews.no-ffmpeg'));
    const why = await whyMediaUnavailable(app);
    if (why) throw new MessageError(why);
    let made = 0;
    let toldAt = app.now();
    const counts = input.isThorough ? await countFiles(app, signal) : null;
    for (let after = ''; ;) {
      const videos = await nextOf(app, after, input.isThorough);
      if (videos.length === 0) break;
      for (const video of videos) {
        signal.throwIfAborted();
        after = video.id;
        try {
          if (await isThere(app, video, counts)) {
            // The files are already complete, for example after the previous video file was restored.
            if (!video.sheets || !input.isThorough) await note(app, video, sheetsOf(video.durationSeconds));
            continue;
          }
          await untilQuiet(app, work, input.isThorough);
          report({ messages: [message('previews.running', { title: video.title })] });
          const begun = performance.now();
          await note(app, video, await make(app, ffmpeg, video, signal));
          made++;
          if (!input.isThorough) await restAfter(performance.now() - begun, signal);
          if (app.now() - toldAt < tellEverySeconds) continue;
          app.announce('video');
          toldAt = app.now();
        } catch (problem) {
          signal.throwIfAborted();
          if (problem instanceof StorageError) throw problem;
          // Recorded, because an audio-only or missing file would be retried forever.
          await note(app, video, 0);
          if (video.sheets !== 0) skip(video.title, problem as Error);
        }
      }
    }
    if (made > 0) app.announce('video');
    return made > 0 ? message('previews.done', { count: made }) : undefined;
  },
});

const isAnyWanted = async ({ db }: AppContext): Promise<boolean> =>
  (await db.selectFrom('storyboardPending').select('videoId').limit(1).executeTakeFirst()) !== undefined;

/** Starts the task for new videos, unless a video is being played or downloaded. */
export async function startStoryboardsIfDue(app: AppContext): Promise<void> {
  const { tasks, tools } = app;
  if (!tools.ffmpeg || (await isBusy(app)) || (await whyMediaUnavailable(app))) return;
  if (await isAnyWanted(app)) await tasks.start(makeStoryboards, { isThorough: false });
}
