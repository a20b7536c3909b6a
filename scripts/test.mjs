// `npm test`: installs everything, then runs type checks, lint, dead code detection, the web build and all tests. `npm run check`
// is the part that takes seconds; `npm run test:quick` adds the tests that need no browser, PostgreSQL, yt-dlp or ffmpeg.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, underRightNode } from './node.mjs';
import { keepCompiled, preparePackages, prepareServer, prepareWeb } from './prepare.mjs';
import { provideForTests } from './install-test-tools.mjs';

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

function step([name, script, args]) {
  const startedAt = Date.now();
  const done = spawnSync(process.execPath, [script, ...args], { cwd: root, encoding: 'utf8' });
  const isGood = done.status === 0;
  counts[isGood ? 'passed' : 'failed']++;
  console.log(`${isGood ? '✓' : '✗'} ${name} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`);
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
    // A file that cannot be loaded has no tests to count.
    counts.failed += testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;
  } catch {
    counts.failed++;
  }
  if (done.status !== 0 && counts.failed === 0) counts.failed++;
  rmSync(report, { force: true });
}

if (await underRightNode(import.meta.url)) {
  // Printed in any case, so that no output is not read as success.
  process.on('exit', () => console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`));
  const isCheck = process.argv.includes('--check');
  await preparePackages({ withDevelopment: true });
  if (isCheck) {
    quickSteps.forEach(step);
    vitest(['architecture.test.ts'], {});
  } else if (process.argv.includes('--quick')) {
    quickSteps.forEach(step);
    vitest(['--project', 'unit', '--project', 'server'], {});
  } else {
    const { env, missing, stop } = provideForTests();
    try {
      quickSteps.forEach(step);
      await prepareWeb();
      // Tests start the server dozens of times; it is the same build that users run.
      const server = await prepareServer();
      const { NODE_COMPILE_CACHE } = await keepCompiled(server, join(root, '.tools/compiled'));
      vitest(process.argv.slice(2), { ...env, NODE_COMPILE_CACHE, REELKEEP_TEST_SERVER: server.at(-1) });
    } finally {
      stop();
    }
    for (const name of missing)
      console.log(`\n!!! ${name} could not be installed: the tests that need it were SKIPPED, not passed.`);
  }
  process.exitCode = counts.failed > 0 ? 1 : 0;
}
