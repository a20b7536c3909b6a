import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runEach, cleanupSteps } from './startup.ts';
import { createTempDir } from '../platform/process/temp-dir.ts';
import { testApp } from '../test-support/app.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelkeep-test-'));
  vi.stubEnv('TMPDIR', folder);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

test('a start removes partial and secret files of killed processes, and none of running ones', async () => {
  const t = await testApp({ onDisk: true });
  try {
    const makeOld = async (path: string) => {
      await utimes(path, 1_500_000_000, 1_500_000_000);
      return path;
    };
    const [pictures, refreshes] = ['videos/c', 'refresh'].map((folderName) => join(t.app.config.cacheFolder, folderName)) as [
      string,
      string,
    ];
    await mkdir(pictures, { recursive: true });
    for (const name of ['c.jpg', 'c.jpg.part', 'c.jpg.fetched', 'c.jpg.new', 'c.jpg.new.part']) {
      await writeFile(join(pictures, name), 'a picture');
      await makeOld(join(pictures, name));
    }
    await mkdir(join(refreshes, 'one-a'), { recursive: true });
    await writeFile(join(refreshes, 'one-a/c.info.json'), '{}');
    await makeOld(join(refreshes, 'one-a'));
    await mkdir(join(refreshes, 'one-now'));

    const { pid: deadPid } = spawnSync(process.execPath, ['-e', '']);
    const remaining = ['not-ours', `reelkeep-${process.ppid}-abcdef`, 'reelkeep-123456'];
    for (const name of [...remaining, `reelkeep-${deadPid}-abcdef`, `reelkeep-${process.pid}-before`]) {
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, 'cookies.txt'), 'SID=1');
      await makeOld(join(folder, name));
    }
    const ownFolder = await createTempDir();

    await runEach(t.app, cleanupSteps);
    expect(await readdir(pictures)).toEqual(['c.jpg']);
    expect(await readdir(refreshes)).toEqual(['one-now']);
    expect(
      (await readdir(folder))
        .filter((name) => !name.startsWith('reelkeep-test-'))
        .map((name) => join(folder, name))
        .sort(),
    ).toEqual([...remaining.map((name) => join(folder, name)), ownFolder].sort());
  } finally {
    await t.close();
  }
});

test('a start next to another server keeps the backups and uploads that it is receiving', async () => {
  const t = await testApp({ onDisk: true });
  try {
    const folder = join(t.app.config.dataFolder, 'backup');
    const names = ['.12-1700000000.part', '.00000000-0000-0000-0000-000000000000.upload'];
    await mkdir(folder, { recursive: true });
    for (const name of names) {
      await writeFile(join(folder, name), 'half');
      await utimes(join(folder, name), 1_500_000_000, 1_500_000_000);
    }
    await runEach({ ...t.app, nodes: { ...t.app.nodes, otherRuns: async () => ['another'] } }, cleanupSteps);
    expect((await readdir(folder)).sort()).toEqual(names.toSorted());
    await runEach(t.app, cleanupSteps);
    expect(await readdir(folder)).toEqual([]);
  } finally {
    await t.close();
  }
});

test.each([
  [false, ['own']],
  [true, ['own', 'cache']],
])('a start while other nodes run cleans its own cache folder (in a bucket: %s)', async (isRemote, expected) => {
  const t = await testApp();
  try {
    const ran: string[] = [];
    const step = (name: string, isShared?: true | 'cache') => ({
      name,
      ...(isShared && { isShared }),
      go: async () => void ran.push(name),
    });
    const nodes = { ...t.app.nodes, otherRuns: async () => ['another'] };
    const steps = [step('own'), step('database', true), step('cache', 'cache')];
    await runEach({ ...t.app, nodes, files: { ...t.app.files, isRemote } }, steps);
    expect(ran).toEqual(expected);
  } finally {
    await t.close();
  }
});
