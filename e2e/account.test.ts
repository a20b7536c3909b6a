import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addressOf, aFolder, startProgram } from './program.ts';

// Started as root, as containers do, with the account that files are to belong to.

const root = join(import.meta.dirname, '..');
const [uid, gid, somebody] = [65_534, 65_533, 12_345];
const isRoot = process.getuid?.() === 0;
const asAccount = ['--reuid', String(uid), '--regid', String(gid), '--clear-groups', process.execPath];
const looks = `require('node:fs').readFileSync('${join(root, 'package.json')}')`;
const mayTry = isRoot && spawnSync('setpriv', [...asAccount, '-e', looks]).status === 0;

let folder: Awaited<ReturnType<typeof aFolder>>;
beforeEach(async () => {
  folder = await aFolder();
  chmodSync(folder.path, 0o755);
});
afterEach(() => folder.remove());

test.runIf(mayTry)('the program goes on as that account, with folders of root’s given to it and nothing else', async () => {
  const data = join(folder.path, 'data');
  const media = join(folder.path, 'media');
  mkdirSync(data);
  mkdirSync(join(media, 'of somebody'), { recursive: true });
  chownSync(join(media, 'of somebody'), somebody, somebody);
  const env = { PUID: String(uid), PGID: String(gid), REELKEEP_MEDIA: media };
  const program = await startProgram({ data, script: 'bin/start.mjs', env });
  try {
    await addressOf(program);
    const status = readFileSync(`/proc/${program.child.pid}/status`, 'utf8');
    expect(status).toMatch(new RegExp(`^Uid:\\s+${uid}\\s+${uid}\\s+${uid}`, 'm'));
    expect(status).toMatch(new RegExp(`^Gid:\\s+${gid}\\s+${gid}\\s+${gid}`, 'm'));
    for (const path of [data, media, ...readdirSync(data).map((name) => join(data, name))])
      expect([path, statSync(path).uid, statSync(path).gid]).toEqual([path, uid, gid]);
    expect(statSync(join(media, 'of somebody')).uid).toBe(somebody);
  } finally {
    program.child.kill('SIGTERM');
    expect(await program.ended).toBe(0);
  }
  const env2 = { PATH: process.env.PATH, REELKEEP_DATA: data, HOST_UID: String(uid), HOST_GID: String(gid) };
  const listed = spawnSync(process.execPath, [join(root, 'bin/start.mjs'), '--user', 'list'], { encoding: 'utf8', env: env2 });
  expect(listed).toMatchObject({ status: 0, stdout: 'demo, staff\n' });
});

test.runIf(isRoot)('a number that is none is told, and nothing is begun', () => {
  const data = join(folder.path, 'data');
  const env = { PATH: process.env.PATH, REELKEEP_DATA: data, PUID: 'me' };
  const done = spawnSync(process.execPath, [join(root, 'bin/start.mjs'), '--verify'], { encoding: 'utf8', env });
  expect([done.status, done.stderr.trim()]).toEqual([1, 'PUID is me, which is no number of an account.']);
  expect(() => statSync(data)).toThrow(/ENOENT/);
});
