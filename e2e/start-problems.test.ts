import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Check } from '#contract/doctor.ts';
import { engines } from '#server/testing.ts';
import { eventually } from './acquiring.ts';
import { mayMount } from './disk.ts';
import { addressOf, aFolder, aVisitor, startProgram, type Program } from './program.ts';
import { within } from './restoring.ts';

// What keeps the program from starting is a sentence, and the code it ends with says whether to try again: 75 yes, 78 no.

let folder: Awaited<ReturnType<typeof aFolder>>;
let data: string;
let programs: Program[] = [];
beforeEach(async () => {
  folder = await aFolder();
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
/** With what it ends, and what it says; without a stack. */
const ends = async (program: Program) => {
  const code = await program.ended;
  const said = program.words.text.trim();
  expect(said).not.toMatch(/^\s+at /m);
  return [code, said];
};
const asNobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
const mayBeNobody =
  process.getuid?.() === 0 && spawnSync(asNobody[0]!, [...asNobody.slice(1), process.execPath, '-e', '']).status === 0;

test('an address to listen on that there is not', async () => {
  expect(await ends(await start({ REELKEEP_HOST: 'nonsense.invalid' }))).toEqual([
    78,
    expect.stringMatching(/^REELKEEP_HOST is nonsense\.invalid, which is no address/),
  ]);
});

test('a PostgreSQL that does not answer is tried again, and its password is never told', async () => {
  const [code, said] = await ends(await start({ REELKEEP_DATABASE: 'postgres://maria:secret-word@127.0.0.1:1/films' }));
  expect([code, said]).toEqual([
    75,
    expect.stringMatching(/^PostgreSQL at 127\.0\.0\.1:1\/films cannot be used: .*ECONNREFUSED/),
  ]);
  expect(said).not.toContain('secret-word');
});

test.runIf(engines.length > 1)('one that has no such database is not', async () => {
  const url = new URL(process.env.REELKEEP_TEST_POSTGRES!);
  url.pathname = '/reelkeep_no_such_database';
  const [code, said] = await ends(await start({ REELKEEP_DATABASE: url.href }));
  expect([code, said]).toEqual([
    78,
    expect.stringMatching(/cannot be used: database "reelkeep_no_such_database" does not exist/),
  ]);
});

describe.runIf(mayBeNobody)('for an account that may not', () => {
  test('write the data folder', async () => {
    expect(await ends(await start({}, asNobody))).toEqual([
      78,
      expect.stringMatching(
        new RegExp(`^${data} belongs to user 0, and user 65534 runs this.*\\n  chown -R 65534:65534 '${data}'$`),
      ),
    ]);
  });

  test.each(['secret.key', 'reelkeep.db'])('read %s', async (name) => {
    const first = await start();
    await addressOf(first);
    first.child.kill('SIGTERM');
    await first.ended;
    spawnSync('chown', ['-R', '65534:65534', data]);
    chownSync(join(data, name), 0, 0);
    expect(statSync(join(data, name)).mode & 0o077).toBe(0);
    expect(await ends(await start({}, asNobody))).toEqual([
      78,
      expect.stringContaining(`${join(data, name)} belongs to user 0, and user 65534 runs this`),
    ]);
  });
});

describe.runIf(mayMount)('a disk', () => {
  const mounted = (how: string) => ['unshare', '-m', 'sh', '-c', `${how} && exec "$@"`, 'sh'];

  test('that is mounted for reading alone', async () => {
    const how = `mount --bind '${data}' '${data}' && mount -o remount,bind,ro '${data}'`;
    expect(await ends(await start({}, mounted(how)))).toEqual([
      78,
      expect.stringContaining(`${data} may not be read and written: its disk is mounted for reading alone`),
    ]);
  });

  /** The archive of an earlier start, on a disk of which only so much is left. */
  const filled = (leftKilobytes: number) =>
    mounted(
      `cp -a '${data}' '${data}.kept' && mount -t tmpfs -o size=16m tmpfs '${data}' && cp -a '${data}.kept/.' '${data}' && (head -c 17m /dev/zero > '${data}/ballast' || true) 2>/dev/null && truncate -s -${leftKilobytes}k '${data}/ballast'`,
    );
  const anArchive = async () => {
    const first = await start();
    await addressOf(first);
    first.child.kill('SIGTERM');
    await first.ended;
    within(data, (db) => db.exec('pragma wal_checkpoint(truncate)')); // nothing is left beside the database
  };

  test('that is full to the last byte: it says so, and is tried again', async () => {
    await anArchive();
    expect(await ends(await start({}, filled(0)))).toEqual([
      75,
      `The disk of the data folder ${data} is full. Make room; a few megabytes are enough to start.`,
    ]);
  });

  test('that is nearly full: it starts', async () => {
    await anArchive();
    const address = await addressOf(await start({}, filled(60)));
    expect((await fetch(`${address}/api/user/ways/`)).status).toBe(200);
  });
});

test('programs that are configured and are not there are named, with what is done instead, and nothing is installed', async () => {
  const bin = join(folder.path, 'bin');
  const called = join(folder.path, 'called');
  mkdirSync(bin);
  for (const name of ['apt-get', 'apt-cache'])
    writeFileSync(join(bin, name), `#!/bin/sh\necho "$*" >> '${called}'\n`, { mode: 0o755 });
  const env = { REELKEEP_YTDLP: '/nope', REELKEEP_FFMPEG: '/nope2', PATH: bin, REELKEEP_PROXY: 'http://127.0.0.1:1' };
  const program = await start(env);
  const visitor = await aVisitor(await addressOf(program));
  await eventually(async () => program.words.text.includes('ffmpeg could not be had'));
  expect(existsSync(called)).toBe(false);
  expect(program.words.text).toMatch(
    /REELKEEP_YTDLP names \/nope, which is not there or does not run; one of our own is brought/,
  );
  expect(program.words.text).toMatch(/REELKEEP_FFMPEG names \/nope2, .*nothing is used instead/);
  const checks = (await visitor.call('GET', '/api/doctor/')).json as Check[];
  for (const [name, words] of [
    ['ytdlp', 'REELKEEP_YTDLP names /nope,'],
    ['ffmpeg', 'REELKEEP_FFMPEG names /nope2,'],
  ] as const)
    expect(checks.find((check) => check.name === name)).toMatchObject({ state: 'bad', do: expect.stringContaining(words) });
});
