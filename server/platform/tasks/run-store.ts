import type { Run, RunNote } from '#contract/runs.ts';
import type { Selectable } from 'kysely';
import type { Db } from '../db/db.ts';
import type { TaskTable } from '../db/schema/tables.ts';
import { renderMessages } from '../messages/render.ts';
import { parseMessages } from '../messages/stored.ts';
import type { Counts } from './run-log.ts';

interface RunFilter {
  name?: string | undefined;
  hasProblems: boolean;
}

const matching = (db: Db, { name, hasProblems }: RunFilter) =>
  db
    .selectFrom('task')
    .$if(name !== undefined, (q) => q.where('name', '=', name!))
    .$if(hasProblems, (q) => q.where((w) => w.or([w('status', '=', 'failure'), w('problems', '>', 0)])));

export async function countRuns(db: Db, filter: RunFilter): Promise<number> {
  const { n } = await matching(db, filter)
    .select((e) => e.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return Number(n);
}

export const listRuns = (db: Db, filter: RunFilter, { size, from }: { size: number; from: number }) =>
  matching(db, filter).selectAll().orderBy('queuedAt', 'desc').orderBy('id').limit(size).offset(from).execute();

/** Returns the newest run of each task; several if they were queued in the same second. */
export const listLastRuns = (db: Db) =>
  db
    .with('newest', (q) =>
      q
        .selectFrom('task')
        .select(['name', (e) => e.fn.max('queuedAt').as('at')])
        .groupBy('name'),
    )
    .selectFrom('task')
    .innerJoin('newest', (j) => j.onRef('newest.name', '=', 'task.name').onRef('newest.at', '=', 'task.queuedAt'))
    .selectAll('task')
    .orderBy('task.id')
    .execute();

export function serializeRun(row: Selectable<TaskTable>, title: string): Run {
  const counts = JSON.parse(row.counts) as Counts;
  return {
    id: row.id,
    name: row.name,
    title,
    status: row.status === 'pending' ? 'waiting' : row.status,
    queued: row.queuedAt,
    started: row.startedAt,
    ended: row.endedAt,
    result: row.result === null ? null : renderMessages(parseMessages(row.result)),
    result_messages: parseMessages(row.result),
    problems: row.problems,
    new: counts.new ?? 0,
    left_out: counts['left-out'] ?? 0,
  };
}

/** Returns the log lines of a run, with the current state of each video. */
export async function notesOf(db: Db, taskId: string): Promise<RunNote[]> {
  const rows = await db
    .selectFrom('runLog')
    .leftJoin('video', 'video.id', 'runLog.videoId')
    .leftJoin('download', 'download.id', 'runLog.videoId')
    .select(['runLog.kind', 'runLog.loggedAt', 'subject', 'reason', 'output', 'runLog.videoId'])
    .select(['video.id as archivedId', 'download.status as queued'])
    .where('runLog.taskId', '=', taskId)
    .orderBy('runLog.number')
    .execute();
  return rows.map((row) => {
    // Only steps are messages; otherwise it is a video title or a path.
    const what = row.kind === 'step' ? parseMessages(row.subject) : null;
    const why = parseMessages(row.reason);
    return {
      kind: row.kind,
      at: row.loggedAt,
      what: what ? renderMessages(what) : row.subject,
      what_messages: what,
      why: why && renderMessages(why),
      why_messages: why,
      words: row.output,
      youtube_id: row.videoId,
      place:
        row.archivedId !== null ? 'archive' : row.queued === 'ignore' ? 'ignored' : row.queued === 'pending' ? 'queue' : null,
    };
  });
}
