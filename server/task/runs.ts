import type { Run, RunNote } from '#contract/runs.ts';
import type { Selectable } from 'kysely';
import type { Db } from '../db/db.ts';
import type { TaskTable } from '../db/tables.ts';
import { saidBy } from '../http/said.ts';
import type { Counts } from './notes.ts';

interface Wanted {
  name?: string | undefined;
  isTrouble: boolean;
}

const matching = (db: Db, { name, isTrouble }: Wanted) =>
  db
    .selectFrom('task')
    .$if(name !== undefined, (q) => q.where('name', '=', name!))
    .$if(isTrouble, (q) => q.where((w) => w.or([w('status', '=', 'failure'), w('problems', '>', 0)])));

export async function countRuns(db: Db, wanted: Wanted): Promise<number> {
  const { n } = await matching(db, wanted)
    .select((e) => e.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return Number(n);
}

export const listRuns = (db: Db, wanted: Wanted, { size, from }: { size: number; from: number }) =>
  matching(db, wanted).selectAll().orderBy('queuedAt', 'desc').orderBy('id').limit(size).offset(from).execute();

export function shapeRun(row: Selectable<TaskTable>, title: string): Run {
  const counts = JSON.parse(row.counts) as Counts;
  return {
    id: row.id,
    name: row.name,
    title,
    status: row.status === 'pending' ? 'waiting' : row.status,
    queued: row.queuedAt,
    started: row.startedAt,
    ended: row.endedAt,
    result: row.result,
    result_said: saidBy(row.result),
    problems: row.problems,
    new: counts.new ?? 0,
    left_out: counts['left-out'] ?? 0,
  };
}

/** The lines of a run, each with where the video that it is about is now. */
export async function notesOf(db: Db, taskId: string): Promise<RunNote[]> {
  const rows = await db
    .selectFrom('runNote')
    .leftJoin('video', 'video.id', 'runNote.videoId')
    .leftJoin('download', 'download.id', 'runNote.videoId')
    .select(['runNote.kind', 'runNote.at', 'what', 'why', 'words', 'runNote.videoId'])
    .select(['video.id as archivedId', 'download.status as queued'])
    .where('runNote.taskId', '=', taskId)
    .orderBy('runNote.number')
    .execute();
  return rows.map((row) => ({
    kind: row.kind,
    at: row.at,
    what: row.what,
    why: row.why,
    // Else it is the title of a video, or a path.
    what_said: row.kind === 'step' ? saidBy(row.what) : null,
    why_said: saidBy(row.why),
    words: row.words,
    youtube_id: row.videoId,
    place: row.archivedId !== null ? 'archive' : row.queued === 'ignore' ? 'ignored' : row.queued === 'pending' ? 'queue' : null,
  }));
}
