import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { Db, Tx } from '../db/db.ts';
import { countRows, databaseBytes, inOneView, pagesOf } from '../db/copy.ts';
import { dataTables, type DataTable } from '../db/kept.ts';
import { newestStep } from '../db/migrate.ts';
import { freeBytes } from '../download/room-left.ts';
import { syncFile } from '../media/shelf.ts';
import type { Report } from '../task/task.ts';
import { version } from '../version.ts';
import { checkBackup } from './check.ts';
import { backupFolder, freeName, giveName, tidyFolder, type Part } from './folder.ts';
import { formatVersion, keyMarkOf, manifestName, type Manifest } from './manifest.ts';
import { picturesToKeep } from './pictures.ts';

const pageRows = 500;
const partRows = 200_000;
const leastFreeBytes = 50_000_000;

/** What somebody should know who restores it elsewhere. */
const leftOut = [
  'The media files: copy the media folder as well.',
  'secret.key. What is sealed with it (API tokens, cookies, PO tokens, notification URLs) can only be opened with the same file; with another it is dropped at a restore and must be given again.',
  'Sessions: people log in again, unless they were logged in where it is restored.',
  'Pictures that can be fetched again, running tasks, and what was waiting to be told elsewhere.',
];

export interface Wish {
  /** auto, manual, update, before … */
  reason: string;
  signal: AbortSignal;
  report(now: Report): void;
}

/** Puts files into a ZIP one after the other, and tells of each what it held. */
function packer(path: string, signal: AbortSignal) {
  const zip = new ZipFile();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {}); // heard by whoever waits below
  zip.on('error', failed.reject);
  const done = pipeline(zip.outputStream as Readable, createWriteStream(path, { mode: 0o600, flags: 'wx' }), { signal });
  done.catch(failed.reject);

  return {
    async add(name: string, content: AsyncIterable<Buffer>, { compress = true } = {}) {
      const hash = createHash('sha256');
      let bytes = 0;
      const measured = async function* () {
        for await (const piece of content) {
          hash.update(piece);
          bytes += piece.length;
          yield piece;
        }
      };
      const passed = new Promise<void>((resolve, reject) => {
        zip.addReadStreamLazy(name, { compress, mode: 0o100600 }, (go) => {
          const stream = Readable.from(measured(), { objectMode: false });
          stream.once('end', resolve).once('error', reject);
          go(null, stream);
        });
      });
      await Promise.race([passed, failed.promise]);
      return { name, bytes, sha256: hash.digest('hex') };
    },
    async end() {
      zip.end();
      await Promise.race([done, failed.promise]);
    },
  };
}

/** The rows of a table as lines of JSON, in parts. */
async function packTable(view: Db | Tx, table: DataTable, pack: ReturnType<typeof packer>, step: (rows: number) => void) {
  const parts: Manifest['tables'][string]['parts'] = [];
  const pages = pagesOf(view, table, pageRows);
  let page = await pages.next();
  while (!page.done) {
    let rows = 0;
    const lines = async function* () {
      for (; !page.done && rows < partRows; page = await pages.next()) {
        rows += page.value.length;
        step(page.value.length);
        yield Buffer.from(`${page.value.map((row) => JSON.stringify(row)).join('\n')}\n`);
      }
    };
    const part = await pack.add(`tables/${table}-${parts.length}.ndjson`, lines());
    parts.push({ ...part, rows });
  }
  return { rows: parts.reduce((sum, { rows }) => sum + rows, 0), parts };
}

async function refuseWithoutRoom(part: Part) {
  const [free, database] = await Promise.all([freeBytes(backupFolder(part)), databaseBytes(part.db)]);
  const wanted = Math.max(leastFreeBytes, database * 0.6);
  if (free < wanted)
    throw new Error(
      `Only ${(free / 1e6).toFixed(0)} MB are free in ${backupFolder(part)}, and a backup may take ${(wanted / 1e6).toFixed(0)} MB. Make room, then start it again. Nothing was written.`,
    );
}

/**
 * Writes a backup of one instant while the archive is in use: beside, read again and compared, synced, and only then under a
 * name of its own, which nobody has. Answers the name. Whatever goes wrong, nothing half made is left.
 */
export async function writeBackup(part: Part, { reason, signal, report }: Wish): Promise<{ filename: string; rows: number }> {
  await tidyFolder(part);
  await refuseWithoutRoom(part);
  const path = join(backupFolder(part), `.${process.pid}-${part.now()}.part`);
  try {
    const pack = packer(path, signal);
    const manifest = await inOneView(part.db, async (view): Promise<Manifest> => {
      const counts = await Promise.all(dataTables.map((table) => countRows(view, table)));
      const all = counts.reduce((sum, one) => sum + one, 0);
      const tables: Manifest['tables'] = {};
      let done = 0;
      const step = (rows: number) => {
        signal.throwIfAborted();
        done += rows;
        report({ messages: ['Backing up archive.', `${done} of ${all} entries.`], progress: (done / Math.max(1, all)) * 0.7 });
      };
      for (const table of dataTables) tables[table] = await packTable(view, table, pack, step);
      const files: Manifest['files'] = [];
      for await (const { from, name } of picturesToKeep(part.config, view))
        files.push(await pack.add(name, createReadStream(from) as AsyncIterable<Buffer>, { compress: false }));
      return {
        format: formatVersion,
        program: version,
        migration: newestStep(),
        engine: part.db.engine,
        reason,
        createdAt: part.now(),
        keyMark: keyMarkOf(part.keys.present),
        tables,
        files,
        left_out: leftOut,
      };
    });
    const text = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`);
    await pack.add(
      manifestName,
      (async function* () {
        yield text;
      })(),
    );
    await pack.end();
    const { rows } = await checkBackup(path, {
      signal,
      report: (share) => report({ messages: ['Reading it again.'], progress: 0.7 + share * 0.3 }),
    });
    await syncFile(path);
    for (;;) {
      const filename = await freeName(part, reason, part.now());
      if (await giveName(part, path, filename)) return { filename, rows };
    }
  } catch (error) {
    signal.throwIfAborted();
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EDQUOT')
      throw new Error('The disk became full while the backup was written. Make room, then start it again. Nothing was left.', {
        cause: error,
      });
    throw error;
  } finally {
    await rm(path, { force: true });
  }
}
