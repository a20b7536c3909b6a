import { randomUUID } from 'node:crypto';
import type { Archive } from '../archive.ts';
import { chunks, inTransaction, type Tx } from '../db/db.ts';
import { refused } from '../http/problem.ts';
import { putBack, type WatchBefore, watchBefore } from './watch-store.ts';

// How long somebody may think better of it: as long as they are offered it, and a slow moment.
const keptMs = 120_000;

interface Mark {
  name: string;
  /** As all of them were marked, and when. */
  watchedAt: number | null;
  at: number;
  before: WatchBefore[];
}

// Of each person the last one, in memory alone: whoever comes later, or after a restart, is told that it is too late.
const marks = new WeakMap<Archive['tasks'], Map<number, Mark>>();

const marksOf = ({ tasks }: Archive) => marks.getOrInsertComputed(tasks, () => new Map());

/** How those of many that a mark changes were before it. */
export async function beforeMarking(tx: Tx, accountId: number, ids: string[], isWatched: boolean): Promise<WatchBefore[]> {
  const before: WatchBefore[] = [];
  for (const some of chunks(ids)) before.push(...(await watchBefore(tx, accountId, some, isWatched)));
  return before;
}

/** Remembers for a while what can be taken back. Answers under which name. */
export function rememberMark(archive: Archive, accountId: number, mark: Omit<Mark, 'name'>): string {
  const name = randomUUID();
  const known = marksOf(archive);
  known.set(accountId, { ...mark, name });
  setTimeout(() => known.get(accountId)?.name === name && known.delete(accountId), keptMs).unref();
  return name;
}

/** Takes back what was marked: each is as it was, with its date and place, but for what the person has touched since. */
export async function undoMark(archive: Archive, accountId: number, name: string): Promise<number> {
  const known = marksOf(archive);
  const mark = known.get(accountId);
  if (mark?.name !== name) throw refused('It is too late to take that back.');
  let videos = 0;
  await inTransaction(archive.db, async (tx) => {
    videos = 0;
    for (const some of chunks(mark.before)) videos += await putBack(tx, accountId, some, mark, archive.now());
  });
  known.delete(accountId);
  archive.events.announceTo(accountId, 'video');
  return videos;
}
