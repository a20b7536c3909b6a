import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApp, type TestApp } from '../../test-support/app.ts';
import { startS3, versitygwPath } from '../../test-support/s3.ts';
import { readConfig } from '../../platform/config/config.ts';
import { openFileStore } from '../../app/open-file-store.ts';
import { bucketProblem, openBucket } from './bucket.ts';

const env = { REELKEEP_S3_BUCKET: 'archive', REELKEEP_S3_ACCESS_KEY: 'a', REELKEEP_S3_SECRET_KEY: 'b' };

describe('the variables of a bucket', () => {
  test('are complete or absent', () => {
    expect(readConfig(env).s3).toMatchObject({ bucket: 'archive', region: 'us-east-1', pathStyle: true, redirect: false });
    expect(readConfig({}).s3).toBeUndefined();
    expect(() => readConfig({ ...env, REELKEEP_S3_SECRET_KEY: '' })).toThrow('set REELKEEP_S3_ACCESS_KEY and');
    expect(() => readConfig({ REELKEEP_S3_ENDPOINT: 'https://s3.example.org' })).toThrow('REELKEEP_S3_BUCKET is missing');
    expect(() => readConfig({ ...env, REELKEEP_S3_BUCKET: 'a/b' })).toThrow('write the name of a bucket');
    expect(() => readConfig({ ...env, REELKEEP_S3_ENDPOINT: 's3.example.org' })).toThrow('write an http or https address');
  });
});

describe.runIf(versitygwPath)('a start with a bucket', () => {
  let s3: Awaited<ReturnType<typeof startS3>>;
  let t: TestApp;
  beforeAll(async () => {
    s3 = await startS3();
    t = await testApp({ env: s3.env });
  });
  afterAll(async () => {
    await t.close();
    await s3.stop();
  });
  const marker = () => join(s3.folder, 'reelkeep.txt');
  /** Starts with other variables. Returns what was logged. */
  async function start(changes: object) {
    const config = { ...t.app.config, s3: { ...t.app.config.s3!, ...changes } };
    const files = await openFileStore(config);
    const errors: string[] = [];
    const log = { ...t.app.log, error: (_: unknown, text = '') => void errors.push(text) };
    try {
      await openBucket({ db: t.app.db, config, files, log });
      return errors;
    } finally {
      files.close();
    }
  }

  test('marks an empty bucket, and accepts it at the next start', async () => {
    const { marker: stored } = await t.app.db.selectFrom('bucket').select('marker').executeTakeFirstOrThrow();
    expect((await readFile(marker(), 'utf8')).trim()).toBe(stored);
    expect(await start({})).toEqual([]);
    expect(await bucketProblem(t.app)).toBeNull();
  });

  test('refuses wrong keys and an unknown bucket, and names the variables', async () => {
    await expect(start({ secretKey: 'wrong' })).rejects.toThrow(/SignatureDoesNotMatch.*Correct the REELKEEP_S3 variables/);
    await expect(start({ accessKey: 'unknown' })).rejects.toThrow(/cannot be used: No user exists/);
    await expect(start({ bucket: 'nowhere' })).rejects.toThrow(/NoSuchBucket/);
  });

  test('continues without a bucket that does not answer', async () => {
    expect(await start({ endpoint: 'http://127.0.0.1:1' })).toEqual(['the bucket does not answer; media cannot be used']);
  });

  test('refuses the bucket of another archive, also while it runs', async () => {
    const own = await readFile(marker(), 'utf8');
    await rm(marker()); // with the checksums that the server keeps for it
    await writeFile(marker(), 'another\n');
    await expect(start({})).rejects.toThrow('belongs to another archive');
    expect(await bucketProblem(t.app)).toMatchObject({ id: 'bucket.of-other-archive' });
    await writeFile(marker(), own);
    expect(await bucketProblem(t.app)).toBeNull();
  });
});
