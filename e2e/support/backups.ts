import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { AppContext } from '#server/platform/context/app-context.ts';
import { backupFolder } from '#server/features/backup/files/backup-files.ts';
import { insertExactly, pagesOf, type PlainRow } from '#server/platform/db/copy/bulk-copy.ts';
import type { Db } from '#server/platform/db/db.ts';
import { dataTables } from '#server/platform/db/schema/table-policies.ts';
import { newestStep } from '#server/platform/db/migrations/migrate.ts';
import { findWrongCounts } from '#server/features/library/consistency/counts.ts';
import { renderMessages } from '#server/platform/messages/render.ts';
import { parseMessages } from '#server/platform/messages/stored.ts';
import type { TestApp } from '#server/test-support/app.ts';
import { everyKindOfRow } from './backup-rows.ts';

// Archives with rows in every table, and ZIP files of all kinds, for backup tests.

/** Fills an empty archive. */
export async function fill(db: Db, key?: Buffer) {
  for (const [table, rows] of Object.entries(everyKindOfRow(key))) await insertExactly(db, table, rows);
}

/** Returns all rows of the tables in backups, by table; without `bucket`, which depends on the server that restores. */
export async function contentOf(db: Db): Promise<Record<string, PlainRow[]>> {
  const content: Record<string, PlainRow[]> = {};
  for (const table of dataTables) {
    const rows: PlainRow[] = [];
    for await (const page of pagesOf(db, table, 100)) rows.push(...page);
    if (table !== 'bucket') content[table] = rows;
  }
  // Denormalized counts must match the restored rows.
  for await (const mismatch of findWrongCounts(db)) throw new Error(renderMessages(mismatch));
  return content;
}

/** Writes a ZIP with these files. */
export async function writeZip(path: string, files: Record<string, string | Buffer>) {
  await mkdir(dirname(path), { recursive: true });
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content as string), name);
  zip.end();
  await pipeline(zip.outputStream as NodeJS.ReadableStream, createWriteStream(path));
}

const hashText = (text: string) => createHash('sha256').update(text).digest('hex');

interface BackupZipOptions {
  tables?: Record<string, unknown[]>;
  migration?: string;
  /** Changes the files and the manifest last. */
  change?(files: Record<string, string | Buffer>, manifest: Record<string, unknown>): void;
}

/** Creates a Reelkeep backup with these rows in the backup folder of an archive. */
export async function aZip(
  app: Pick<AppContext, 'config'>,
  filename: string,
  { tables = {}, migration = newestStep(), change }: BackupZipOptions = {},
) {
  const files: Record<string, string | Buffer> = {};
  const manifestTables: Record<string, unknown> = {};
  for (const [table, rows] of Object.entries(tables)) {
    const text = rows.map((row) => `${typeof row === 'string' ? row : JSON.stringify(row)}\n`).join('');
    const name = `tables/${table}-0.ndjson`;
    files[name] = text;
    manifestTables[table] = {
      rows: rows.length,
      parts: [{ name, rows: rows.length, bytes: Buffer.byteLength(text), sha256: hashText(text) }],
    };
  }
  const manifest: Record<string, unknown> = {
    format: 1,
    program: '0.0.1',
    migration,
    engine: 'sqlite',
    reason: 'auto',
    createdAt: 1_760_000_000,
    keyMark: 'x',
    tables: manifestTables,
    files: [],
    left_out: [],
  };
  change?.(files, manifest);
  if (files['manifest.json'] === undefined) files['manifest.json'] = JSON.stringify(manifest);
  const path = join(backupFolder(app), filename);
  await writeZip(path, files);
  return path;
}

/** Serializes documents as in a TubeArchivist backup: pairs of action and document lines. */
export const pairs = (index: string, documents: Record<string, unknown>) =>
  Object.entries(documents)
    .map(([id, doc]) => `${JSON.stringify({ index: { _index: `ta_${index}`, _id: id } })}\n${JSON.stringify(doc)}\n`)
    .join('')
    .concat('\n\n');

/** Waits for a task to end. Returns its status, its rendered result, the ids of the messages of the result, and its report. */
export async function done({ app, runner }: TestApp, started: { id: string } | Promise<{ id: string }>) {
  const { id } = await started;
  await runner.idle();
  const { status, result, messages } = await app.db
    .selectFrom('task')
    .select(['status', 'result', 'messages'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const parsed = parseMessages(result);
  return { status, messages, result: parsed && renderMessages(parsed), resultIds: parsed?.map((one) => one.id) };
}
