import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

test('the gathered server has no character that needs two bytes in memory, which all others would need then too', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'reelkeep-gathered-'));
  try {
    const made = spawnSync(process.execPath, [join(root, 'bin/bundle.mjs'), relative(root, folder)], { encoding: 'utf8' });
    expect(made.status, made.stderr).toBe(0);
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
