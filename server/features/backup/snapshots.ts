import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Snapshot } from '#contract/backup.ts';
import { message } from '#contract/messages.ts';
import { findProgram } from '../../platform/process/find-program.ts';
import { run } from '../../platform/process/run.ts';
import type { Config } from '../../platform/config/config.ts';
import { databaseFile } from '../../platform/config/data-folder.ts';
import { newestStep, steps } from '../../platform/db/migrations/migrate.ts';
import { checkFile, snapshotFile } from '../../platform/db/sqlite/snapshot.ts';
import { safeDecodeUri } from '../../platform/lib/safe-decode-uri.ts';
import { freeBytes } from '../../platform/files/free-space.ts';
import { syncFile, syncFolder, writeAtomically } from '../../platform/files/files.ts';
import { formatLocal } from '../../platform/lib/format-time.ts';
import { version } from '../../platform/config/version.ts';
import { MessageError } from '../../platform/messages/message-error.ts';

// A snapshot is a consistent copy of the whole database that is quick to take and to restore. On PostgreSQL it is a dump, which
// only PostgreSQL's own programs can read.

const day = 86_400;
const kept = { days: 30, least: 5, most: 50 }; // the retention of TubeArchivist's snapshots

const Note = z.object({
  program: z.string(),
  /** The newest migration of the database. */
  migration: z.string(),
  reason: z.string(),
  startedAt: z.int(),
  endedAt: z.int(),
  bytes: z.int(),
});
type Note = z.infer<typeof Note>;
export interface StoredSnapshot extends Note {
  id: string;
  path: string;
  isDump: boolean;
}

/** The copy is damaged. Uses the error code of SQLite's own corruption errors (platform/db/db.ts). */
class Unsound extends MessageError {
  readonly errcode = 11;
}

const idPattern = /^snapshot-\d{8}-\d{6}-[a-z]{1,20}$/;
const folderOf = ({ dataFolder }: Pick<Config, 'dataFolder'>) => join(dataFolder, 'snapshots');

/** Returns the id of a snapshot that is taken now. */
export const snapshotId = (reason: string, now: number) =>
  `snapshot-${new Date(now * 1000).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}-${reason}`;

/** Lists the verified snapshots, newest first. The JSON file of a snapshot is written after its verification. */
export async function listSnapshots(config: Pick<Config, 'dataFolder'>): Promise<StoredSnapshot[]> {
  const folder = folderOf(config);
  const names = new Set(await readdir(folder).catch(() => []));
  const found: StoredSnapshot[] = [];
  for (const name of names) {
    const id = name.endsWith('.json') ? name.slice(0, -'.json'.length) : '';
    const file = [`${id}.db`, `${id}.dump`].find((one) => names.has(one));
    if (!idPattern.test(id) || !file) continue;
    const note = Note.safeParse(
      await readFile(join(folder, name), 'utf8')
        .then(JSON.parse)
        .catch(() => null),
    );
    if (note.success) found.push({ id, path: join(folder, file), isDump: file.endsWith('.dump'), ...note.data });
  }
  return found.sort((a, b) => (a.startedAt === b.startedAt ? (a.id < b.id ? 1 : -1) : b.startedAt - a.startedAt));
}

/** Finds a verified snapshot by id. */
export const findSnapshot = async (config: Pick<Config, 'dataFolder'>, id: string) =>
  (await listSnapshots(config)).find((snapshot) => snapshot.id === id);

export async function deleteSnapshot(config: Pick<Config, 'dataFolder'>, { id, path }: StoredSnapshot): Promise<void> {
  await rm(join(folderOf(config), `${id}.json`), { force: true }); // without this file the snapshot no longer counts as verified
  await rm(path, { force: true });
}

/**
 * Deletes snapshots that are older than 30 days, or beyond the newest 50 with the same reason, so that many manual ones do not
 * push out daily ones. Always keeps the newest five.
 */
async function forgetOld(config: Pick<Config, 'dataFolder'>, now: number, spare: string | undefined) {
  const all = await listSnapshots(config);
  const counts = new Map<string, number>();
  for (const [place, one] of all.entries()) {
    const count = (counts.get(one.reason) ?? 0) + 1;
    counts.set(one.reason, count);
    if (one.id !== spare && place >= kept.least && (count > kept.most || one.startedAt < now - kept.days * day))
      await deleteSnapshot(config, one);
  }
}

/** Finds pg_dump on this machine. */
export const findDump = () => findProgram('pg_dump');

// The password is passed in the environment, because every user of the machine can read command lines.
function connectionOf(databaseUrl: string): Record<string, string> {
  const url = new URL(databaseUrl);
  const variables = {
    PGHOST: url.hostname,
    PGPORT: url.port,
    PGUSER: url.username,
    PGPASSWORD: url.password,
    PGDATABASE: url.pathname.slice(1),
  };
  return Object.fromEntries(Object.entries(variables).flatMap(([name, value]) => (value ? [[name, safeDecodeUri(value)]] : [])));
}

async function dump(databaseUrl: string, to: string, folder: string, signal: AbortSignal) {
  const program = await findDump();
  if (!program) throw new MessageError(message('error.pgdump'));
  await run(program, ['--format=custom', '--no-owner', `--file=${to}`], {
    cwd: folder,
    env: connectionOf(databaseUrl),
    silenceMs: 12 * 3_600_000, // pg_dump prints nothing while it runs
    signal,
  });
}

interface Wish {
  config: Pick<Config, 'dataFolder' | 'databaseUrl'>;
  reason: string;
  now(): number;
  signal?: AbortSignal;
  /** The newest migration of the copied database, if it differs from this version's. */
  migration?: string;
  id?: string;
  /** The id of a snapshot to keep regardless of its age. */
  spare?: string;
}

/**
 * Takes a snapshot while the server runs: writes it to a temporary file, verifies and syncs it, and renames it. Returns its id.
 */
export async function takeSnapshot({
  config,
  reason,
  now,
  signal = new AbortController().signal,
  ...options
}: Wish): Promise<string> {
  const folder = folderOf(config);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) if (name.endsWith('.part')) await rm(join(folder, name), { force: true });
  const startedAt = now();
  const id = options.id ?? snapshotId(reason, startedAt);
  const part = join(folder, `${id}.part`);
  const path = join(folder, `${id}.${config.databaseUrl ? 'dump' : 'db'}`);
  try {
    if (config.databaseUrl) await dump(config.databaseUrl, part, folder, signal);
    else {
      const from = databaseFile(config);
      const [{ size }, free] = [await stat(from), await freeBytes(folder)];
      if (free < size * 1.1 + 10_000_000)
        throw new MessageError(
          message('snapshot.no-space', { free: Math.round(free / 1e6), folder, needed: Math.round(size / 1e6) }),
        );
      await snapshotFile(from, part);
      const found = await checkFile(part);
      if (found !== 'ok') throw new Unsound(message('snapshot.damaged', { why: found }));
    }
    await syncFile(part);
    await rename(part, path);
    await syncFolder(folder);
    const note: Note = {
      program: version,
      migration: options.migration ?? newestStep(),
      reason,
      startedAt,
      endedAt: now(),
      bytes: (await stat(path)).size,
    };
    await writeAtomically(join(folder, `${id}.json`), JSON.stringify(note));
  } finally {
    await rm(part, { force: true });
  }
  await forgetOld(config, now(), options.spare);
  return id;
}

/** Finds the newest snapshot whose migration this version knows. */
export const newestSnapshotFor = async (config: Pick<Config, 'dataFolder'>) =>
  (await listSnapshots(config)).find(({ migration, isDump }) => !isDump && Object.hasOwn(steps, migration));

/** Serializes a snapshot for the API. */
export const serializeSnapshot = ({ id, program, startedAt, endedAt }: StoredSnapshot): Snapshot => ({
  id,
  state: 'SUCCESS',
  es_version: program,
  start_date: formatLocal(startedAt),
  end_date: formatLocal(endedAt),
  end_stamp: endedAt,
  duration_s: Math.max(0, endedAt - startedAt),
});
