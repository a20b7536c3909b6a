import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { CreateBucketCommand, HeadBucketCommand } from '@aws-sdk/client-s3';
import { openS3Client } from '../platform/storage/s3-requests.ts';
import { freePort } from './nginx.ts';

/** Path of the S3 server versitygw, whose objects are plain files; undefined if it could not be built. */
export const versitygwPath = process.env.REELKEEP_TEST_VERSITYGW || undefined;
if (!versitygwPath) process.stdout.write('versitygw is not there: the tests of S3 storage are skipped\n');

const accessKey = 'reelkeep-access';
const secretKey = 'reelkeep-secret';

/**
 * Starts an S3 server with an empty bucket. Object `key` is the file `folder/key`. With REELKEEP_TEST_S3_ENDPOINT, that of another
 * server with the same keys, some tests run there, in a new bucket.
 */
export async function startS3() {
  const root = await mkdtemp(join(tmpdir(), 'reelkeep-s3-'));
  const other = process.env.REELKEEP_TEST_S3_ENDPOINT;
  const bucket = other ? `archive-${randomUUID().slice(0, 8)}` : 'archive';
  const port = await freePort();
  let output = '';
  const start = () => {
    const child = spawn(
      versitygwPath!,
      ['--port', `127.0.0.1:${port}`, '--access', accessKey, '--secret', secretKey, '--quiet', 'posix', root],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
    return { child, ended: new Promise((resolve) => child.once('exit', resolve)) };
  };
  let own = other ? undefined : start();
  // Not left running after an error of a benchmark.
  const killOwn = () => void own?.child.kill('SIGKILL');
  process.once('exit', killOwn);
  const endpoint = other ?? `http://127.0.0.1:${port}`;
  const client = openS3Client({ bucket, endpoint, region: 'us-east-1', accessKey, secretKey, pathStyle: true, redirect: false });
  const createBucket = (Bucket: string) => client.send(new CreateBucketCommand({ Bucket }));
  const untilReady = async (request: () => Promise<unknown>) => {
    for (let attempt = 0; ; attempt++) {
      try {
        return await request();
      } catch (error) {
        if ((own?.child.exitCode ?? null) !== null || attempt > 200)
          throw new Error(`the S3 server does not answer: ${output}`, { cause: error });
        await wait(50);
      }
    }
  };
  const end = async () => {
    own?.child.kill('SIGTERM');
    await own?.ended;
  };
  await untilReady(() => createBucket(bucket));
  return {
    endpoint,
    client,
    bucket,
    createBucket,
    /** Folder of the objects. */
    folder: join(root, bucket),
    /** Environment variables of a server that uses the bucket. */
    env: {
      REELKEEP_S3_BUCKET: bucket,
      REELKEEP_S3_ENDPOINT: endpoint,
      REELKEEP_S3_ACCESS_KEY: accessKey,
      REELKEEP_S3_SECRET_KEY: secretKey,
    },
    /** Runs a function while the server does not answer. Its objects stay. */
    async whileAway<T>(work: () => Promise<T>): Promise<T> {
      await end();
      try {
        return await work();
      } finally {
        own = start();
        await untilReady(() => client.send(new HeadBucketCommand({ Bucket: bucket })));
      }
    },
    async stop() {
      process.off('exit', killOwn);
      client.destroy();
      await end();
      await rm(root, { recursive: true, force: true });
    },
  };
}
