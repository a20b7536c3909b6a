import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { addressOf, logInToProgram, startProgram, type Program, type ApiClient } from './program.ts';

// The real program with a backup of one archive state while the archive is in another state.

export const lineCount = 20_000;

const missingTool = join(import.meta.dirname, 'no-such-program');
/** Programs that a test has started; `endAll` kills them. */
const running: Program[] = [];

export async function start(data: string, under: string[] = []) {
  const program = await startProgram({ data, under, env: { REELKEEP_YTDLP: missingTool, REELKEEP_FFMPEG: missingTool } });
  running.push(program);
  return program;
}

export async function stop(program: Program) {
  program.child.kill('SIGTERM');
  await program.ended;
}

export async function endAll() {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGKILL');
    await ended;
  }
}

/** Runs a function with a database that no process has open. */
export function withDatabase<T>(data: string, work: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(join(data, 'reelkeep.db'), { timeout: 10_000 });
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** Returns a summary of the archive state; tests compare it with `before` and `after`. Checks integrity and foreign keys. */
export const stateOf = (data: string) =>
  withDatabase(data, (db) => {
    const firstValue = (text: string) => Object.values(db.prepare(text).get() ?? {})[0];
    expect(firstValue('pragma integrity_check')).toBe('ok');
    expect(db.prepare('pragma foreign_key_check').all()).toEqual([]);
    const found = [
      firstValue("select name from channel where id = 'UCx'"),
      firstValue('select count(*) from transcript_line'),
      firstValue('select count(*) from listing_position'),
    ];
    return JSON.stringify(found);
  });
/** Returns whether a process had begun the queued restore, or it is over. A kill right after the request can come before that. */
export const hasBegunRestore = (data: string) =>
  withDatabase(data, (db) => db.prepare("select attempts from task where name = 'restore_backup'").get()?.attempts !== 0);

export const [before, after] = [JSON.stringify(['Now', 10, 1]), JSON.stringify(['Then', lineCount, 0])];

export async function waitForTask(visitor: ApiClient, name: string): Promise<{ status: string; result: string | null }> {
  for (let tries = 0; tries < 4000; tries++) {
    const { status, json } = await visitor.call('GET', `/api/task/by-name/${name}/`);
    const [last] = status === 200 ? (json as { status: string; result: string | null }[]) : [];
    if (last && last.status !== 'PENDING') return last;
    await wait(50);
  }
  throw new Error(`${name} did not end.`);
}

/** Creates a data folder in the `before` state with a backup of the `after` state. */
export async function createTemplate(folder: string) {
  const data = join(folder, 'template');
  const first = await start(data);
  await addressOf(first);
  await stop(first);
  withDatabase(data, (db) => {
    db.exec(`insert into channel (id, site, site_id, name, sort_name, added_at, refreshed_at) values ('UCx', 's', 'UCx', 'Then', 'then', 1, 1);
      insert into video (id, site, site_id, channel_id, title, sort_title, kind, published_at, downloaded_at, refreshed_at, duration_seconds, size_bytes, sha256, media_path)
        values ('v', 's', 'v', 'UCx', 'V', 'v', 'videos', 1, 1, 1, 1, 1, '', 'UCx/v.mp4');
      insert into transcript_line with recursive c(n) as (select 0 union all select n + 1 from c where n < ${lineCount - 1})
        select 'v', 'en', n, n, n + 1, 'these words stand here ' || n || ' ' || hex(randomblob(60)) from c`);
  });
  const second = await start(data);
  const visitor = await logInToProgram(await addressOf(second));
  await visitor.call('POST', '/api/appsettings/backup/', { reason: 'manual' });
  expect((await waitForTask(visitor, 'run_backup')).status).toBe('SUCCESS');
  await stop(second);
  withDatabase(data, (db) => {
    db.exec(
      "update channel set name = 'Now'; delete from transcript_line where position >= 10; insert into listing_position values ('u', 1, 1)",
    );
  });
  const filename = readdirSync(join(data, 'backup')).find((name) => name.endsWith('.zip'))!;
  return { data, filename };
}
