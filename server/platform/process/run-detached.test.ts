import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runDetached } from './run-detached.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelkeep-run-detached-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('reports the last output of a failed program', async () => {
  const outputPath = join(folder, 'log');
  await runDetached('/bin/sh', ['-c', 'echo fine'], { outputPath });
  expect(await readFile(outputPath, 'utf8')).toBe('fine\n');
  await expect(runDetached('/bin/sh', ['-c', 'echo no room left >&2; exit 100'], { outputPath })).rejects.toMatchObject({
    code: 100,
    message: '/bin/sh ended with an error: no room left',
  });
  await expect(runDetached('/nowhere/apt-get', [], { outputPath })).rejects.toMatchObject({ reason: 'missing' });
});

test('continues after this process is interrupted with Ctrl-C', async () => {
  const outputPath = join(folder, 'log');
  const script = `const { runDetached } = await import(${JSON.stringify(join(import.meta.dirname, 'run-detached.ts'))});
    process.on('SIGINT', () => process.exit(0));
    await runDetached('/bin/sh', ['-c', 'echo begun; sleep 1; echo complete'], { outputPath: ${JSON.stringify(outputPath)} });`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
  const ended = new Promise((resolve) => parent.once('exit', resolve));
  await vi.waitFor(async () => expect(await readFile(outputPath, 'utf8')).toBe('begun\n'), 60_000);
  parent.kill('SIGINT');
  expect(await ended).toBe(0);
  expect(await readFile(outputPath, 'utf8')).toBe('begun\n');
  await vi.waitFor(async () => expect(await readFile(outputPath, 'utf8')).toBe('begun\ncomplete\n'), 60_000);
});
