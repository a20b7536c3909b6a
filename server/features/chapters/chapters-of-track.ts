import { message } from '#contract/messages.ts';
import type { Chapter } from '#contract/video.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import type { TaskWork } from '../../platform/context/task.ts';
import { temporaryFailure, type Db } from '../../platform/db/db.ts';
import { linesOf } from '../meaning/store.ts';
import { frequencies } from '../search/text/term-dictionary.ts';
import { tokenize } from '../search/text/tokenizer.ts';
import { chapterTitles, type Rarity } from './chapter-titles.ts';
import { findBoundaries } from './find-boundaries.ts';
import { countPieces, passagesOf, type SpokenTrack } from './store.ts';

/** A line with its words. */
type Line = Awaited<ReturnType<typeof linesOf>>[number] & { words: string[] };

/** Returns where chapters begin, in seconds, and the lines of the transcript. Without ten minutes of speech there are none. */
export async function startsOfTrack(db: Db, track: SpokenTrack): Promise<{ starts: number[]; lines: Line[] }> {
  const passages = await passagesOf(db, track);
  if (passages.length === 0) return { starts: [], lines: [] };
  const lines = (await linesOf(db, track.videoId, track.lang)).map((line) => ({ ...line, words: tokenize(line.text) }));
  return { starts: findBoundaries(passages, lines), lines };
}

/** Returns how rare words are in the transcripts of the archive. */
async function rarityOf(db: Db, lines: readonly Line[]): Promise<Rarity> {
  const words = new Set(lines.flatMap((line) => line.words));
  const [known, pieces] = await Promise.all([frequencies(db, 'l', [...words]), countPieces(db)]);
  return (word) => Math.max(0, 1 - Math.log(1 + (known.get(word) ?? 0)) / Math.log(2 + pieces));
}

/** Returns the chapters of a transcript; none if there is too little speech, or too few subjects. */
export async function chaptersOfTrack(db: Db, track: SpokenTrack, durationSeconds: number): Promise<Chapter[]> {
  const { starts, lines } = await startsOfTrack(db, track);
  if (starts.length === 0) return [];
  const rarity = await rarityOf(db, lines);
  const chapterAt = Map.groupBy(lines, ({ startSeconds }) =>
    Math.max(
      0,
      starts.findLastIndex((start) => start <= startSeconds),
    ),
  );
  const titles = chapterTitles(
    starts.map((_, place) => chapterAt.get(place) ?? []),
    rarity,
  );
  return starts.map((start, place) => {
    const end = starts[place + 1] ?? Math.max(start, durationSeconds);
    return { title: titles[place]!, start, end, is_generated: true };
  });
}

/** Returns the result of `find`; undefined, and a line in the log of the run, if it fails because of this video. */
export async function tryTrack<T>(
  { log }: AppContext,
  { skip }: TaskWork<unknown>,
  { videoId }: SpokenTrack,
  find: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await find();
  } catch (error) {
    if (temporaryFailure(error)) throw error;
    log.warn({ err: error, videoId }, 'cannot find chapters');
    skip(videoId, message('chapters.failed'), { videoId });
    return undefined;
  }
}
