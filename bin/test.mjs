// `npm test`: brings everything, then types, lint, dead code, the web build, and every test. `npm run check` is the part of
// it that takes seconds.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { root, underRightNode } from './node.mjs';
import { keepCompiled, preparePackages, prepareServer, prepareWeb } from './prepare.mjs';
import { provideForTests } from './provide.mjs';

const tool = (path) => join(root, 'node_modules', path);

const quickSteps = [
  ['types of the contract', tool('typescript/bin/tsc'), ['-p', 'tsconfig.contract.json']],
  ['types of the server', tool('typescript/bin/tsc'), ['-p', 'tsconfig.json']],
  ['types of the web app', tool('typescript/bin/tsc'), ['-p', 'tsconfig.web.json']],
  ['lint', tool('oxlint/bin/oxlint'), []],
  ['format', tool('oxfmt/bin/oxfmt'), ['--check']],
  ['dead code', tool('knip/bin/knip.js'), []],
];

const counts = { passed: 0, failed: 0, skipped: 0 };
/** Tests that passed only when they were tried again. */
const unsteady = [];

function step([name, script, args]) {
  const began = Date.now();
  const done = spawnSync(process.execPath, [script, ...args], { cwd: root, encoding: 'utf8' });
  const isGood = done.status === 0;
  counts[isGood ? 'passed' : 'failed']++;
  console.log(`${isGood ? '✓' : '✗'} ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
  if (!isGood) console.log(`${done.stdout}${done.stderr}`);
}

function vitest(args, env) {
  const report = join(tmpdir(), `reelkeep-tests-${process.pid}.json`);
  const done = spawnSync(
    process.execPath,
    [tool('vitest/vitest.mjs'), 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...args],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...env },
    },
  );
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(
      readFileSync(report, 'utf8'),
    );
    counts.passed += numPassedTests;
    counts.failed += numFailedTests;
    counts.skipped += numPendingTests + numTodoTests;
    for (const { name, assertionResults } of testResults)
      for (const { fullName, status, failureMessages } of assertionResults)
        if (status === 'passed' && failureMessages.length > 0)
          unsteady.push(`${relative(root, name)}: ${fullName}\n    ${failureMessages[0].split('\n')[0]}`);
    // A file that cannot even be read has no tests to count.
    counts.failed += testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;
  } catch {
    counts.failed++;
  }
  if (done.status !== 0 && counts.failed === 0) counts.failed++;
  rmSync(report, { force: true });
}

if (underRightNode(import.meta.url)) {
  // Said however it ends, so that nobody reads silence as success.
  process.on('exit', () => console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`));
  const isCheck = process.argv.includes('--check');
  preparePackages({ withDevelopment: true });
  if (isCheck) {
    quickSteps.forEach(step);
    vitest(['arrows.test.ts'], {});
  } else {
    const { env, missing, stop } = provideForTests();
    try {
      quickSteps.forEach(step);
      prepareWeb();
      // The server that tests start, dozens of times, is the one that people run.
      const server = prepareServer();
      const { NODE_COMPILE_CACHE } = keepCompiled(server, join(root, '.tools/compiled'));
      vitest(process.argv.slice(2), { ...env, NODE_COMPILE_CACHE, REELKEEP_TEST_SERVER: server.at(-1) });
    } finally {
      stop();
    }
    for (const one of unsteady) console.log(`Passed only when it was tried again, and is to be mended: ${one}`);
    for (const name of missing)
      console.log(`\n!!! ${name} could not be had on this machine: the tests that need it were SKIPPED, not passed.`);
  }
  process.exitCode = counts.failed > 0 ? 1 : 0;
}
