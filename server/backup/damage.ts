import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Archive } from '../archive.ts';
import { run } from '../child/run.ts';
import type { Config } from '../config.ts';
import { databaseFile } from '../data-folder.ts';
import { isDamage } from '../db/db.ts';
import { freeBytes } from '../download/room-left.ts';
import { exists, removeFile } from '../media/shelf.ts';

/** How a damaged database is kept beside the one that takes its place. */
export const asideOf = (config: Pick<Config, 'dataFolder'>, now: number) =>
  `${databaseFile(config)}.damaged-${new Date(now * 1000).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}`;

// In a process of its own, which goes before everybody else and can be ended: what SQLite does in a thread cannot, and a file of
// 1.4 GB takes five to ten seconds from memory, and as long as it takes to read from a disk.
const looking = `const { DatabaseSync } = require('node:sqlite');
const say = (what) => console.log(JSON.stringify(what));
try {
  const database = new DatabaseSync(process.argv[1], { readOnly: true, timeout: 15000 });
  say({ found: String(Object.values(database.prepare('pragma quick_check(1)').get())[0]) });
} catch ({ message, errcode }) {
  say({ message, errcode });
}`;
const silenceMs = 12 * 3_600_000; // it says nothing while it works
const longestWords = 300;
const never = new AbortController().signal;

/**
 * What is damaged in a database file, which may be in use, in the words of SQLite on one line; null when nothing is. Throws when
 * it cannot be read for another reason.
 */
export async function damageIn(path: string, signal: AbortSignal = never): Promise<string | null> {
  const { stdout } = await run(process.execPath, ['--eval', looking, '--', path], { cwd: '/', silenceMs, signal });
  const said = JSON.parse(stdout) as { found?: string; message?: string; errcode?: number };
  if (said.found === undefined && !isDamage(said)) throw Object.assign(new Error(said.message), { errcode: said.errcode });
  const words = said.found ?? said.message ?? '';
  return words === 'ok' ? null : words.replaceAll(/\s+/g, ' ').slice(0, longestWords);
}

/** Reads the database to its end, beside everything else; what is damaged is told by the health check and under Health. */
export async function lookForDamage({ config, troubles, log }: Archive, signal?: AbortSignal): Promise<void> {
  if (config.databaseUrl) return; // PostgreSQL looks after its own files
  try {
    const found = await damageIn(databaseFile(config), signal);
    if (found && !troubles.damage) log.error({ found }, 'the database is damaged; Settings, Health says what to do');
    troubles.damage = found;
  } catch (error) {
    if (!signal?.aborted) log.warn({ err: error }, 'the database could not be looked over');
  }
}

const dayMs = 86_400_000;

/** Looks for damage now and once a day, until the signal fires. */
export async function watchForDamage(archive: Archive, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await lookForDamage(archive, signal);
    await wait(dayMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

// SQLite's locks on a file are gone when its own process opens and closes it in another way, so another process does it.
const copying = `const { copyFileSync, constants } = require('node:fs');
for (let at = 1; at < process.argv.length; at += 2)
  copyFileSync(process.argv[at], process.argv[at + 1], constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);`;

/** Copies the damaged file of a database that is in use, and that nobody writes to just now. Answers how the copy is called. */
export async function copyDamaged({ config, now }: Pick<Archive, 'config' | 'now'>, signal: AbortSignal): Promise<string> {
  const [path, aside] = [databaseFile(config), asideOf(config, now())];
  const [{ size }, free] = [await stat(path), await freeBytes(config.dataFolder)];
  if (free < size * 1.1 + 10_000_000)
    throw new Error(
      `Only ${(free / 1e6).toFixed(0)} MB are free in ${config.dataFolder}, and keeping the damaged database takes ${(size / 1e6).toFixed(0)} MB. Make room, or stop the program and use npm run restore. Nothing was changed.`,
    );
  const pairs = [path, aside, ...((await exists(`${path}-wal`)) ? [`${path}-wal`, `${aside}-wal`] : [])];
  try {
    await run(process.execPath, ['--eval', copying, '--', ...pairs], { cwd: '/', silenceMs, signal });
  } catch (error) {
    for (const left of [aside, `${aside}-wal`]) await removeFile(left);
    throw error;
  }
  return basename(aside);
}
