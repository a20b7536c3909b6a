import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { holdFolder, makeFolders } from './data-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelkeep-'));
});

test('a data folder is held by one program at a time', async () => {
  const first = holdFolder(folder);
  expect(() => holdFolder(folder)).toThrow(/Another Reelkeep already works on .*REELKEEP_DATA/);
  // A full disk has no room for more.
  expect(await readdir(folder)).toEqual(['reelkeep.lock']);
  first.release();
  holdFolder(folder).release();
});

test('a folder that cannot be made is a sentence', async () => {
  await writeFile(join(folder, 'file'), '');
  await expect(makeFolders(readConfig({ REELKEEP_DATA: join(folder, 'file/data') }))).rejects.toThrow(
    /cannot be made.*Make it writable/,
  );
});
