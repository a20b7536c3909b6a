import { MessageError } from '../../platform/messages/message-error.ts';
import { message } from '#contract/messages.ts';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { AppContext } from '../../platform/context/app-context.ts';
import type { HealthState } from '../../platform/context/health-state.ts';
import { lines, run } from '../../platform/process/run.ts';
import type { Config } from '../../platform/config/config.ts';
import { databaseFile } from '../../platform/config/data-folder.ts';
import { isDamage } from '../../platform/db/db.ts';
import { freeBytes } from '../../platform/files/free-space.ts';
import { exists, removeFile } from '../../platform/files/files.ts';

/** Path at which a damaged database is kept next to its replacement. */
export const damagedCopyPath = (config: Pick<Config, 'dataFolder'>, now: number) =>
  `${databaseFile(config)}.damaged-${new Date(now * 1000).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}`;

// Checks run in child processes, because SQLite work in a thread cannot be interrupted and would delay other requests. A file of
// 1.4 GB takes five to ten seconds from memory, and as long as the disk needs to read it otherwise.
const looking = `const { DatabaseSync } = require('node:sqlite');
const say = (what) => console.log(JSON.stringify(what));
try {
  const database = new DatabaseSync(process.argv[1], { readOnly: true, timeout: 15000 });
  say({ found: String(Object.values(database.prepare('pragma quick_check(1)').get())[0]) });
} catch ({ message, errcode }) {
  say({ message, errcode });
}`;
const silenceMs = 12 * 3_600_000; // the check prints nothing while it runs
const longestWords = 300;
const never = new AbortController().signal;

// Says how many tables there are, and then what was found in each, short ones first. Virtual tables consist of other tables.
const lookingAtTables = `const { DatabaseSync } = require('node:sqlite');
const say = (what) => console.log(JSON.stringify(what));
const quoted = (name) => '"' + name.replaceAll('"', '""') + '"';
try {
  const database = new DatabaseSync(process.argv[1], { readOnly: true, timeout: 15000 });
  const valueOf = (sql) => Object.values(database.prepare(sql).get())[0];
  const rowsOf = (table) => {
    try {
      return Number(valueOf('select max(rowid) from ' + quoted(table)));
    } catch {
      return Infinity; // without rowid, or damaged
    }
  };
  const tables = database.prepare("select name from sqlite_schema where type = 'table' and rootpage > 0").all()
    .map(({ name }) => ({ name, rows: rowsOf(name) })).sort((a, b) => a.rows - b.rows || 0);
  say({ of: tables.length });
  for (const { name } of tables) say({ found: String(valueOf('pragma quick_check(' + quoted(name) + ')')) });
} catch ({ message, errcode }) {
  say({ message, errcode });
}`;

interface Report {
  found?: string;
  message?: string;
  errcode?: number;
}

/**
 * Returns SQLite's message on one line if a check found damage, else null.
 * @throws if the file cannot be read for another reason.
 */
function damageIn(report: Report): string | null {
  if (report.found === undefined && !isDamage(report))
    throw Object.assign(new Error(report.message), { errcode: report.errcode });
  const words = report.found ?? report.message ?? '';
  return words === 'ok' ? null : words.replaceAll(/\s+/g, ' ').slice(0, longestWords);
}

/**
 * Checks a database file, which may be in use. Returns SQLite's message on one line if the file is damaged, else null.
 * @throws if the file cannot be read for another reason.
 */
export async function findDamage(path: string, signal: AbortSignal = never): Promise<string | null> {
  const { stdout } = await run(process.execPath, ['--eval', looking, '--', path], { cwd: '/', silenceMs, signal });
  return damageIn(JSON.parse(stdout) as Report);
}

/**
 * Checks the tables of a database file, short ones first, until the time is over. Returns how many were checked, and SQLite's
 * message if one is damaged.
 */
export async function checkTables(path: string, timeMs: number, signal: AbortSignal = never) {
  const result = { tables: 0, of: 0, damage: null as string | null };
  const timeout = AbortSignal.timeout(timeMs);
  const options = { cwd: '/', silenceMs, signal: AbortSignal.any([signal, timeout]) };
  try {
    for await (const line of lines(process.execPath, ['--eval', lookingAtTables, '--', path], options)) {
      const report = JSON.parse(line) as Report & { of?: number };
      if (report.of !== undefined) result.of = report.of;
      else {
        result.damage ??= damageIn(report);
        result.tables++;
      }
    }
  } catch (error) {
    if (!timeout.aborted) throw error;
  }
  return result;
}

/** Runs a check while the server runs. Damage is reported by the health check and on the Health page. */
async function check(
  { health, log }: AppContext,
  signal: AbortSignal | undefined,
  look: () => Promise<Pick<HealthState, 'damage' | 'checked'>>,
): Promise<void> {
  try {
    const { damage, checked } = await look();
    if (damage && !health.damage) log.error({ found: damage }, 'the database is damaged; see Settings → Health');
    Object.assign(health, { damage, checked });
  } catch (error) {
    if (!signal?.aborted) log.warn({ err: error }, 'cannot check the database');
  }
}

/** Checks the whole database. */
export const checkDatabase = (app: AppContext, signal?: AbortSignal): Promise<void> =>
  check(app, signal, async () => ({ damage: await findDamage(databaseFile(app.config), signal), checked: 'all' }));

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const startMs = 10_000;

/**
 * Checks as many tables as possible in ten seconds now, everything in an hour and then once a day, until the signal fires. A check
 * of everything reads the whole file, which takes more than a minute with 500,000 videos and their transcripts.
 */
export async function scheduleIntegrityChecks(app: AppContext, signal: AbortSignal): Promise<void> {
  const { config } = app;
  if (config.databaseUrl) return; // PostgreSQL checks its own files
  const pause = (ms: number) => wait(ms, undefined, { signal, ref: false }).catch(() => undefined);
  await check(app, signal, async () => {
    const { damage, ...checked } = await checkTables(databaseFile(config), startMs, signal);
    return { damage, checked };
  });
  for (let ms = hourMs; ; ms = dayMs) {
    await pause(ms);
    if (signal.aborted) return;
    await checkDatabase(app, signal);
  }
}

// SQLite's locks on a file are released when the process that holds them opens and closes it by other means, so a child process
// copies it.
const copying = `const { copyFileSync, constants } = require('node:fs');
for (let at = 1; at < process.argv.length; at += 2)
  copyFileSync(process.argv[at], process.argv[at + 1], constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);`;

/** Copies the damaged file of a database that is in use. The caller must have paused all writes. Returns the name of the copy. */
export async function keepDamagedCopy({ config, now }: Pick<AppContext, 'config' | 'now'>, signal: AbortSignal): Promise<string> {
  const [path, aside] = [databaseFile(config), damagedCopyPath(config, now())];
  const [{ size }, free] = [await stat(path), await freeBytes(config.dataFolder)];
  if (free < size * 1.1 + 10_000_000)
    throw new MessageError([
      message('restore.no-space-for-damaged', {
        free: Math.round(free / 1e6),
        folder: config.dataFolder,
        size: Math.round(size / 1e6),
      }),
      message('restore.unchanged'),
    ]);
  const pairs = [path, aside, ...((await exists(`${path}-wal`)) ? [`${path}-wal`, `${aside}-wal`] : [])];
  try {
    await run(process.execPath, ['--eval', copying, '--', ...pairs], { cwd: '/', silenceMs, signal });
  } catch (error) {
    for (const left of [aside, `${aside}-wal`]) await removeFile(left);
    throw error;
  }
  return basename(aside);
}
