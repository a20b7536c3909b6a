import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { sql } from 'kysely';
import type { Db } from '#server/platform/db/db.ts';
import { openDatabase } from '#server/app/open-database.ts';
import { readConfig } from '#server/platform/config/config.ts';
import { lockInMemory } from './mlock-file.ts';
import { makeLargeLibrary, videoId } from './library.ts';
import { logIn } from './http-client.ts';
import { endWithThis } from './program.ts';

// Large library for the benchmarks scale and load. REELKEEP_BENCH_FOLDER keeps it for the next run; REELKEEP_BENCH_POSTGRES uses an
// empty PostgreSQL database instead of SQLite.

export const databaseUrl = process.env.REELKEEP_BENCH_POSTGRES;
const parts = process.env.REELKEEP_BENCH_PARTS?.split(',');
/** Returns whether a part is to be measured. REELKEEP_BENCH_PARTS selects parts; default: all. */
export const isSelected = (part: string) => !parts || parts.includes(part);

export const ms = (time: number) => time.toFixed(1);
export const table = (head: string[], rows: string[][]) =>
  console.log(
    `\n| ${head.join(' | ')} |\n|${head.map(() => '---').join('|')}|\n${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}\n`,
  );

/** Removes queue items of an earlier run, which no site has any more, and marks all storyboards as made, so that no task runs. */
async function clearPendingWork(db: Db) {
  await db.deleteFrom('download').where('autoStart', '=', 1).execute();
  await db.deleteFrom('task').where('endedAt', 'is', null).execute();
  await db
    .insertInto('storyboard')
    .columns(['videoId', 'sheets', 'sourceSha256'])
    .expression((e) =>
      e
        .selectFrom('video')
        .select((s) => ['id', s.lit(1).as('sheets'), 'sha256'])
        .where('id', 'not in', e.selectFrom('storyboard').select('videoId')),
    )
    .execute();
}

const folderOfPostgres = async (db: Db) =>
  (await sql<{ dataDirectory: string }>`show data_directory`.execute(db)).rows[0]!.dataDirectory;

/** Creates the library if it is missing and locks it in memory. `forget` deletes it unless it is to be kept. */
export async function largeLibrary() {
  const keptFolder = process.env.REELKEEP_BENCH_FOLDER;
  const folder = keptFolder ?? (await mkdtemp(join(tmpdir(), 'reelkeep-scale-')));
  const data = join(folder, databaseUrl ? 'postgres' : 'sqlite');
  const marker = join(data, 'made');
  if (!existsSync(marker)) {
    await makeLargeLibrary(data, databaseUrl);
    await writeFile(marker, '');
  }
  const db = await openDatabase({ ...readConfig({}), dataFolder: data, databaseUrl });
  await clearPendingWork(db);
  const memoryLock = await lockInMemory(databaseUrl ? await folderOfPostgres(db) : join(data, 'reelkeep.db'), folder);
  await db.destroy();
  const forget = async () => {
    await memoryLock?.unlock();
    if (!keptFolder) await rm(folder, { recursive: true, force: true });
  };
  const env: Record<string, string> = databaseUrl ? { REELKEEP_DATABASE: databaseUrl } : {};
  return { folder, data, env, memoryLock, forget };
}

/** Creates a real video file for one of the generated videos. Returns its URL path. */
export async function createFilm({ folder, data }: { folder: string; data: string }, address: string): Promise<string> {
  const headers = { cookie: (await logIn(address, 'demo')).join('; ') };
  const video = (await (await fetch(`${address}/api/video/${videoId(0)}/`, { headers })).json()) as { media_url: string };
  const path = join(data, 'media', decodeURIComponent(video.media_url.replace(/^\/youtube\//, '').replace(/\?.*$/, '')));
  if (existsSync(path)) return video.media_url;
  await mkdir(dirname(path), { recursive: true });
  const film = join(folder, 'film.mp4');
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=1280x720:rate=25', '-t', '60'];
  const noise = [...source, '-b:v', '8M', '-c:v', 'libx264', '-preset', 'ultrafast'];
  execFileSync(process.env.REELKEEP_FFMPEG || 'ffmpeg', ['-v', 'error', '-y', ...noise, film]);
  await copyFile(film, path);
  return video.media_url;
}

/** Starts another program in this folder with options; `next` resolves with its next output line, parsed as JSON. */
export function startBenchProgram(name: string, options: object = {}) {
  const child = spawn(process.execPath, [join(import.meta.dirname, name), JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  endWithThis(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async next<T>(): Promise<T> {
      const { value, done } = await lines.next();
      if (done) throw new Error(`${name} ended without an answer.`);
      return JSON.parse(value) as T;
    },
    /** Ends the program by closing its standard input. */
    end: () => child.stdin.end(),
    stop: () => child.kill('SIGKILL'),
  };
}
