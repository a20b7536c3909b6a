import { spawn, spawnSync } from 'node:child_process';
import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '#server/app/open-database.ts';
import { readConfig } from '#server/platform/config/config.ts';
import { logInToProgram } from '../e2e/support/program.ts';
import { startBenchProgram } from './large.ts';
import { stop, timedStart } from './program.ts';
import type { ReaderOptions } from './reader.ts';

const largeSize = 1024 ** 3;
const parallel = [1, 4, 16];
const runs = 3;

/** Creates a file with allocated blocks in the page cache, not a sparse one. */
export async function makeLargeFile(path: string, fileSize = largeSize) {
  const file = await open(path, 'w');
  const block = Buffer.allocUnsafe(16 * 1024 ** 2);
  for (let offset = 0; offset < block.length; offset += 4) block.writeUInt32LE((offset * 2_654_435_761) >>> 0, offset);
  for (let done = 0; done < fileSize; done += block.length) await file.write(block);
  await file.close();
}

/**
 * Returns the bytes per second for a number of parallel readers. Each measurement uses a new reader process, because earlier work
 * slows a process down and would distort the result.
 */
export const measureBytesPerSecond = (
  address: string,
  readers: number,
  headers: Record<string, string>,
  { fileSize = largeSize, ...more }: { fileSize?: number; rangeSize?: number } = {},
): Promise<number> =>
  startBenchProgram('reader.ts', { address, readers, headers, fileSize, ...more } satisfies ReaderOptions).next<number>();

/** Returns the CPU time of a process and its children so far, in seconds; a tick is 1/100 s on Linux. */
async function processorSeconds(pid: number): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  let ticks = 0;
  for (const processId of [pid, ...children.split(' ').filter(Boolean)]) {
    const fields = (await readFile(`/proc/${processId}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ');
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks / 100;
}

/** Creates the row of a video whose file is `UCstream/large.mp4`. */
export async function addLargeVideo(dataFolder: string) {
  const db = await openDatabase({ ...readConfig({}), dataFolder, databaseUrl: undefined });
  const row = { site: 'youtube', refreshedAt: 0 };
  await db
    .insertInto('channel')
    .values({ ...row, id: 'UCstream', siteId: 'UCstream', name: 'S', sortName: 's', addedAt: 0 })
    .execute();
  await db
    .insertInto('video')
    .values({
      ...row,
      id: 'large',
      siteId: 'large',
      channelId: 'UCstream',
      title: 'L',
      sortTitle: 'l',
      kind: 'videos',
      publishedAt: 0,
      downloadedAt: 0,
      durationSeconds: 1,
      sizeBytes: largeSize,
      sha256: '',
      mediaPath: 'UCstream/large.mp4',
    }) // prettier-ignore
    .execute();
  await db.destroy();
}

/** Starts nginx (Debian package) for one folder, with sendfile. Returns null if it is not installed. */
async function startNginx(folder: string, root: string) {
  if (spawnSync('nginx', ['-v']).error) return null;
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const config = join(folder, 'nginx.conf');
  await writeFile(
    config,
    `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log; worker_processes 1; user root;
events {} http { access_log off; sendfile on; tcp_nopush on; server { listen 127.0.0.1:${port}; root ${root}; } }`,
  );
  const child = spawn('nginx', ['-c', config], { stdio: 'ignore' });
  const address = `http://127.0.0.1:${port}`;
  while (!(await fetch(address).catch(() => null))) await new Promise((resolve) => setTimeout(resolve, 20));
  return { address, pid: child.pid!, stop: () => child.kill('SIGTERM') };
}

/**
 * Measures range requests of one large file, from the server and nginx alternately, best of three each, and the CPU time per
 * gigabyte, which other load on the machine hardly affects. Returns a row for each number of readers; null without nginx.
 */
export async function streamingAgainstNginx(folder: string) {
  const data = join(folder, 'streaming');
  await rm(data, { recursive: true, force: true });
  const media = join(data, 'media');
  await mkdir(join(media, 'UCstream'), { recursive: true });
  await makeLargeFile(join(media, 'UCstream', 'large.mp4'));
  const nginx = await startNginx(folder, media);
  if (!nginx) return null;
  await addLargeVideo(data);
  const { program, address } = await timedStart(data);
  const { headers } = await logInToProgram(address);
  const rows = [];
  for (const readers of parallel) {
    const before = [await processorSeconds(program.child.pid!), await processorSeconds(nginx.pid)];
    let [ours, theirs] = [0, 0];
    for (let run = 0; run < runs; run++) {
      theirs = Math.max(theirs, await measureBytesPerSecond(`${nginx.address}/UCstream/large.mp4`, readers, {}));
      ours = Math.max(ours, await measureBytesPerSecond(`${address}/youtube/UCstream/large.mp4`, readers, headers));
    }
    const after = [await processorSeconds(program.child.pid!), await processorSeconds(nginx.pid)];
    const [oursProcessor, theirsProcessor] = after.map((seconds, index) => (seconds - before[index]!) / runs);
    rows.push({ readers, ours, theirs, oursProcessor: oursProcessor!, theirsProcessor: theirsProcessor! });
  }
  await stop(program);
  nginx.stop();
  return rows;
}
