/**
 * `npm run bench -- bucket`: sends a file of a bucket and of a folder alternately, best of three each. The S3 server is versitygw,
 * which `REELKEEP_TEST_VERSITYGW` names.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startS3, versitygwPath } from '#server/test-support/s3.ts';
import { logInToProgram } from '../e2e/support/program.ts';
import { table } from './large.ts';
import { residentMib, stop, timedStart } from './program.ts';
import { addLargeVideo, makeLargeFile, measureBytesPerSecond } from './streaming.ts';

const runs = 3;
const mebibyte = 1024 ** 2;
const fileSize = 256 * mebibyte;
const clients = 20;

if (!versitygwPath) throw new Error('Set REELKEEP_TEST_VERSITYGW to the path of versitygw.');
const folder = await mkdtemp(join(tmpdir(), 'reelkeep-bench-bucket-'));
const s3 = await startS3();

/** Starts a server with the large file, which is created at `path`. */
async function start(name: string, path: string, env: Record<string, string> = {}) {
  const data = join(folder, name);
  await mkdir(data, { recursive: true });
  await mkdir(dirname(path), { recursive: true });
  await makeLargeFile(path, fileSize);
  // An archive that has no videos yet marks the bucket as its own.
  await stop((await timedStart(data, env)).program);
  await addLargeVideo(data);
  const { program, address } = await timedStart(data, env);
  const { headers } = await logInToProgram(address);
  const measure = (readers: number, rangeSize = 8 * mebibyte) =>
    measureBytesPerSecond(`${address}/youtube/UCstream/large.mp4`, readers, headers, { fileSize, rangeSize });
  return { program, measure };
}

/** Returns the most resident memory during a measurement, in MiB. */
async function memoryOf({ program, measure }: Awaited<ReturnType<typeof start>>) {
  let most = 0;
  const timer = setInterval(async () => void (most = Math.max(most, (await residentMib(program)) ?? 0)), 200);
  await measure(clients);
  clearInterval(timer);
  return most;
}

const servers = {
  disk: await start('disk', join(folder, 'disk/media/UCstream/large.mp4')),
  bucket: await start('bucket', join(s3.folder, 'media/UCstream/large.mp4'), s3.env),
};
async function best(readers: number, rangeSize: number) {
  const most = { disk: 0, bucket: 0 };
  for (let run = 0; run < runs; run++)
    for (const name of ['disk', 'bucket'] as const)
      most[name] = Math.max(most[name], (await servers[name].measure(readers, rangeSize)) / mebibyte);
  return most;
}
const rowOf = (what: string, { disk, bucket }: { disk: number; bucket: number }) => [
  what,
  disk.toFixed(0),
  bucket.toFixed(0),
  (bucket / disk).toFixed(2),
];
table(
  ['', 'disk', 'bucket', 'ratio'],
  [
    rowOf('requests of 1 MiB per second, one client', await best(1, mebibyte)),
    rowOf('requests of 1 MiB per second, four clients', await best(4, mebibyte)),
    rowOf('one long stream, MiB/s', await best(1, fileSize / 2)),
    rowOf(`most resident memory, ${clients} clients, MiB`, {
      disk: await memoryOf(servers.disk),
      bucket: await memoryOf(servers.bucket),
    }),
  ],
);
for (const { program } of Object.values(servers)) await stop(program);
await s3.stop();
await rm(folder, { recursive: true });
process.exit();
