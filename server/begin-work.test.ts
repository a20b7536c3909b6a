import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { doEach, tidying } from './begin-work.ts';
import { scratchFolder } from './child/scratch.ts';
import { testArchive } from './testing.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelkeep-test-'));
  vi.stubEnv('TMPDIR', folder);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

test('a start removes what killed programs left half made or secret, and nothing of those that live', async () => {
  const t = await testArchive({ onDisk: true });
  try {
    const old = async (path: string) => {
      await utimes(path, 1_500_000_000, 1_500_000_000);
      return path;
    };
    const [pictures, refreshes] = ['videos/c', 'refresh'].map((one) => join(t.archive.config.cacheFolder, one)) as [
      string,
      string,
    ];
    await mkdir(pictures, { recursive: true });
    for (const name of ['c.jpg', 'c.jpg.part', 'c.jpg.fetched', 'c.jpg.new', 'c.jpg.new.part']) {
      await writeFile(join(pictures, name), 'a picture');
      await old(join(pictures, name));
    }
    await mkdir(join(refreshes, 'one-a'), { recursive: true });
    await writeFile(join(refreshes, 'one-a/c.info.json'), '{}');
    await old(join(refreshes, 'one-a'));
    await mkdir(join(refreshes, 'one-now'));

    const { pid: dead } = spawnSync(process.execPath, ['-e', '']);
    const kept = ['not-ours', `reelkeep-${process.ppid}-abcdef`, 'reelkeep-123456'];
    for (const name of [...kept, `reelkeep-${dead}-abcdef`, `reelkeep-${process.pid}-before`]) {
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, 'cookies.txt'), 'SID=1');
      await old(join(folder, name));
    }
    const own = await scratchFolder();

    await doEach(t.archive, tidying);
    expect(await readdir(pictures)).toEqual(['c.jpg']);
    expect(await readdir(refreshes)).toEqual(['one-now']);
    expect(
      (await readdir(folder))
        .filter((name) => !name.startsWith('reelkeep-test-'))
        .map((name) => join(folder, name))
        .sort(),
    ).toEqual([...kept.map((name) => join(folder, name)), own].sort());
  } finally {
    await t.close();
  }
});
