import { message } from '#contract/messages.ts';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { Db, Tx } from '../../platform/db/db.ts';
import { countRows, databaseBytes, inOneSnapshot, pagesOf } from '../../platform/db/copy/bulk-copy.ts';
import { dataTables, type DataTable } from '../../platform/db/schema/table-policies.ts';
import { newestStep } from '../../platform/db/migrations/migrate.ts';
import { freeBytes, isDiskFull } from '../../platform/files/free-space.ts';
import { syncFile } from '../../platform/files/files.ts';
import type { Report } from '../../platform/context/task.ts';
import { MessageError } from '../../platform/messages/message-error.ts';
import { version } from '../../platform/config/version.ts';
import { verifyBackup } from './restore/verify-backup.ts';
import { backupFolder, unusedName, removePartialBackups, storeBackup, type BackupContext } from './files/backup-files.ts';
import { formatVersion, keyFingerprint, manifestName, type Manifest } from './files/manifest.ts';
import { imagesToBackUp } from './files/backup-images.ts';

const pageRows = 500;
const partRows = 200_000;
const leastFreeBytes = 50_000_000;

/** Written into the manifest for an administrator who restores the backup on another machine. */
const leftOut = [
  'The media files: copy the media folder as well.',
  'secret.key. API tokens, cookies, PO tokens and notification URLs are encrypted with it. A restore without this file omits them, and they must be entered again.',
  'Sessions: users log in again, unless they are logged in on the server that restores the backup.',
  'Images that can be downloaded again, running tasks, and unsent notifications.',
];

export interface BackupOptions {
  /** auto, manual, update, before … */
  reason: string;
  signal: AbortSignal;
  report(now: Report): void;
}

/** Adds files to a ZIP one at a time and returns the size and SHA-256 of each. */
function packer(path: string, signal: AbortSignal) {
  const zip = new ZipFile();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {}); // `add` and `end` below reject with this error
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

/** Writes the rows of a table as NDJSON, split into parts of `partRows` rows. */
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

async function refuseWithoutRoom(part: BackupContext) {
  const [free, database] = await Promise.all([freeBytes(backupFolder(part)), databaseBytes(part.db)]);
  const wanted = Math.max(leastFreeBytes, database * 0.6);
  if (free < wanted)
    throw new MessageError(
      message('backup.no-space', {
        free: Math.round(free / 1e6),
        folder: backupFolder(part),
        needed: Math.round(wanted / 1e6),
      }),
    );
}

/**
 * Creates a consistent backup while the server runs. The ZIP is written to a temporary file, read again and verified, synced, and
 * only then moved to an unused name, or to the bucket. Returns that name. The temporary file is deleted after an error.
 */
export async function createBackup(
  part: BackupContext,
  { reason, signal, report }: BackupOptions,
): Promise<{ filename: string; rows: number }> {
  await removePartialBackups(part);
  await refuseWithoutRoom(part);
  const path = join(backupFolder(part), `.${process.pid}-${part.now()}.part`);
  try {
    const pack = packer(path, signal);
    const manifest = await inOneSnapshot(part.db, async (view): Promise<Manifest> => {
      const counts = await Promise.all(dataTables.map((table) => countRows(view, table)));
      const all = counts.reduce((sum, one) => sum + one, 0);
      const tables: Manifest['tables'] = {};
      let done = 0;
      const step = (rows: number) => {
        signal.throwIfAborted();
        done += rows;
        report({
          messages: [message('backup.running'), message('backup.progress', { done, count: all })],
          progress: (done / Math.max(1, all)) * 0.7,
        });
      };
      for (const table of dataTables) tables[table] = await packTable(view, table, pack, step);
      const files: Manifest['files'] = [];
      for await (const { from, name } of imagesToBackUp(part.files, view))
        files.push(await pack.add(name, createReadStream(from) as AsyncIterable<Buffer>, { compress: false }));
      return {
        format: formatVersion,
        program: version,
        migration: newestStep(),
        engine: part.db.engine,
        reason,
        createdAt: part.now(),
        keyMark: keyFingerprint(part.keys.present),
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
    const { rows } = await verifyBackup(path, {
      signal,
      report: (share) => report({ messages: [message('backup.reading')], progress: 0.7 + share * 0.3 }),
    });
    await syncFile(path);
    for (;;) {
      const filename = await unusedName(part, reason, part.now());
      if (await storeBackup(part, path, filename)) return { filename, rows };
    }
  } catch (error) {
    signal.throwIfAborted();
    if (isDiskFull(error)) throw new MessageError(message('backup.disk-full'), { cause: error });
    throw error;
  } finally {
    await rm(path, { force: true });
  }
}
