import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from './node.mjs';
import { countTests, failuresOf, runTests } from './run-tests.mjs';

// Runs the real Vitest on small test files.

let folder;
let cwd;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'reelkeep-runner-'));
  cwd = join(folder, 'project');
  mkdirSync(cwd);
  symlinkSync(join(root, 'node_modules'), join(cwd, 'node_modules'));
  writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function run(files, args = [], options = {}) {
  const imports =
    "import { beforeAll, describe, expect, test } from 'vitest';\nimport { existsSync, writeFileSync } from 'node:fs';\n";
  for (const [name, code] of Object.entries(files)) writeFileSync(join(cwd, `${name}.test.js`), imports + code);
  const result = await runTests(args, { folder, cwd, output: 'ignore', ...options });
  const outcomes = Object.fromEntries(
    result.files.map((file) => [
      file.path.replace('.test.js', ''),
      { state: file.state, attempts: file.attempts.length, failures: failuresOf(file).map((one) => one.test) },
    ]),
  );
  return { ...result, files: outcomes, counts: countTests(result) };
}

const good = "test('adds', () => expect(1 + 1).toBe(2));";
/** Code that fails in the first process only. */
const firstOnly = (code) => `const isFirst = !existsSync('seen'); writeFileSync('seen', ''); if (isFirst) { ${code} }`;

test('runs failed files again alone, and distinguishes flaky from failed', async () => {
  const { files, counts, undecided } = await run({
    good: `${good} test.skip('left out', () => {}); describe.skip('all', () => describe.skip('of these', () => { ${good} }));`,
    always: `${good} test('fails', () => expect(1).toBe(2));`,
    once: `${good} test('fails once', () => { ${firstOnly('expect(1).toBe(2)')} });`,
    unloadable: "import './missing.js';",
    hook: `describe('of a hook', () => { beforeAll(() => { throw new Error('hook'); }); ${good} test('too', () => {}); });`,
    rejection:
      "test('leaves a rejection', async () => { Promise.reject(new Error('left')); await new Promise((r) => setTimeout(r, 50)); });",
  });
  expect(files).toEqual({
    good: { state: 'passed', attempts: 1, failures: [] },
    always: { state: 'failed', attempts: 3, failures: ['fails'] },
    once: { state: 'flaky', attempts: 2, failures: ['fails once'] },
    unloadable: { state: 'failed', attempts: 3, failures: ['(the file)'] },
    hook: { state: 'failed', attempts: 3, failures: ['of a hook (a hook)', 'of a hook > adds', 'of a hook > too'] },
    rejection: { state: 'failed', attempts: 3, failures: ['(an unhandled error)'] },
  });
  expect(counts).toEqual({ passed: 5, failed: 6, skipped: 2 });
  expect(undecided).toBeUndefined();
});

test('runs the file of a killed worker again, and ends the processes that it left', async () => {
  const spawned =
    "const { pid } = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' }); writeFileSync('pid', String(pid));";
  const { files, counts, undecided } = await run({
    good,
    killed: `import { spawn } from 'node:child_process';
      test('is killed', () => { ${firstOnly(`${spawned} process.kill(process.pid, 'SIGKILL');`)} });`,
  });
  expect(files).toMatchObject({ good: { state: 'passed' }, killed: { state: 'flaky', attempts: 2 } });
  expect([counts, undecided]).toEqual([{ passed: 2, failed: 0, skipped: 0 }, undefined]);
  const pid = readFileSync(join(cwd, 'pid'), 'utf8');
  expect(existsSync(`/proc/${pid}`) && readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[2] !== 'Z').toBe(false);
});

test('runs nothing again if it is strict or if too many files fail', async () => {
  const failing = Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`bad${n}`, "test('fails', () => expect(1).toBe(2));"]));
  const many = await run(failing);
  expect(Object.values(many.files).map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1, 1, 1]);
  expect(many.counts.failed).toBe(6);
  const strict = await run({ bad0: failing.bad0 }, ['bad0', '--strict']);
  expect(strict.files).toEqual({ bad0: { state: 'failed', attempts: 1, failures: ['fails'] } });
});

test('ends tests that hang, and says which file was running', async () => {
  const hanging = { hangs: "test('hangs', () => new Promise(() => {}), 1e9);" };
  const { counts, undecided } = await run(hanging, [], { limitMinutes: 0.1 });
  expect(undecided).toMatch(/did not end within 0.1 minutes[^]*hangs\.test\.js, for 0\.\d minutes/);
  expect(counts.failed).toBeGreaterThan(0);
});

test('says that no file has a name', async () => {
  const { undecided } = await run({ good }, ['nothing.test.ts']);
  expect(undecided).toMatch(/^No test file matches nothing\.test\.ts, /);
});
