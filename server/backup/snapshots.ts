import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Snapshot } from '#contract/backup.ts';
import { findProgram } from '../child/find-program.ts';
import { run } from '../child/run.ts';
import type { Config } from '../config.ts';
import { databaseFile } from '../data-folder.ts';
import { newestStep, steps } from '../db/migrate.ts';
import { checkFile, snapshotFile } from '../db/sqlite-snapshot.ts';
import { decoded } from '../decoded.ts';
import { freeBytes } from '../download/room-left.ts';
import { syncFile, syncFolder, writeWhole } from '../media/shelf.ts';
import { localTime } from '../time-text.ts';
import { version } from '../version.ts';

// A snapshot is a copy of the whole database at one instant: quick to take and to go back to. On PostgreSQL it is a dump, which
// only PostgreSQL's own programs read.

const day = 86_400;
const kept = { days: 30, least: 5, most: 50 }; // as the original keeps its own

const Note = z.object({
  program: z.string(),
  /** The newest step that the database had gone through. */
  migration: z.string(),
  reason: z.string(),
  startedAt: z.int(),
  endedAt: z.int(),
  bytes: z.int(),
});
type Note = z.infer<typeof Note>;
export interface Kept extends Note {
  id: string;
  path: string;
  isDump: boolean;
}

/** What was copied is damaged: told like SQLite's own words of it (db/db.ts). */
class Unsound extends Error {
  readonly errcode = 11;
}

const idPattern = /^snapshot-\d{8}-\d{6}-[a-z]{1,20}$/;
const folderOf = ({ dataFolder }: Pick<Config, 'dataFolder'>) => join(dataFolder, 'snapshots');

/** How a snapshot that is taken now is called. */
export const snapshotId = (reason: string, now: number) =>
  `snapshot-${new Date(now * 1000).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}-${reason}`;

/** Every snapshot that is whole, newest first: its note is written when it was checked. */
export async function listSnapshots(config: Pick<Config, 'dataFolder'>): Promise<Kept[]> {
  const folder = folderOf(config);
  const names = new Set(await readdir(folder).catch(() => []));
  const found: Kept[] = [];
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

/** The whole snapshot of this name. */
export const findSnapshot = async (config: Pick<Config, 'dataFolder'>, id: string) =>
  (await listSnapshots(config)).find((snapshot) => snapshot.id === id);

export async function dropSnapshot(config: Pick<Config, 'dataFolder'>, { id, path }: Kept): Promise<void> {
  await rm(join(folderOf(config), `${id}.json`), { force: true }); // from here on nobody takes it for whole
  await rm(path, { force: true });
}

/** Removes what is over its time: older than 30 days or more than 50; the newest five stay in any case. */
async function forgetOld(config: Pick<Config, 'dataFolder'>, now: number, spare: string | undefined) {
  const all = await listSnapshots(config);
  for (const [place, one] of all.entries())
    if (one.id !== spare && place >= kept.least && (place >= kept.most || one.startedAt < now - kept.days * day))
      await dropSnapshot(config, one);
}

/** PostgreSQL's own program for it, where this machine has one. */
export const findDump = () => findProgram('pg_dump');

// The password goes by the environment: what stands in a command line everybody on the machine can read.
function connectionOf(databaseUrl: string): Record<string, string> {
  const url = new URL(databaseUrl);
  const said = {
    PGHOST: url.hostname,
    PGPORT: url.port,
    PGUSER: url.username,
    PGPASSWORD: url.password,
    PGDATABASE: url.pathname.slice(1),
  };
  return Object.fromEntries(Object.entries(said).flatMap(([name, value]) => (value ? [[name, decoded(value)]] : [])));
}

async function dump(databaseUrl: string, to: string, folder: string, signal: AbortSignal) {
  const program = await findDump();
  if (!program)
    throw new Error(
      "There is no pg_dump on this machine, so a snapshot of PostgreSQL cannot be taken. Use PostgreSQL's own tools, or install its client.",
    );
  await run(program, ['--format=custom', '--no-owner', `--file=${to}`], {
    cwd: folder,
    env: connectionOf(databaseUrl),
    silenceMs: 12 * 3_600_000, // it says nothing while it works
    signal,
  });
}

interface Wish {
  config: Pick<Config, 'dataFolder' | 'databaseUrl'>;
  reason: string;
  now(): number;
  signal?: AbortSignal;
  /** The newest step of what is copied, where it is not this version's. */
  migration?: string;
  id?: string;
  /** One that is needed just now, however old it is. */
  spare?: string;
}

/** Takes a snapshot while the archive is in use: written beside, read again, synced, and then named. Answers its id. */
export async function takeSnapshot({
  config,
  reason,
  now,
  signal = new AbortController().signal,
  ...wish
}: Wish): Promise<string> {
  const folder = folderOf(config);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) if (name.endsWith('.part')) await rm(join(folder, name), { force: true });
  const startedAt = now();
  const id = wish.id ?? snapshotId(reason, startedAt);
  const part = join(folder, `${id}.part`);
  const path = join(folder, `${id}.${config.databaseUrl ? 'dump' : 'db'}`);
  try {
    if (config.databaseUrl) await dump(config.databaseUrl, part, folder, signal);
    else {
      const from = databaseFile(config);
      const [{ size }, free] = [await stat(from), await freeBytes(folder)];
      if (free < size * 1.1 + 10_000_000)
        throw new Error(
          `Only ${(free / 1e6).toFixed(0)} MB are free in ${folder}, and a snapshot takes ${(size / 1e6).toFixed(0)} MB. Make room, or delete older ones.`,
        );
      await snapshotFile(from, part);
      const found = await checkFile(part);
      if (found !== 'ok')
        throw new Unsound(
          `The snapshot is not sound (${found}); it was not kept. The database may be damaged: see “Database” under Health.`,
        );
    }
    await syncFile(part);
    await rename(part, path);
    await syncFolder(folder);
    const note: Note = {
      program: version,
      migration: wish.migration ?? newestStep(),
      reason,
      startedAt,
      endedAt: now(),
      bytes: (await stat(path)).size,
    };
    await writeWhole(join(folder, `${id}.json`), JSON.stringify(note));
  } finally {
    await rm(part, { force: true });
  }
  await forgetOld(config, now(), wish.spare);
  return id;
}

/** The newest snapshot that a version which knows only these steps can go back to. */
export const newestFor = async (config: Pick<Config, 'dataFolder'>) =>
  (await listSnapshots(config)).find(({ migration, isDump }) => !isDump && Object.hasOwn(steps, migration));

/** A snapshot as the API shows it. */
export const shapeSnapshot = ({ id, program, startedAt, endedAt }: Kept): Snapshot => ({
  id,
  state: 'SUCCESS',
  es_version: program,
  start_date: localTime(startedAt),
  end_date: localTime(endedAt),
  end_stamp: endedAt,
  duration_s: Math.max(0, endedAt - startedAt),
});
