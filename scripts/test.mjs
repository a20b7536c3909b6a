// `npm test`: installs everything, then runs type checks, lint, dead code detection, the web build and all tests. `npm run check`
// is the part that takes seconds; `npm run test:quick` adds the unit and server tests of what changed.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, statfsSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, underRightNode } from './node.mjs';
import { keepCompiled, preparePackages, prepareServer, prepareWeb, serverFolder } from './prepare.mjs';
import { provideForTests } from './install-test-tools.mjs';
import { countTests, failuresOf, removeFolder, runTests } from './run-tests.mjs';

const tool = (path) => join(root, 'node_modules', path);

const quickSteps = [
  ['types of the contract', tool('typescript/bin/tsc'), ['-p', 'tsconfig.contract.json']],
  ['types of the server', tool('typescript/bin/tsc'), ['-p', 'tsconfig.json']],
  ['types of the web app', tool('typescript/bin/tsc'), ['-p', 'tsconfig.web.json']],
  ['lint', tool('oxlint/bin/oxlint'), []],
  ['format', tool('oxfmt/bin/oxfmt'), ['--check']],
  ['dead code', tool('knip/bin/knip.js'), []],
];

// With less, most tests fail.
const neededBytes = 300 * 2 ** 20;

const counts = { passed: 0, failed: 0, skipped: 0 };
let isUndecided = false;

function step([name, script, args]) {
  const startedAt = Date.now();
  const done = spawnSync(process.execPath, [script, ...args], { cwd: root, encoding: 'utf8' });
  const isGood = done.status === 0;
  counts[isGood ? 'passed' : 'failed']++;
  console.log(`${isGood ? '✓' : '✗'} ${name} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`);
  if (!isGood) console.log(`${done.stdout}${done.stderr}`);
}

/** Creates the temporary folder of this run, so that files of earlier runs do not matter. Returns undefined without space. */
function createFolder() {
  const parent = tmpdir();
  const { bavail, bsize } = statfsSync(parent);
  if (bavail * bsize < neededBytes) {
    isUndecided = true;
    console.log(`There is too little space in ${parent} for the tests. Free some, or set TMPDIR to a folder on another disk.`);
    return undefined;
  }
  const folder = mkdtempSync(join(parent, 'reelkeep-run-'));
  // Tests that switch to another account go through it.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  process.on('exit', () => removeFolder(folder));
  return folder;
}

/**
 * Copies the built program to where every account may read it, because the folders above the checkout may be closed to others.
 * Returns the arguments of Node to run it.
 */
function copyProgram(server, folder) {
  const copy = join(folder, 'program');
  for (const name of ['dist', serverFolder, 'package.json']) cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  spawnSync('chmod', ['-R', 'a+rX', copy]);
  return server.map((arg) => (arg.startsWith(join(root, serverFolder)) ? join(copy, arg.slice(root.length)) : arg));
}

function printFailures(title, files) {
  if (files.length === 0) return;
  console.log(`\n${title}`);
  for (const file of files)
    for (const { test, line, error, load } of failuresOf(file)) {
      const place = line === undefined ? file.path : `${file.path}:${line}`;
      console.log(`  ${place} › ${test}${load === undefined ? '' : ` (load average ${load})`}`);
      console.log(`    ${error.split('\n').slice(0, 3).join('\n    ')}`);
    }
}

/** Writes `.test/summary.json`. */
function writeSummary(result, startedAt) {
  const commit = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).stdout?.trim();
  const summary = { commit, cores: availableParallelism(), seconds: Math.round((Date.now() - startedAt) / 1000), ...result };
  mkdirSync(join(root, '.test'), { recursive: true });
  writeFileSync(join(root, '.test/summary.json'), `${JSON.stringify(summary, null, 1)}\n`);
}

/** Runs tests, and prints what failed. */
async function test(args, options) {
  const startedAt = Date.now();
  const result = await runTests(args, options);
  const { passed, failed, skipped } = countTests(result);
  counts.passed += passed;
  counts.failed += failed;
  counts.skipped += skipped;
  writeSummary(result, startedAt);
  printFailures(
    'Flaky: failed in the whole run, and passed alone:',
    result.files.filter(({ state }) => state === 'flaky'),
  );
  printFailures(
    'Failed:',
    result.files.filter(({ state }) => state === 'failed'),
  );
  if (result.other.length > 0) console.log(`\nErrors outside the tests:\n  ${result.other.join('\n  ')}`);
  if (!result.undecided) return;
  isUndecided = true;
  console.log(`\n${result.undecided}`);
}

/** Returns the commit that the quick run compares with: where this branch left main, or the one before the last commit of main. */
function changedSince() {
  const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout?.trim();
  const base = git('merge-base', 'HEAD', 'main');
  return base && base !== git('rev-parse', 'HEAD') ? base : 'HEAD~1';
}

if (await underRightNode(import.meta.url)) {
  // Printed in any case, so that no output is not read as success.
  process.on('exit', () => console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`));
  const folder = createFolder();
  if (folder) {
    await preparePackages({ withDevelopment: true });
    if (process.argv.includes('--check')) {
      quickSteps.forEach(step);
      await test(['architecture.test.ts', '--strict'], { folder });
    } else if (process.argv.includes('--quick')) {
      quickSteps.forEach(step);
      await test(['--project=unit', '--project=server', `--changed=${changedSince()}`, '--passWithNoTests', '--strict'], {
        folder,
      });
    } else {
      const { env, missing, stop } = provideForTests();
      try {
        quickSteps.forEach(step);
        await prepareWeb();
        // Tests start the server dozens of times; it is the same build that users run.
        const server = copyProgram(await prepareServer(), folder);
        const { NODE_COMPILE_CACHE } = await keepCompiled(server, join(folder, 'compiled'));
        const ofServer = { NODE_COMPILE_CACHE, REELKEEP_TEST_SERVER: server.at(-1) };
        await test(process.argv.slice(2), { env: { ...env, ...ofServer }, folder });
      } finally {
        stop();
      }
      for (const name of missing)
        console.log(`\n!!! ${name} could not be installed: the tests that need it were SKIPPED, not passed.`);
    }
  }
  // 2: the run does not say whether the code is right.
  process.exitCode = isUndecided ? 2 : counts.failed > 0 ? 1 : 0;
}
