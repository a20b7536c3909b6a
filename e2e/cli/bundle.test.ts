import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

test('the server bundle contains only Latin-1 characters, which need one byte in memory', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'reelkeep-bundle-'));
  try {
    const bundle = spawnSync(process.execPath, [join(root, 'scripts/bundle.mjs'), relative(root, folder)], { encoding: 'utf8' });
    expect(bundle.status, bundle.stderr).toBe(0);
    const files = (await readdir(folder)).filter((name) => name.endsWith('.mjs'));
    expect(files).toContain('main.mjs');
    for (const name of files) {
      const text = await readFile(join(folder, name), 'utf8');
      expect(text.match(/.{0,40}[^\0-\x7f].{0,40}/u)?.[0], name).toBeUndefined();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
