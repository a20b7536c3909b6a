import { mkdir, readFile, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import type { Archive } from '../archive.ts';
import type { Ffmpeg } from '../media/ffmpeg.ts';
import { exists, removeFile, removeFolder, writeWhole } from '../media/shelf.ts';
import { drawStoryboard, sheetsOf, storyboardVtt } from '../media/storyboard.ts';
import { whyNotBelieved } from '../library/media-marker.ts';
import { defineTask } from '../task/task.ts';
import { storyboardPath, storyboardPaths, storyboardSheetPath } from './storyboard-path.ts';

const Input = z.object({
  /** Also those whose file gave no pictures, and those whose pictures have gone from the disk. */
  isThorough: z.boolean().default(true),
});

// Whoever looks at a list asks for it again each time.
const tellEverySeconds = 20;

interface Wanted {
  id: string;
  title: string;
  mediaPath: string;
  durationSeconds: number;
  sha256: string;
  sheets: number | null;
}

/** Videos after an id, of which there are no previews; or all, when they are to be looked at. */
const nextOf = ({ db }: Archive, after: string, isThorough: boolean): Promise<Wanted[]> =>
  db
    .selectFrom('video')
    .leftJoin('storyboard', (on) => on.onRef('storyboard.videoId', '=', 'video.id').onRef('madeOf', '=', 'video.sha256'))
    .select(['video.id', 'title', 'mediaPath', 'durationSeconds', 'sha256', 'sheets'])
    .where('video.id', '>', after)
    .$if(!isThorough, (q) => q.where('video.id', 'in', (e) => e.selectFrom('storyboardWanted').select('videoId')))
    .orderBy('video.id')
    .limit(100)
    .execute();

const inCache = ({ config }: Archive, path: string) => join(config.cacheFolder, path);

/** Whether all of a video's previews are on the disk, of the file that it has now. */
async function isThere(archive: Archive, { id, durationSeconds, sha256 }: Wanted): Promise<boolean> {
  const list = await readFile(inCache(archive, storyboardPath(id)), 'utf8').catch(() => '');
  if (!list.includes(`NOTE ${sha256}\n`)) return false;
  for (const path of storyboardPaths(id, sheetsOf(durationSeconds))) if (!(await exists(inCache(archive, path)))) return false;
  return true;
}

/** Writes down what there is. A video that was deleted meanwhile has none: its files go again. */
async function note(archive: Archive, { id, sha256, durationSeconds }: Wanted, sheets: number): Promise<void> {
  const row = { sheets, madeOf: sha256 };
  const isKnown = await archive.db
    .insertInto('storyboard')
    .columns(['videoId', 'sheets', 'madeOf'])
    .expression((e) =>
      e
        .selectFrom('video')
        .select((s) => ['id', s.val(sheets).as('sheets'), s.val(sha256).as('madeOf')])
        .where('id', '=', id),
    )
    .onConflict((c) => c.column('videoId').doUpdateSet(row))
    .returning('videoId')
    .executeTakeFirst();
  if (isKnown) return;
  for (const path of storyboardPaths(id, sheetsOf(durationSeconds))) await removeFile(inCache(archive, path));
}

/** Makes the previews of a video: drawn beside, then renamed, the list last. */
async function make(archive: Archive, ffmpeg: Ffmpeg, video: Wanted, signal: AbortSignal): Promise<number> {
  const { id, durationSeconds, sha256 } = video;
  const media = join(archive.config.mediaFolder, video.mediaPath);
  // To begin ffmpeg for each holds up everybody, where many files are gone.
  if (!(await exists(media))) throw new Error('The file is not there.');
  const beside = inCache(archive, 'storyboards/.making');
  await removeFolder(beside);
  await mkdir(beside, { recursive: true });
  try {
    const sheets = await drawStoryboard(ffmpeg, { media, durationSeconds, folder: beside }, signal);
    await mkdir(dirname(inCache(archive, storyboardPath(id))), { recursive: true });
    for (let sheet = 0; sheet < sheets; sheet++)
      await rename(join(beside, `${sheet}.jpg`), inCache(archive, storyboardSheetPath(id, sheet)));
    const list = storyboardVtt(durationSeconds, (sheet) => basename(storyboardSheetPath(id, sheet)), sha256);
    await writeWhole(inCache(archive, storyboardPath(id)), list);
    return sheets;
  } finally {
    await removeFolder(beside);
  }
}

/** Makes the pictures that show what is where in a video, for those that have none. */
export const makeStoryboards = defineTask({
  name: 'make_storyboards',
  title: 'Making previews',
  group: 'setting:storyboards',
  isStartable: true,
  isStoppable: true,
  input: Input,

  async run({ input, signal, report, skip }, archive) {
    const { ffmpeg } = archive.tools;
    if (!ffmpeg) throw new Error('ffmpeg is not there, so no previews can be made.');
    const why = await whyNotBelieved(archive);
    if (why) throw new Error(why);
    let made = 0;
    let toldAt = archive.now();
    for (let after = ''; ;) {
      const videos = await nextOf(archive, after, input.isThorough);
      if (videos.length === 0) break;
      for (const video of videos) {
        signal.throwIfAborted();
        after = video.id;
        try {
          if (await isThere(archive, video)) {
            // What was wanted is so no more: its file may be the one before again.
            if (!video.sheets || !input.isThorough) await note(archive, video, sheetsOf(video.durationSeconds));
            continue;
          }
          report({ messages: [`Making previews: ${video.title}`] });
          await note(archive, video, await make(archive, ffmpeg, video, signal));
          made++;
          if (archive.now() - toldAt < tellEverySeconds) continue;
          archive.announce('video');
          toldAt = archive.now();
        } catch (problem) {
          signal.throwIfAborted();
          // A file that is only sound, or that is not there, would be tried again for ever.
          await note(archive, video, 0);
          if (video.sheets !== 0) skip(video.title, problem);
        }
      }
    }
    if (made > 0) archive.announce('video');
    return made > 0 ? `Previews of ${made} video(s) made.` : undefined;
  },
});

const isAnyWanted = async ({ db }: Archive): Promise<boolean> =>
  (await db.selectFrom('storyboardWanted').select('videoId').limit(1).executeTakeFirst()) !== undefined;

/** Has previews made of what came since; while downloads are under way they have the machine to themselves. */
export async function wakeStoryboards(archive: Archive): Promise<void> {
  const { tasks, tools } = archive;
  if (!tools.ffmpeg || (await tasks.underWay('download_pending')).length > 0 || (await whyNotBelieved(archive))) return;
  if (await isAnyWanted(archive)) await tasks.start(makeStoryboards, { isThorough: false });
}
