import { message, type Message } from '#contract/messages.ts';
import { inTransaction, temporaryFailure } from '../../../platform/db/db.ts';
import { whyMediaUnavailable } from '../../../archive/storage/mount-check.ts';
import { MessageError, messagesOf } from '../../../platform/messages/message-error.ts';
import type { BackupContext } from '../files/backup-files.ts';
import { tubearchivistName } from '../files/detect-format.ts';
import { mergeChannels } from './channels.ts';
import { mergeConfig } from './settings.ts';
import { mergeDownloads, mergePlaylists } from './queue-and-playlists.ts';
import type { MergeCounts, Merge, MergeContext } from './merge-context.ts';
import { readBulkPairs, type BulkPair } from './bulk-pairs.ts';
import { mergeComments, mergeTranscripts } from './transcripts-and-comments.ts';
import { mergeVideos } from './videos.ts';
import type { RestoreContext } from '../restore/restore.ts';
import { openZip } from '../../../platform/files/zip.ts';

// A TubeArchivist backup is merged into the archive: channels, then their videos, then everything that refers to videos. Every
// batch is an idempotent transaction, so a killed import can be repeated safely.

const order = [
  ['config', 'count.setting', mergeConfig],
  ['channel', 'count.channel', mergeChannels],
  ['video', 'count.video', mergeVideos],
  ['download', 'count.queue-item', mergeDownloads],
  ['playlist', 'count.playlist', mergePlaylists],
  ['subtitle', 'count.subtitle-line', mergeTranscripts],
  ['comment', 'count.video-with-comments', mergeComments],
] as const;

const pairsAtOnce = 200;
const charactersAtOnce = 8 * 1024 * 1024;
const maxListed = 20;

export interface ImportOptions extends Pick<RestoreContext, 'signal' | 'report' | 'skip' | 'keepPresent'> {
  dryRun: boolean;
  watchedFor: 'me' | 'all';
  /** The requesting account; in the CLI the first staff account. */
  accountId: number | null;
  /** Set if an earlier run of this task was interrupted. */
  againSince?: number | null;
}

const countsOf = (counted: Message, here: number): Message =>
  here > 0 ? message('count.with-note', { counted, note: message('count.existing', { count: here }) }) : counted;

function problemsMessage(count: number): Message[] {
  if (count === 0) return [];
  const counts = message('count.problem', { count });
  return [
    count > maxListed ? message('restore.counts-listed', { counts, listed: maxListed }) : message('restore.counts', { counts }),
  ];
}

async function* batchesOf(pairs: AsyncIterable<BulkPair & { characters: number }>): AsyncGenerator<BulkPair[]> {
  let batch = new Map<string, BulkPair>();
  let size = 0;
  for await (const { id, doc, characters } of pairs) {
    batch.delete(id); // the later of two documents with the same id wins
    batch.set(id, { id, doc });
    size += characters;
    if (batch.size < pairsAtOnce && size < charactersAtOnce) continue;
    yield [...batch.values()];
    [batch, size] = [new Map(), 0];
  }
  if (batch.size > 0) yield [...batch.values()];
}

/** Merges a batch. If it fails, merges its documents one by one, so that only the faulty ones are skipped. */
async function take(merge: Merge, batch: BulkPair[], merging: MergeContext, signal: AbortSignal): Promise<MergeCounts> {
  const { part, dryRun, problem, files, tracks, come } = merging;
  if (dryRun) return merge(part.db, batch, merging);
  // Problems of the batch are reported only if its transaction commits.
  const problems: [what: string, why: Message][] = [];
  const filesBefore = files.found;
  try {
    const counts = await inTransaction(part.db, (tx) =>
      merge(tx, batch, { ...merging, problem: (what, why) => void problems.push([what, why]) }),
    );
    for (const [what, why] of problems) problem(what, why);
    return counts;
  } catch (error) {
    files.found = filesBefore;
    tracks.clear();
    for (const { id } of batch) come.delete(id);
    signal.throwIfAborted();
    if (temporaryFailure(error)) throw error;
    if (batch.length === 1) {
      problem(batch[0]!.id, message('restore.not-importable', { why: messagesOf(error) }));
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

async function people({ db }: BackupContext, { accountId, watchedFor }: ImportOptions) {
  const rows = await db.selectFrom('account').select(['id', 'isStaff']).orderBy('id').execute();
  const importer = accountId ?? rows.find(({ isStaff }) => isStaff === 1)?.id ?? null;
  return { importer, accounts: watchedFor === 'all' ? rows.map(({ id }) => id) : importer === null ? [] : [importer] };
}

/**
 * Merges a TubeArchivist backup into the archive, or only describes the result (`dryRun`). Existing data that is newer or has its
 * file is kept. Returns the result.
 */
export async function importTubeArchivist(part: BackupContext, path: string, options: ImportOptions): Promise<Message[]> {
  const { dryRun, signal, report, skip } = options;
  const notBelieved = await whyMediaUnavailable(part);
  if (notBelieved) throw new MessageError(notBelieved);
  const zip = await openZip(path);
  try {
    const kept = dryRun || options.againSince ? null : await options.keepPresent();
    let problems = 0;
    const merging: MergeContext = {
      part,
      dryRun,
      ...(await people(part, options)),
      known: new Set(),
      come: new Set(),
      tracks: new Map(),
      playlists: new Map(),
      files: { found: 0 },
      problem(what, why) {
        if (problems++ < maxListed) skip(what, why);
      },
    };
    const found: Message[] = [];
    let done = 0;
    for (const [index, countId, merge] of order) {
      const all: MergeCounts = { found: 0, here: 0 };
      merging.come.clear();
      const parts = [...zip.entries.values()]
        .filter(({ name }) => tubearchivistName.exec(name)?.[1] === index)
        .sort((a, b) => Number(tubearchivistName.exec(a.name)?.[2] ?? 0) - Number(tubearchivistName.exec(b.name)?.[2] ?? 0));
      for (const entry of parts) {
        const read = async function* () {
          for await (const piece of entry.read(signal)) {
            done += piece.length;
            yield piece;
          }
        };
        for await (const batch of batchesOf(readBulkPairs(read(), { index, name: entry.name, problem: merging.problem }))) {
          signal.throwIfAborted();
          const { found, here } = await take(merge, batch, merging, signal);
          all.found += found;
          all.here += here;
          report({
            messages: [
              dryRun ? message('restore.checking-backup') : message('restore.running'),
              message('restore.counts', { counts: message(countId, { count: all.found }) }),
            ],
            progress: done / Math.max(1, zip.bytes),
          });
        }
      }
      if (all.found > 0) found.push(countsOf(message(countId, { count: all.found }), all.here));
      if (index === 'video' && all.found > 0) found.push(message('count.with-file', { count: merging.files.found }));
    }
    const counts = found.length > 0 ? { list: found } : null;
    const wrong = problemsMessage(problems);
    return dryRun
      ? [
          counts ? message('restore.dry-run', { counts }) : message('restore.dry-run-nothing'),
          ...wrong,
          message('restore.unchanged'),
        ]
      : [
          counts ? message('restore.imported', { counts }) : message('restore.imported-nothing'),
          ...wrong,
          ...(kept ? [kept] : []),
        ];
  } finally {
    zip.close();
  }
}
