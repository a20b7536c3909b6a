import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { newKey, openKeys, writeKeys } from './key-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelkeep-'));
});
const path = () => join(folder, 'secret.key');

test('creates the key once with mode 600 and does not replace a damaged one', async () => {
  const { present, all } = await openKeys({ dataFolder: folder });
  expect([present.length, all]).toEqual([32, [present]]);
  expect((await openKeys({ dataFolder: folder })).present).toEqual(present);
  expect((await stat(path())).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['secret.key']);
  for (const damaged of ['', 'short', 'x'.repeat(33)]) {
    await writeFile(path(), damaged);
    await expect(openKeys({ dataFolder: folder })).rejects.toThrow(/damaged/);
    expect(await readFile(path(), 'utf8')).toBe(damaged);
  }
});

test('uses a new key immediately and keeps known keys if the file is lost or truncated', async () => {
  const keys = await openKeys({ dataFolder: folder });
  const first = keys.present;
  const next = newKey();
  await writeFile(join(folder, 'secret.key.part'), 'left by a kill', { mode: 0o644 });
  await writeKeys(folder, [next, first]);
  expect((await stat(path())).mode & 0o777).toBe(0o600);
  expect([keys.present, keys.all]).toEqual([next, [next, first]]);
  await writeFile(path(), 'half');
  expect(keys.all).toEqual([next, first]);
  await rm(path());
  expect(keys.all).toEqual([next, first]);
});
