import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { sql } from 'kysely';
import type { Db } from '#server/db/db.ts';
import { openDatabase } from '#server/open-database.ts';
import { holdInMemory } from './hold.ts';
import { makeLargeLibrary, videoId } from './library.ts';
import { logIn } from './visitors.ts';

// The large library that bench:scale and bench:load ask, and what stands around it. REELKEEP_BENCH_FOLDER keeps it for the next run;
// REELKEEP_BENCH_POSTGRES takes an empty PostgreSQL database instead of SQLite.

export const databaseUrl = process.env.REELKEEP_BENCH_POSTGRES;
const parts = process.env.REELKEEP_BENCH_PARTS?.split(',');
/** Whether this part is to be measured: REELKEEP_BENCH_PARTS names some; all unless it does. */
export const wants = (part: string) => !parts || parts.includes(part);

export const ms = (time: number) => time.toFixed(1);
export const table = (head: string[], rows: string[][]) =>
  console.log(
    `\n| ${head.join(' | ')} |\n|${head.map(() => '---').join('|')}|\n${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}\n`,
  );

/** What a run before this one had queued is at no site any more, and of what it brought the previews would be made meanwhile. */
async function leaveNothingToDo(db: Db) {
  await db.deleteFrom('download').where('autoStart', '=', 1).execute();
  await db.deleteFrom('task').where('endedAt', 'is', null).execute();
  await db
    .insertInto('storyboard')
    .columns(['videoId', 'sheets', 'madeOf'])
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

/** Makes it where it is not there yet, and holds it in memory; `forget` deletes it again unless it is to be kept. */
export async function largeLibrary() {
  const kept = process.env.REELKEEP_BENCH_FOLDER;
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'reelkeep-scale-')));
  const data = join(folder, databaseUrl ? 'postgres' : 'sqlite');
  const mark = join(data, 'made');
  if (!existsSync(mark)) {
    await makeLargeLibrary(data, databaseUrl);
    await writeFile(mark, '');
  }
  const db = await openDatabase({ dataFolder: data, databaseUrl });
  await leaveNothingToDo(db);
  const held = await holdInMemory(databaseUrl ? await folderOfPostgres(db) : join(data, 'reelkeep.db'), folder);
  await db.destroy();
  const forget = async () => {
    await held?.letGo();
    if (!kept) await rm(folder, { recursive: true, force: true });
  };
  const env: Record<string, string> = databaseUrl ? { REELKEEP_DATABASE: databaseUrl } : {};
  return { folder, data, env, held, forget };
}

/** A real film where one of the invented videos says that its file is; answers its address on the server. */
export async function bringFilm({ folder, data }: { folder: string; data: string }, address: string): Promise<string> {
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

/** Starts one of the programs beside this file with a wish; `next` resolves with the next line that it prints, as JSON. */
export function aProgram(name: string, wish: object = {}) {
  const child = spawn(process.execPath, [join(import.meta.dirname, name), JSON.stringify(wish)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async next<T>(): Promise<T> {
      const { value, done } = await lines.next();
      if (done) throw new Error(`${name} ended without an answer.`);
      return JSON.parse(value) as T;
    },
    /** Its standard input ends, and with it what it does. */
    end: () => child.stdin.end(),
    stop: () => child.kill('SIGKILL'),
  };
}
