import { chmod, mkdtemp, readdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { lockFolder, makeFolders } from './data-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelkeep-'));
});

test('only one process can lock a data folder', async () => {
  const first = lockFolder(folder);
  expect(() => lockFolder(folder)).toThrow(/Another Reelkeep already works on .*REELKEEP_DATA/);
  // No journal file, for which a full disk would have no space.
  expect(await readdir(folder)).toEqual(['reelkeep.lock']);
  first.release();
  lockFolder(folder).release();
});

test('creates the lock file with mode 600 and corrects an existing one', async () => {
  const modeOf = async () => (await stat(join(folder, 'reelkeep.lock'))).mode & 0o777;
  lockFolder(folder).release();
  expect(await modeOf()).toBe(0o600);
  await chmod(join(folder, 'reelkeep.lock'), 0o644);
  lockFolder(folder).release();
  expect(await modeOf()).toBe(0o600);
});

test('reports a folder that cannot be created', async () => {
  await writeFile(join(folder, 'file'), '');
  await expect(makeFolders(readConfig({ REELKEEP_DATA: join(folder, 'file/data') }))).rejects.toThrow(
    /cannot be made.*Make it writable/,
  );
});

test('creates a folder for downloads, except on a web server', async () => {
  const shared = { REELKEEP_DATABASE: 'postgres://database/x', REELKEEP_MEDIA: join(folder, 'media') };
  for (const role of ['worker', 'web'])
    await makeFolders(
      readConfig({ ...shared, REELKEEP_ROLE: role, REELKEEP_NODE: `${role}-1`, REELKEEP_DATA: join(folder, role) }),
    );
  expect(await readdir(join(folder, 'media/.incoming'))).toEqual(['node-worker-1']);
});
