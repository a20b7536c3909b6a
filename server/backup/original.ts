import { inTransaction, passingTrouble } from '../db/db.ts';
import { whyNotBelieved } from '../library/media-marker.ts';
import { counted, type Counted } from '../counted.ts';
import type { Part } from './folder.ts';
import { originalName } from './kind.ts';
import { mergeChannels } from './original-channels.ts';
import { mergeConfig } from './original-config.ts';
import { mergeDownloads, mergePlaylists } from './original-lists.ts';
import type { Counts, Merge, Merging } from './original-merge.ts';
import { pairsIn, type Pair } from './original-pairs.ts';
import { mergeComments, mergeLines } from './original-texts.ts';
import { mergeVideos } from './original-videos.ts';
import type { Restoring } from './restore.ts';
import { openZip } from './zip.ts';

// The backup of the original program comes into what is here: channels before their videos, those before what hangs on them.
// Every batch is a transaction and may be done again, so a kill in the middle costs nothing but time.

const order: [index: string, words: Counted, merge: Merge][] = [
  ['config', { one: 'setting', other: 'settings' }, mergeConfig],
  ['channel', { one: 'channel', other: 'channels' }, mergeChannels],
  ['video', { one: 'video', other: 'videos' }, mergeVideos],
  ['download', { one: 'queue item', other: 'queue items' }, mergeDownloads],
  ['playlist', { one: 'playlist', other: 'playlists' }, mergePlaylists],
  ['subtitle', { one: 'subtitle line', other: 'subtitle lines' }, mergeLines],
  ['comment', { one: 'video with comments', other: 'videos with comments' }, mergeComments],
];

const wereHere = { one: 'was here', other: 'were here' };
const inPlace = { one: 'with its file in its place', other: 'with their file in its place' };
const problemWords = { one: 'problem', other: 'problems' };

const pairsAtOnce = 200;
const charactersAtOnce = 8 * 1024 * 1024;
const mostTold = 20;

export interface Wish extends Pick<Restoring, 'signal' | 'report' | 'skip' | 'keepPresent'> {
  dryRun: boolean;
  watchedFor: 'me' | 'all';
  /** Who asks; the first staff account when it is a console. */
  accountId: number | null;
  /** Set where an earlier start began it already. */
  againSince?: number | null;
}

async function* batchesOf(pairs: AsyncIterable<Pair & { characters: number }>): AsyncGenerator<Pair[]> {
  let batch = new Map<string, Pair>();
  let size = 0;
  for await (const { id, doc, characters } of pairs) {
    batch.delete(id); // of two with one id the later one counts
    batch.set(id, { id, doc });
    size += characters;
    if (batch.size < pairsAtOnce && size < charactersAtOnce) continue;
    yield [...batch.values()];
    [batch, size] = [new Map(), 0];
  }
  if (batch.size > 0) yield [...batch.values()];
}

/** Takes in a batch; where one document spoils it, the others one by one. */
async function take(merge: Merge, batch: Pair[], merging: Merging, signal: AbortSignal): Promise<Counts> {
  const { part, dryRun, problem, files, tracks, come } = merging;
  if (dryRun) return merge(part.db, batch, merging);
  // What is told and noted on the way holds only when the batch does.
  const told: [what: string, why: string][] = [];
  const filesBefore = files.found;
  try {
    const counts = await inTransaction(part.db, (tx) =>
      merge(tx, batch, { ...merging, problem: (what, why) => void told.push([what, why]) }),
    );
    for (const [what, why] of told) problem(what, why);
    return counts;
  } catch (error) {
    files.found = filesBefore;
    tracks.clear();
    for (const { id } of batch) come.delete(id);
    signal.throwIfAborted();
    if (passingTrouble(error)) throw error;
    if (batch.length === 1) {
      problem(batch[0]!.id, `It cannot be taken in: ${(error as Error).message}`);
      return { found: 0, here: 0 };
    }
  }
  const all = { found: 0, here: 0 };
  for (const one of batch) {
    const { found, here } = await take(merge, [one], merging, signal);
    all.found += found;
    all.here += here;
  }
  return all;
}

async function people({ db }: Part, { accountId, watchedFor }: Wish) {
  const rows = await db.selectFrom('account').select(['id', 'isStaff']).orderBy('id').execute();
  const asker = accountId ?? rows.find(({ isStaff }) => isStaff === 1)?.id ?? null;
  return { asker, accounts: watchedFor === 'all' ? rows.map(({ id }) => id) : asker === null ? [] : [asker] };
}

/**
 * Merges a backup of the original program into what is here, or only says what that would do. Nothing of ours is lost: what is
 * here and newer, or has its file, stays. Answers the sentence of the result.
 */
export async function importOriginal(part: Part, path: string, wish: Wish): Promise<string> {
  const { dryRun, signal, report, skip } = wish;
  const notBelieved = await whyNotBelieved(part);
  if (notBelieved) throw new Error(notBelieved);
  const zip = await openZip(path);
  try {
    const kept = dryRun || wish.againSince ? null : await wish.keepPresent();
    let problems = 0;
    const merging: Merging = {
      part,
      dryRun,
      ...(await people(part, wish)),
      known: new Set(),
      come: new Set(),
      tracks: new Map(),
      files: { found: 0 },
      problem(what, why) {
        if (problems++ < mostTold) skip(what, why);
      },
    };
    const told: string[] = [];
    let done = 0;
    for (const [index, words, merge] of order) {
      const all: Counts = { found: 0, here: 0 };
      merging.come.clear();
      const parts = [...zip.entries.values()]
        .filter(({ name }) => originalName.exec(name)?.[1] === index)
        .sort((a, b) => Number(originalName.exec(a.name)?.[2] ?? 0) - Number(originalName.exec(b.name)?.[2] ?? 0));
      for (const entry of parts) {
        const read = async function* () {
          for await (const piece of entry.read(signal)) {
            done += piece.length;
            yield piece;
          }
        };
        for await (const batch of batchesOf(pairsIn(read(), { index, name: entry.name, problem: merging.problem }))) {
          signal.throwIfAborted();
          const { found, here } = await take(merge, batch, merging, signal);
          all.found += found;
          all.here += here;
          report({
            messages: [dryRun ? 'Looking into the backup.' : 'Restoring from backup.', `${counted(all.found, words)}.`],
            progress: done / Math.max(1, zip.bytes),
          });
        }
      }
      if (all.found > 0) told.push(`${counted(all.found, words)}${all.here > 0 ? ` (${counted(all.here, wereHere)})` : ''}`);
      if (index === 'video' && all.found > 0) told.push(counted(merging.files.found, inPlace));
    }
    const what = told.length > 0 ? told.join(', ') : 'nothing that can be taken in';
    const wrong =
      problems > 0 ? ` ${counted(problems, problemWords)}${problems > mostTold ? `, of which ${mostTold} are told` : ''}.` : '';
    if (dryRun) return `It would bring ${what}.${wrong} Nothing was changed.`;
    return `backup restore completed: ${what}.${wrong}${kept ? ` What was here before is kept as ${kept}.` : ''}`;
  } finally {
    zip.close();
  }
}
