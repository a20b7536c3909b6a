import { createHash } from 'node:crypto';
import { mkdir, readdir, rename } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import type { Chapter, Sponsorblock } from '#contract/video.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { chunks } from '../../platform/db/db.ts';
import { exists, removeFile } from '../../platform/files/files.ts';
import { embed } from '../../platform/media/embed.ts';
import type { ViewVideo } from './content.ts';

// Copies of media files with chapters and sponsor segments as chapters, for views that want them. They are in the cache folder,
// `chapters/<id>.<stamp>.<extension>`, shared by all views, and can be made again at any time.

declare module '../../platform/context/app-state.ts' {
  interface AppState {
    /** Views that are being updated; one update of a view runs at a time. */
    viewUpdates: Map<number, Promise<void>>;
  }
}

/** Names of SponsorBlock categories in chapter tracks; they are part of a file, so they are not translated. */
const segmentNames: Record<string, string> = {
  sponsor: 'Sponsor',
  selfpromo: 'Self-promotion',
  interaction: 'Interaction reminder',
  intro: 'Intro',
  outro: 'Endcards/Credits',
  preview: 'Preview/Recap',
  hook: 'Hook/Greetings',
  filler: 'Filler',
  music_offtopic: 'Non-music section',
};

const minimumSeconds = 1;

/**
 * Returns the chapters of a video with its segments among them: a segment interrupts the chapter it lies in, which continues
 * after it. Parts without a chapter have the title of the video. Empty if there are neither chapters nor segments.
 */
export function chapterTrack(
  { title, durationSeconds }: { title: string; durationSeconds: number },
  chapters: Chapter[],
  sponsorblock: Sponsorblock | null,
): Chapter[] {
  const segments = (sponsorblock?.is_enabled ? sponsorblock.segments : [])
    .filter(({ actionType, segment: [start, end] }) => actionType === 'skip' && end - start >= minimumSeconds)
    .map(({ category, segment: [start, end] }) => ({
      title: `[SponsorBlock]: ${segmentNames[category] ?? category}`,
      start: Math.max(0, start),
      end: Math.min(durationSeconds, end),
    }));
  if (chapters.length === 0 && segments.length === 0) return [];
  const covers = (at: number) => (one: Chapter) => one.start <= at && at < one.end;
  const times = [0, durationSeconds, ...[...chapters, ...segments].flatMap(({ start, end }) => [start, end])]
    .filter((time) => time >= 0 && time <= durationSeconds)
    .toSorted((a, b) => a - b);
  const track: Chapter[] = [];
  for (const [index, start] of times.entries()) {
    const end = times[index + 1];
    if (end === undefined || end <= start) continue;
    const at = (start + end) / 2;
    const name = (segments.find(covers(at)) ?? chapters.find(covers(at)))?.title ?? title;
    const last = track.at(-1);
    if (last && (last.title === name || end - start < minimumSeconds)) last.end = end;
    else track.push({ title: name, start, end });
  }
  return track;
}

const folderOf = ({ config }: Pick<AppContext, 'config'>) => join(config.cacheFolder, 'chapters');
const nameOf = (id: string, stamp: string, ending: string) => `${id}.${stamp}${ending}`;

/** Containers whose chapters media servers read. */
const endings = new Set(['.mp4', '.m4v', '.m4a', '.mov', '.mkv', '.webm']);

/** Returns the copy of a video with its chapters, made now if it is missing; null if the video has none. */
export async function chapterCopy(
  app: AppContext,
  video: ViewVideo,
  source: string,
  signal: AbortSignal,
): Promise<{ path: string; stamp: string } | null> {
  const { ffmpeg } = app.tools;
  const ending = extname(source).toLowerCase();
  if (!ffmpeg || !endings.has(ending)) return null;
  const chapters = chapterTrack(
    video,
    JSON.parse(video.chapters) as Chapter[],
    video.sponsorblock === null ? null : (JSON.parse(video.sponsorblock) as Sponsorblock),
  );
  if (chapters.length === 0 || !(await exists(source))) return null;
  const stamp = createHash('sha1')
    .update(video.sha256 + JSON.stringify(chapters))
    .digest('hex');
  const path = join(folderOf(app), nameOf(video.id, stamp, ending));
  if (await exists(path)) return { path, stamp };
  await mkdir(dirname(path), { recursive: true });
  // The extension tells ffmpeg the container.
  const made = join(dirname(path), `.making-${nameOf(video.id, stamp, ending)}`);
  try {
    await embed(ffmpeg, source, made, { tags: null, chapters, replacesChapters: true, cover: null }, signal);
    await rename(made, path);
  } finally {
    await removeFile(made);
    await removeFile(`${made}.chapters`);
  }
  return { path, stamp };
}

/** Removes copies that no view contains any more, unless another view is being updated, which may be about to use them. */
export async function removeUnusedCopies(app: AppContext): Promise<void> {
  if (app.state.viewUpdates.size > 1) return;
  const folder = folderOf(app);
  const names = await readdir(folder).catch(() => [] as string[]);
  for (const some of chunks(names, 500)) {
    const parsed = some.map((name) => {
      const [, id = '', stamp = ''] = /^(.+)\.([0-9a-f]{40})\.\w+$/.exec(name) ?? [];
      return { name, id, stamp };
    });
    const rows = await app.db
      .selectFrom('viewFile')
      .select(['owner', 'stamp'])
      .where(
        'owner',
        'in',
        parsed.map(({ id }) => id),
      )
      .where('part', '=', 'media')
      .execute();
    const used = new Set(rows.map(({ owner, stamp }) => `${owner} ${stamp.split(' ').at(-1)}`));
    for (const { name, id, stamp } of parsed) if (!used.has(`${id} ${stamp}`)) await removeFile(join(folder, name));
  }
}
