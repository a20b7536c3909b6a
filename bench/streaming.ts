import { spawn, spawnSync } from 'node:child_process';
import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '#server/open-database.ts';
import { aVisitor } from '../e2e/program.ts';
import { aProgram } from './large.ts';
import { stop, timedStart } from './program.ts';
import type { Wish } from './reader.ts';

const fileSize = 1024 ** 3;
const parallel = [1, 4, 16];
const runs = 3;

/** A file that is really there on the disk and in its cache, not one of holes. */
async function makeLargeFile(path: string) {
  const file = await open(path, 'w');
  const block = Buffer.allocUnsafe(16 * 1024 ** 2);
  for (let place = 0; place < block.length; place += 4) block.writeUInt32LE((place * 2_654_435_761) >>> 0, place);
  for (let done = 0; done < fileSize; done += block.length) await file.write(block);
  await file.close();
}

/**
 * How many bytes a second come from there with so many readers at once. Who reads is a program begun anew each time: what this one has
 * done before slows its reading down, and then says less of who serves.
 */
const bytesASecond = (address: string, readers: number, headers: Record<string, string>): Promise<number> =>
  aProgram('reader.ts', { address, readers, headers, fileSize } satisfies Wish).next<number>();

/** The processor time that a process and those it started have taken so far, in seconds; a tick is a hundredth on Linux. */
async function processorSeconds(pid: number): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  let ticks = 0;
  for (const one of [pid, ...children.split(' ').filter(Boolean)]) {
    const fields = (await readFile(`/proc/${one}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ');
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks / 100;
}

/** nginx as Debian packages it, serving one folder with sendfile; null where it is not installed. */
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
 * The throughput of ranges of one large file, from the server and from nginx in turn, three times each, the best counted, and the
 * processor time of each for a gigabyte, which other work on the machine hardly changes. Answers a row for each number of readers; null where there is no nginx.
 */
export async function streamingAgainstNginx(folder: string) {
  const data = join(folder, 'streaming');
  await rm(data, { recursive: true, force: true });
  const media = join(data, 'media');
  await mkdir(join(media, 'UCstream'), { recursive: true });
  await makeLargeFile(join(media, 'UCstream', 'large.mp4'));
  const nginx = await startNginx(folder, media);
  if (!nginx) return null;
  const db = await openDatabase({ dataFolder: data, databaseUrl: undefined });
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
      sizeBytes: fileSize,
      sha256: '',
      mediaPath: 'UCstream/large.mp4',
    }) // prettier-ignore
    .execute();
  await db.destroy();
  const { program, address } = await timedStart(data);
  const { headers } = await aVisitor(address);
  const rows = [];
  for (const readers of parallel) {
    const before = [await processorSeconds(program.child.pid!), await processorSeconds(nginx.pid)];
    let [ours, theirs] = [0, 0];
    for (let run = 0; run < runs; run++) {
      theirs = Math.max(theirs, await bytesASecond(`${nginx.address}/UCstream/large.mp4`, readers, {}));
      ours = Math.max(ours, await bytesASecond(`${address}/youtube/UCstream/large.mp4`, readers, headers));
    }
    const after = [await processorSeconds(program.child.pid!), await processorSeconds(nginx.pid)];
    const [oursProcessor, theirsProcessor] = after.map((seconds, place) => (seconds - before[place]!) / runs);
    rows.push({ readers, ours, theirs, oursProcessor: oursProcessor!, theirsProcessor: theirsProcessor! });
  }
  await stop(program);
  nginx.stop();
  return rows;
}
