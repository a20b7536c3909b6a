import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { Archive } from '#server/archive.ts';
import { backupFolder } from '#server/backup/folder.ts';
import { addExactly, pagesOf, type PlainRow } from '#server/db/copy.ts';
import type { Db } from '#server/db/db.ts';
import { dataTables } from '#server/db/kept.ts';
import { newestStep } from '#server/db/migrate.ts';
import { wrongTallies } from '#server/library/tallies-right.ts';
import type { TestArchive } from '#server/testing.ts';
import { everyKindOfRow } from './backup-rows.ts';

// Archives with something of everything in them, and ZIPs of every kind, for the tests of backups.

/** Fills an empty archive. */
export async function fill(db: Db, key?: Buffer) {
  for (const [table, rows] of Object.entries(everyKindOfRow(key))) await addExactly(db, table, rows);
}

/** Everything that backups are about, table by table. */
export async function contentOf(db: Db): Promise<Record<string, PlainRow[]>> {
  const content: Record<string, PlainRow[]> = {};
  for (const table of dataTables) {
    const rows: PlainRow[] = [];
    for await (const page of pagesOf(db, table, 100)) rows.push(...page);
    content[table] = rows;
  }
  // What is counted by itself must have counted what came back.
  for await (const wrong of wrongTallies(db)) throw new Error(wrong);
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

const sumOf = (text: string) => createHash('sha256').update(text).digest('hex');

interface Wish {
  tables?: Record<string, unknown[]>;
  migration?: string;
  /** The last word on what is in it. */
  change?(files: Record<string, string | Buffer>, manifest: Record<string, unknown>): void;
}

/** A backup of ours with these rows, in the folder of an archive. */
export async function aZip(
  archive: Pick<Archive, 'config'>,
  filename: string,
  { tables = {}, migration = newestStep(), change }: Wish = {},
) {
  const files: Record<string, string | Buffer> = {};
  const said: Record<string, unknown> = {};
  for (const [table, rows] of Object.entries(tables)) {
    const text = rows.map((row) => `${typeof row === 'string' ? row : JSON.stringify(row)}\n`).join('');
    const name = `tables/${table}-0.ndjson`;
    files[name] = text;
    said[table] = {
      rows: rows.length,
      parts: [{ name, rows: rows.length, bytes: Buffer.byteLength(text), sha256: sumOf(text) }],
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
    tables: said,
    files: [],
    left_out: [],
  };
  change?.(files, manifest);
  if (files['manifest.json'] === undefined) files['manifest.json'] = JSON.stringify(manifest);
  const path = join(backupFolder(archive), filename);
  await writeZip(path, files);
  return path;
}

/** A file of the original's backup: pairs of lines. */
export const pairs = (index: string, documents: Record<string, unknown>) =>
  Object.entries(documents)
    .map(([id, doc]) => `${JSON.stringify({ index: { _index: `ta_${index}`, _id: id } })}\n${JSON.stringify(doc)}\n`)
    .join('')
    .concat('\n\n');

/** Lets a task run to its end; answers how it ended. */
export async function done({ archive, runner }: TestArchive, started: { id: string } | Promise<{ id: string }>) {
  const { id } = await started;
  await runner.idle();
  return archive.db.selectFrom('task').select(['status', 'result', 'messages']).where('id', '=', id).executeTakeFirstOrThrow();
}
