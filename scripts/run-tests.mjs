// Runs Vitest. Each file that fails in the whole run is run again alone, in a fresh process: if all of it passes there, it is
// flaky, which is reported and does not fail the run.
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './node.mjs';

// A file that fails is run this many times in all.
const maxAttempts = 3;
// With more failed files than this, the change is broken rather than a test flaky, and nothing is run again.
const maxFlakyFiles = (count) => Math.max(5, count * 0.05);
const fullDiskBytes = 100 * 2 ** 20;

/** Splits the arguments of `npm test`: those for Vitest, and those that also apply to a single file. */
function parseArguments(args) {
  const { values } = parseArgs({
    args,
    strict: false,
    allowPositionals: true,
    options: { testNamePattern: { type: 'string', short: 't' } },
  });
  return {
    isStrict: args.includes('--strict'),
    all: args.filter((arg) => arg !== '--strict'),
    ofFile: values.testNamePattern === undefined ? [] : ['--testNamePattern', values.testNamePattern],
  };
}

/** Returns the processes that have this folder in their environment, arguments or working directory. Linux only. */
function processesOf(folder) {
  const found = [];
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)) {
    const read = (get) => {
      try {
        return get();
      } catch {
        return ''; // it has ended, or belongs to another account
      }
    };
    const file = (name) => read(() => readFileSync(`/proc/${pid}/${name}`, 'latin1'));
    const command = file('cmdline').replaceAll('\0', ' ').trim();
    const texts = [file('environ'), command, read(() => readlinkSync(`/proc/${pid}/cwd`))];
    if (texts.some((text) => text.includes(folder))) found.push({ pid: Number(pid), command });
  }
  return found;
}

/** Deletes a temporary folder. What cannot be deleted, such as a mount, stays and is named. */
export function removeFolder(folder) {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  } catch (error) {
    console.log(`Cannot delete a temporary folder: ${error.message}`);
  }
}

/** Kills the processes that a run of Vitest left, and empties its temporary folder. */
function sweepLeftovers(folder) {
  // A killed process may just have started another one.
  for (let tries = 0; tries < 5 && process.platform === 'linux'; tries++) {
    const left = processesOf(folder);
    if (left.length === 0) break;
    for (const { pid, command } of left) {
      console.log(`Killing a left-over process: ${command.slice(0, 120)}`);
      try {
        process.kill(pid, 'SIGKILL');
      } catch {} // it has just ended
    }
  }
  removeFolder(folder);
}

/** Reads what the reporter wrote. */
function readEvents(path) {
  let text = '';
  try {
    text = readFileSync(path, 'utf8');
  } catch {} // Vitest did not start
  const events = [];
  for (const line of text.split('\n'))
    try {
      events.push(JSON.parse(line));
    } catch {} // the empty last line, or one that was cut
  return events;
}

/** Returns the outcome of each file, and the errors that belong to no file. */
function judge(events, status) {
  const files = new Map();
  for (const { path, project } of events.find(({ event }) => event === 'planned')?.files ?? [])
    files.set(path, { path, project, passed: 0, failed: [], skipped: [], seconds: 0, hasEnded: false });
  for (const { event, path, ...outcome } of events)
    if (event === 'ended') Object.assign(files.get(path) ?? {}, outcome, { hasEnded: true });

  const runEnd = events.find(({ event }) => event === 'run-ended');
  const lost = [...files.values()].filter(({ hasEnded }) => !hasEnded);
  const other = [];
  for (const { path, error } of runEnd?.unhandled ?? []) {
    const file = files.get(path) ?? lost.find((one) => error.includes(one.path));
    if (file) file.failed.push({ test: '(an unhandled error)', error });
    else other.push(error);
  }
  for (const file of lost)
    if (file.failed.length === 0) file.failed.push({ test: '(the file)', error: 'It did not run to its end.' });
  const hasFailed = [...files.values()].some(({ failed }) => failed.length > 0);
  if (!runEnd) other.push('Vitest ended before the end of the run.');
  else if (status !== 0 && !hasFailed && other.length === 0 && files.size > 0) other.push(`Vitest ended with status ${status}.`);
  return { files, other };
}

const failedFiles = (files) => [...files.values()].filter(({ failed }) => failed.length > 0).map(({ path }) => path);

/** Runs Vitest once. `deadline` (ms since 1970) ends it. */
async function attempt({ args, env, folder, cwd, output, deadline }) {
  const events = join(folder, 'events.jsonl');
  const temporary = join(folder, 't');
  rmSync(events, { force: true });
  // Other accounts may enter it, as the usual temporary folder: some tests switch to another account.
  mkdirSync(temporary, { mode: 0o777, recursive: true });
  const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--reporter=default'];
  const child = spawn(process.execPath, [...vitest, `--reporter=${join(root, 'scripts/test-reporter.mjs')}`, ...args], {
    cwd,
    stdio: output,
    env: { ...process.env, ...env, TMPDIR: temporary, REELKEEP_TEST_EVENTS: events },
  });
  let hangs = false;
  const timer = setTimeout(
    () => {
      hangs = true;
      child.kill('SIGKILL');
    },
    Math.max(0, deadline - Date.now()),
  );
  const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  let signal;
  const pass = (name) => {
    signal = name;
    child.kill(name);
  };
  for (const name of endSignals) process.on(name, pass);
  const status = await new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)));
  clearTimeout(timer);
  for (const name of endSignals) process.off(name, pass);
  const { bavail, bsize } = statfsSync(folder);
  sweepLeftovers(temporary);

  const all = readEvents(events);
  const ended = new Set(all.flatMap(({ event, path }) => (event === 'ended' ? [path] : [])));
  const running = all.filter(({ event, path }) => event === 'started' && !ended.has(path));
  return { ...judge(all, status), running, hangs, signal, isDiskFull: bavail * bsize < fullDiskBytes };
}

const minutesSince = (at) => `${((Date.now() - at) / 60_000).toFixed(1)} minutes`;

/** Returns why a run decides nothing about the code, or undefined. */
function whyUndecided({ files, other, running, hangs, signal, isDiskFull }, { args, folder, limitMinutes }) {
  if (signal) return `The run was ended by ${signal}.`;
  if (hangs)
    return [
      `The tests did not end within ${limitMinutes} minutes. These files were running:`,
      ...running.map(({ path, at }) => `  ${path}, for ${minutesSince(at)}`),
    ].join('\n');
  const isGood = other.length === 0 && failedFiles(files).length === 0;
  if (isDiskFull && !isGood) return `The disk of ${folder} is full. Free some space, or set TMPDIR to a folder on another disk.`;
  if (files.size === 0 && !args.includes('--passWithNoTests') && !args.some((arg) => arg.startsWith('--changed')))
    return other.length > 0 && args.length === 0
      ? other.join('\n')
      : `No test file matches ${args.join(' ')}, or Vitest could not start. Give a part of a path, such as e2e/browser/login.test.ts.`;
  return undefined;
}

/**
 * Runs the tests that Vitest finds with `args`, and those that failed again. `folder` is temporary and belongs to this run.
 * Returns the outcome of each file with all attempts, and why the run decides nothing, if so.
 */
export async function runTests(args, { env = {}, folder, cwd = root, output = 'inherit', limitMinutes = 60 }) {
  const options = parseArguments(args);
  const deadline = Date.now() + limitMinutes * 60_000;
  const run = (args) => attempt({ args, env, folder, cwd, output, deadline });
  const first = await run(options.all);
  const result = { files: [], other: first.other, undecided: whyUndecided(first, { args: options.all, folder, limitMinutes }) };
  const attempts = new Map([...first.files.values()].map((file) => [file.path, [file]]));
  const failed = failedFiles(first.files);

  if (failed.length > maxFlakyFiles(attempts.size))
    console.log(`\n${failed.length} of ${attempts.size} files failed. That is too many to run them again.`);
  else if (!options.isStrict)
    for (const path of result.undecided ? [] : failed) {
      const { project } = first.files.get(path);
      const of = project ? [`--project=${project}`] : [];
      const alone = [join(cwd, path), ...of, ...options.ofFile, '--maxWorkers=1', '--no-file-parallelism'];
      while (attempts.get(path).length < maxAttempts && !result.undecided) {
        console.log(`\n${path} failed. Running it again alone (${attempts.get(path).length + 1} of ${maxAttempts})`);
        const again = await run(alone);
        result.undecided = whyUndecided(again, { args: alone, folder, limitMinutes });
        const file = again.files.get(path);
        if (!file) break;
        for (const error of again.other) file.failed.push({ test: '(outside the tests)', error });
        attempts.get(path).push(file);
        if (file.failed.length === 0) break;
      }
    }
  // A worker that ends unexpectedly is reported without its file; the file was lost, and has been run again.
  const isWorkerError = (error) => error.includes('[vitest-pool]');
  if (failed.length > 0) result.other = result.other.filter((error) => !isWorkerError(error));
  if (result.other.length > 0 && failed.length === 0)
    result.undecided ??= 'The errors outside the tests say nothing about the code.';
  for (const [path, all] of attempts) {
    const last = all.at(-1);
    const state = last.failed.length > 0 ? 'failed' : all.length > 1 ? 'flaky' : 'passed';
    result.files.push({ path, project: last.project, state, attempts: all });
  }
  return result;
}

/** Returns the failures of all attempts of a file, each test once, with its first error. */
export function failuresOf({ attempts }) {
  const failures = new Map();
  for (const { failed } of attempts) for (const one of failed) if (!failures.has(one.test)) failures.set(one.test, one);
  return [...failures.values()];
}

/** Counts tests. A failure of a whole file or a hook counts as one. */
export function countTests({ files, other }) {
  const counts = { passed: 0, failed: other.length, skipped: 0 };
  for (const file of files) {
    const last = file.attempts.at(-1);
    counts.skipped += last.skipped.length;
    counts.passed += last.passed;
    if (file.state !== 'failed') continue;
    // What failed in one attempt and passed in the last one has failed.
    const failures = failuresOf(file);
    counts.failed += failures.length;
    counts.passed = Math.max(0, counts.passed - (failures.length - last.failed.length));
  }
  return counts;
}
