import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Check } from '#contract/health.ts';
import { engines } from '#server/test-support/app.ts';
import { eventually } from '../support/acquisition.ts';
import { canMount } from '../support/disk.ts';
import { addressOf, createTempFolder, logInToProgram, startProgram, type Program } from '../support/program.ts';
import { withDatabase } from '../support/restoring.ts';

// Startup errors are reported in a sentence; the exit code states whether to retry: 75 yes, 78 no.

let folder: Awaited<ReturnType<typeof createTempFolder>>;
let data: string;
let programs: Program[] = [];
beforeEach(async () => {
  folder = await createTempFolder();
  chmodSync(folder.path, 0o755);
  data = join(folder.path, 'data');
  mkdirSync(data);
});
afterEach(async () => {
  for (const { child, ended } of programs.splice(0)) {
    child.kill('SIGKILL');
    await ended;
  }
  await folder.remove();
});
const start = async (env: Record<string, string> = {}, under: string[] = []) => {
  const program = await startProgram({ data, env, under });
  programs.push(program);
  return program;
};
/** Returns the exit code and the output, which must not contain a stack trace. */
const exitOf = async (program: Program) => {
  const code = await program.ended;
  const output = program.output.text.trim();
  expect(output).not.toMatch(/^\s+at /m);
  return [code, output];
};
const asNobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
const canSwitchAccount =
  process.getuid?.() === 0 && spawnSync(asNobody[0]!, [...asNobody.slice(1), process.execPath, '-e', '']).status === 0;

test('rejects a listen address that does not exist', async () => {
  expect(await exitOf(await start({ REELKEEP_HOST: 'nonsense.invalid' }))).toEqual([
    78,
    expect.stringMatching(/^REELKEEP_HOST is nonsense\.invalid, which is neither an address nor a resolvable name/),
  ]);
});

test('warns about forward authentication from a wide network', async () => {
  const program = await start({ REELKEEP_FORWARD_AUTH: 'on', REELKEEP_TRUSTED_PROXIES: '127.0.0.1, 172.16.0.0/12' });
  await addressOf(program);
  expect(program.output.text).toMatch(
    /REELKEEP_TRUSTED_PROXIES has 172\.16\.0\.0\/12: every machine and container in it can log in as any user by sending remote-user/,
  );
  expect(program.output.text).not.toContain('REELKEEP_TRUSTED_PROXIES has 127');
});

test('retries an unreachable PostgreSQL without printing its password', async () => {
  const [code, output] = await exitOf(await start({ REELKEEP_DATABASE: 'postgres://maria:secret-word@127.0.0.1:1/films' }));
  expect([code, output]).toEqual([
    75,
    expect.stringMatching(/^PostgreSQL at 127\.0\.0\.1:1\/films cannot be used: .*ECONNREFUSED/),
  ]);
  expect(output).not.toContain('secret-word');
});

test.runIf(engines.length > 1)('reports a missing PostgreSQL database immediately', async () => {
  const url = new URL(process.env.REELKEEP_TEST_POSTGRES!);
  url.pathname = '/reelkeep_no_such_database';
  const [code, output] = await exitOf(await start({ REELKEEP_DATABASE: url.href }));
  expect([code, output]).toEqual([
    78,
    expect.stringMatching(/cannot be used: database "reelkeep_no_such_database" does not exist/),
  ]);
});

describe.runIf(canSwitchAccount)('without permission', () => {
  test('to write the data folder', async () => {
    expect(await exitOf(await start({}, asNobody))).toEqual([
      78,
      expect.stringMatching(
        new RegExp(`^${data} belongs to user 0, and user 65534 runs this.*\\n  chown -R 65534:65534 '${data}'$`),
      ),
    ]);
  });

  test.each(['secret.key', 'reelkeep.db'])('to read %s', async (name) => {
    const first = await start();
    await addressOf(first);
    first.child.kill('SIGTERM');
    await first.ended;
    spawnSync('chown', ['-R', '65534:65534', data]);
    chownSync(join(data, name), 0, 0);
    expect(statSync(join(data, name)).mode & 0o077).toBe(0);
    expect(await exitOf(await start({}, asNobody))).toEqual([
      78,
      expect.stringContaining(`${join(data, name)} belongs to user 0, and user 65534 runs this`),
    ]);
  });
});

describe.runIf(canMount)('a disk', () => {
  const mountPrefix = (mountCommand: string) => ['unshare', '-m', 'sh', '-c', `${mountCommand} && exec "$@"`, 'sh'];

  test('that is mounted read-only', async () => {
    const mountCommand = `mount --bind '${data}' '${data}' && mount -o remount,bind,ro '${data}'`;
    expect(await exitOf(await start({}, mountPrefix(mountCommand)))).toEqual([
      78,
      expect.stringContaining(`${data} may not be read and written: its disk is mounted for reading alone`),
    ]);
  });

  /** Returns a command prefix that runs with the archive of an earlier start on a full disk, except for some kilobytes. */
  const onFullDisk = (freeKilobytes: number) =>
    mountPrefix(
      `cp -a '${data}' '${data}.kept' && mount -t tmpfs -o size=16m tmpfs '${data}' && cp -a '${data}.kept/.' '${data}' && (head -c 17m /dev/zero > '${data}/ballast' || true) 2>/dev/null && truncate -s -${freeKilobytes}k '${data}/ballast'`,
    );
  const createArchive = async () => {
    const first = await start();
    await addressOf(first);
    first.child.kill('SIGTERM');
    await first.ended;
    withDatabase(data, (db) => db.exec('pragma wal_checkpoint(truncate)')); // so that the database has no other files
  };

  test('that is full: reports it and retries', async () => {
    await createArchive();
    expect(await exitOf(await start({}, onFullDisk(0)))).toEqual([
      75,
      `The disk of the data folder ${data} is full. Make room; a few megabytes are enough to start.`,
    ]);
  });

  test('that is nearly full: starts', async () => {
    await createArchive();
    const address = await addressOf(await start({}, onFullDisk(60)));
    expect((await fetch(`${address}/api/user/login-methods/`)).status).toBe(200);
  });
});

test('names configured programs that are missing, and installs nothing', async () => {
  const bin = join(folder.path, 'bin');
  const callLog = join(folder.path, 'calls');
  mkdirSync(bin);
  for (const name of ['apt-get', 'apt-cache'])
    writeFileSync(join(bin, name), `#!/bin/sh\necho "$*" >> '${callLog}'\n`, { mode: 0o755 });
  const env = { REELKEEP_YTDLP: '/nope', REELKEEP_FFMPEG: '/nope2', PATH: bin, REELKEEP_PROXY: 'http://127.0.0.1:1' };
  const program = await start(env);
  const visitor = await logInToProgram(await addressOf(program));
  await eventually(async () => program.output.text.includes('ffmpeg could not be installed'));
  expect(existsSync(callLog)).toBe(false);
  expect(program.output.text).toMatch(
    /REELKEEP_YTDLP names \/nope, which is not there or does not run; one of our own is brought/,
  );
  expect(program.output.text).toMatch(/REELKEEP_FFMPEG names \/nope2, .*nothing is used instead/);
  const checks = (await visitor.call('GET', '/api/health/checks/')).json as Check[];
  for (const [name, advice] of [
    ['ytdlp', 'REELKEEP_YTDLP points to /nope,'],
    ['ffmpeg', 'REELKEEP_FFMPEG points to /nope2,'],
  ] as const)
    expect(checks.find((check) => check.name === name)).toMatchObject({ state: 'bad', advice: expect.stringContaining(advice) });
});
