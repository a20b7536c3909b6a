import type { Selectable } from 'kysely';
import { ProgramImportTake, type ProgramImport, type ProgramImportReport } from '#contract/program-import.ts';
import { z } from 'zod';
import { chunks, type Db } from '../../platform/db/db.ts';
import type { MigrationTable } from '../../platform/db/schema/tables.ts';
import { renderMessages } from '../../platform/messages/render.ts';
import { parseMessages } from '../../platform/messages/stored.ts';
import type { Counts } from './apply/context.ts';

const listed = 50;
const listedLines = 1000;

/** What a request asks for. The token is stored apart from it. */
export const ProgramImportInput = z.object({
  path: z.string().nullable(),
  upload: z.string().nullable(),
  address: z.string().nullable(),
  pathMap: z.record(z.string(), z.string()),
  take: z.array(ProgramImportTake).nullable(),
});
export type ProgramImportInput = z.infer<typeof ProgramImportInput>;

const StoredCounts = z.partialRecord(
  ProgramImportTake,
  z.object({ found: z.int(), added: z.int(), here: z.int(), left: z.int() }),
);
export type StoredCounts = Partial<Record<ProgramImportTake, Counts>>;

export const findProgramImport = (db: Db, id: string) =>
  db.selectFrom('migration').selectAll().where('id', '=', id).executeTakeFirst();
type ProgramImportRow = Selectable<MigrationTable>;

export const listProgramImports = (db: Db) =>
  db.selectFrom('migration').selectAll().orderBy('startedAt', 'desc').orderBy('id').limit(listed).execute();

/** Whether an import can be undone. */
export const isUndoable = ({ isDryRun, status, undoUntil }: ProgramImportRow, now: number): boolean =>
  isDryRun === 0 && (status === 'done' || status === 'failed') && undoUntil !== null && undoUntil > now;

export function serializeProgramImport(row: ProgramImportRow, now: number): ProgramImport {
  const input = ProgramImportInput.parse(JSON.parse(row.input));
  const counts = StoredCounts.parse(JSON.parse(row.counts));
  const error = parseMessages(row.error) ?? [];
  return {
    id: row.id,
    task_id: row.taskId,
    from: row.program as ProgramImport['from'],
    source: row.source,
    dry_run: row.isDryRun === 1,
    take: input.take,
    status: row.status,
    started: row.startedAt,
    ended: row.endedAt,
    undo_until: isUndoable(row, now) ? row.undoUntil : null,
    counts: ProgramImportTake.options.flatMap((what) => (counts[what] ? [{ what, ...counts[what] }] : [])),
    problems: row.problems,
    error: error.length > 0 ? renderMessages(error) : null,
    error_messages: error,
  };
}

export async function readReport(db: Db, row: ProgramImportRow, now: number): Promise<ProgramImportReport> {
  const lines = await db
    .selectFrom('migrationLine')
    .select(['kind', 'subject', 'reason'])
    .where('migrationId', '=', row.id)
    .orderBy('number')
    .limit(listedLines)
    .execute();
  return {
    ...serializeProgramImport(row, now),
    lines: lines.map(({ kind, subject, reason }) => {
      const why = parseMessages(reason);
      return { kind, what: subject, why: renderMessages(why), why_messages: why };
    }),
  };
}

/** Replaces the stored lines of an earlier attempt of the same import. */
export async function deleteLines(db: Db, importId: string): Promise<void> {
  await db.deleteFrom('migrationLine').where('migrationId', '=', importId).execute();
}

export interface Line {
  kind: 'problem' | 'note';
  subject: string;
  reason: string;
}

export async function addLines(db: Db, importId: string, lines: Line[]): Promise<void> {
  for (const part of chunks(lines, 100))
    await db
      .insertInto('migrationLine')
      .values(part.map((line) => ({ migrationId: importId, ...line })))
      .execute();
}

/** Counts what an import has added so far, also before a restart of the server. */
export async function countAdded(db: Db, importId: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('migrationChange')
    .select((e) => ['take', e.fn.countAll<number>().as('count')])
    .where('migrationId', '=', importId)
    .where('take', 'is not', null)
    .groupBy('take')
    .execute();
  return new Map(rows.map(({ take, count }) => [take!, count]));
}

const monthSeconds = 30 * 86_400;

/** Deletes the records of imports that can no longer be undone, and reports after a month. */
export async function deleteExpired(db: Db, now: number): Promise<void> {
  const over = db.selectFrom('migration').select('id').where('undoUntil', '<', now);
  await db.deleteFrom('migrationChange').where('migrationId', 'in', over).execute();
  await db
    .deleteFrom('migration')
    .where('endedAt', '<', now - monthSeconds)
    .execute();
}
