import { createHash } from 'node:crypto';
import { mkdtemp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openFileStore } from '../../app/open-file-store.ts';
import { startS3, versitygwPath } from '../../test-support/s3.ts';
import { readConfig, type Config } from '../config/config.ts';
import { PathTakenError } from '../files/files.ts';
import { StorageError, type FileStore } from './file-store.ts';
import { inCache, inHistory, resolveStoredPath } from './stored-path.ts';

const contentOf = (text: string) => ({
  sizeBytes: Buffer.byteLength(text),
  sha256: createHash('sha256').update(text).digest('hex'),
});

describe.for([
  { name: 'folders', isRemote: false },
  { name: 'a bucket', isRemote: true },
])('files in $name', ({ isRemote }) => {
  const isMissing = isRemote && !versitygwPath;
  let folder = '';
  let s3: Awaited<ReturnType<typeof startS3>> | undefined;
  let files: FileStore;
  let config: Config;
  /** Another server on the same storage. */
  let other: FileStore;
  let otherConfig: Config;

  const open = async (name: string) => {
    const env = { ...s3?.env, REELKEEP_DATA: join(folder, name) };
    const shared = isRemote ? {} : { REELKEEP_MEDIA: join(folder, 'media'), REELKEEP_CACHE: join(folder, 'cache') };
    const one = readConfig({ ...env, ...shared });
    await mkdir(one.cacheFolder, { recursive: true });
    return { config: one, files: await openFileStore(one) };
  };
  const local = async (text: string) => {
    const path = join(folder, `local-${contentOf(text).sha256.slice(0, 8)}`);
    await writeFile(path, text);
    return path;
  };
  const put = async (path: string, text: string) => files.put(path, await local(text), contentOf(text));
  const textOf = async (store: FileStore, path: string, range?: { from: number; to: number }) =>
    Buffer.concat(await (await store.read(path, range)).toArray()).toString();
  const writeCached = async (path: string, text: string) => {
    const target = resolveStoredPath({ config }, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
    await files.save(path);
  };

  beforeAll(async () => {
    if (isMissing) return;
    folder = await mkdtemp(join(tmpdir(), 'reelkeep-files-'));
    if (isRemote) s3 = await startS3();
    ({ files, config } = await open('one'));
    ({ files: other, config: otherConfig } = await open('two'));
  });
  afterAll(async () => {
    files?.close();
    other?.close();
    await s3?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test.skipIf(isMissing)('stores a file, and reads it whole and in part, here and on another server', async () => {
    await put('UC1/a.mp4', 'a film about trains');
    for (const store of [files, other]) {
      expect(await textOf(store, 'UC1/a.mp4')).toBe('a film about trains');
      expect(await textOf(store, 'UC1/a.mp4', { from: 2, to: 5 })).toBe('film');
      expect(await store.stat('UC1/a.mp4')).toMatchObject({ sizeBytes: 19 });
      expect(await readFile(await store.localPath('UC1/a.mp4'), 'utf8')).toBe('a film about trains');
    }
  });

  test.skipIf(isMissing)('can repeat storing a file, and does not overwrite another one', async () => {
    await put('UC1/b.mp4', 'the first');
    await put('UC1/b.mp4', 'the first');
    await expect(put('UC1/b.mp4', 'another')).rejects.toThrow(PathTakenError);
    expect(await textOf(files, 'UC1/b.mp4')).toBe('the first');
  });

  test.skipIf(isMissing)('says that a file does not exist', async () => {
    expect(await files.stat('UC1/none.mp4')).toBeNull();
    await expect(files.read('UC1/none.mp4')).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(files.localPath('UC1/none.mp4')).rejects.toMatchObject({ code: 'ENOENT' });
    await files.remove('UC1/none.mp4');
    await expect(files.stat('../secret.key')).rejects.toThrow('leads out');
  });

  test.skipIf(isMissing)('lists files by the start of their path, each kind apart', async () => {
    await put('UC2/a.mp4', 'a');
    await put('UC2/a.info.json', '{}');
    await put('UC3/c.mp4', 'c');
    await writeCached(inCache('videos/a/a.jpg'), 'picture');
    await writeCached(inHistory('a-1.jpg'), 'old picture');
    const listed = async (start: string) => (await Array.fromAsync(files.list(start))).map(({ path }) => path).sort();
    expect(await listed('UC2/')).toEqual(['UC2/a.info.json', 'UC2/a.mp4']);
    expect(await listed('UC')).toContain('UC3/c.mp4');
    expect(await listed('')).not.toContain(inCache('videos/a/a.jpg'));
    expect(await listed(inCache('videos/'))).toEqual([inCache('videos/a/a.jpg')]);
    expect(await listed(inHistory(''))).toEqual([inHistory('a-1.jpg')]);
    expect(await listed('UC9')).toEqual([]);
  });

  test.skipIf(isMissing)('moves images, also after an interruption, and overwrites none', async () => {
    const [from, to] = [inCache('videos/m/m.jpg'), inCache('.trash/1/m +ü.jpg')];
    const listed = async () => (await Array.fromAsync(files.list(inCache('.trash/')))).map(({ path }) => path);
    expect(await files.move([{ from, to }])).toEqual(['absent']);
    await writeCached(from, 'picture');
    expect(await files.move([{ from, to }])).toEqual(['moved']);
    expect(await textOf(files, to)).toBe('picture');
    expect(await files.stat(from)).toBeNull();
    await expect(files.localPath(from)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await files.move([{ from, to }])).toEqual(['moved']);
    await writeCached(from, 'picture'); // as after a copy whose original was not deleted yet
    expect(await files.move([{ from, to }])).toEqual(['moved']);
    expect(await files.stat(from)).toBeNull();
    await writeCached(from, 'another');
    expect(await files.move([{ from, to }])).toEqual([{ problem: expect.any(PathTakenError) }]);
    expect(await textOf(files, from)).toBe('another');
    expect(await listed()).toEqual([to]);
  });

  test.skipIf(isMissing)('deletes a file for all servers', async () => {
    await put('UC4/a.mp4', 'a');
    await other.localPath('UC4/a.mp4');
    await files.remove('UC4/a.mp4');
    expect(await other.stat('UC4/a.mp4')).toBeNull();
    await expect(files.localPath('UC4/a.mp4')).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test.skipIf(!isRemote || isMissing)(
    'replaces an image, which other servers notice after a minute',
    async ({ onTestFinished }) => {
      const path = inCache('videos/b/b.jpg');
      await writeCached(path, 'before');
      const copy = await other.localPath(path);
      expect(await readFile(copy, 'utf8')).toBe('before');
      expect(copy).toBe(resolveStoredPath({ config: otherConfig }, path));
      await writeCached(path, 'after it');
      const { now } = Date;
      Date.now = () => now() + 61_000;
      onTestFinished(() => void (Date.now = now));
      expect(await readFile(await other.localPath(path), 'utf8')).toBe('after it');
      expect((await stat(copy)).mtimeMs).toBe((await stat(await files.localPath(path))).mtimeMs);
      await files.remove(path);
      Date.now = () => now() + 122_000;
      await expect(other.localPath(path)).rejects.toMatchObject({ code: 'ENOENT' });
    },
  );

  test.skipIf(!isRemote || isMissing)('leaves an image alone that is being saved', async ({ onTestFinished }) => {
    const [made, replaced] = [inCache('videos/c/made.jpg'), inCache('videos/c/replaced.jpg')];
    await writeCached(replaced, 'before');
    await open('one').then(async ({ files: reader }) => {
      for (const path of [made, replaced]) {
        await writeFile(resolveStoredPath({ config }, path), 'new'); // not saved yet
        expect(await readFile(await reader.localPath(path), 'utf8')).toBe('new');
      }
      await files.save(made);
      expect(await textOf(other, made)).toBe('new');
      const { now } = Date;
      Date.now = () => now() + 61_000;
      onTestFinished(() => void (Date.now = now));
      expect(await readFile(await reader.localPath(replaced), 'utf8')).toBe('before'); // its saving failed
      reader.close();
    });
  });

  test.skipIf(!isRemote || isMissing)('stores a file in several parts', async () => {
    const text = 'x'.repeat(20 * 2 ** 20);
    await put('UC5/large.mp4', text);
    expect(await other.stat('UC5/large.mp4')).toMatchObject({ sizeBytes: text.length });
  });

  test.skipIf(!isRemote || isMissing)('is a storage error if the bucket refuses', async () => {
    const wrong = await openFileStore({ ...config, s3: { ...config.s3!, secretKey: 'wrong' } });
    await expect(wrong.stat('UC1/a.mp4')).rejects.toThrow(StorageError);
    await expect(wrong.read('UC1/a.mp4')).rejects.toThrow(StorageError);
    await expect(wrong.localPath('UC9/a.mp4')).rejects.toThrow(StorageError);
    wrong.close();
  });
});
