import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addressOf, createTempFolder, startProgram } from '../support/program.ts';

// Starts as root, as in containers, with a configured account for the files.

const root = join(import.meta.dirname, '../..');
const [uid, gid, otherUid] = [65_534, 65_533, 12_345];
const isRoot = process.getuid?.() === 0;
const asAccount = ['--reuid', String(uid), '--regid', String(gid), '--clear-groups', process.execPath];
const readRoot = `require('node:fs').readFileSync('${join(root, 'package.json')}')`;
const canSwitchAccount = isRoot && spawnSync('setpriv', [...asAccount, '-e', readRoot]).status === 0;

let folder: Awaited<ReturnType<typeof createTempFolder>>;
beforeEach(async () => {
  folder = await createTempFolder();
  chmodSync(folder.path, 0o755);
});
afterEach(() => folder.remove());

test.runIf(canSwitchAccount)('continues as that account and changes ownership only of folders of root', async () => {
  const data = join(folder.path, 'data');
  const media = join(folder.path, 'media');
  mkdirSync(data);
  mkdirSync(join(media, 'foreign'), { recursive: true });
  chownSync(join(media, 'foreign'), otherUid, otherUid);
  const env = { PUID: String(uid), PGID: String(gid), REELKEEP_MEDIA: media };
  const program = await startProgram({ data, script: 'scripts/start.mjs', env });
  try {
    await addressOf(program);
    const status = readFileSync(`/proc/${program.child.pid}/status`, 'utf8');
    expect(status).toMatch(new RegExp(`^Uid:\\s+${uid}\\s+${uid}\\s+${uid}`, 'm'));
    expect(status).toMatch(new RegExp(`^Gid:\\s+${gid}\\s+${gid}\\s+${gid}`, 'm'));
    for (const path of [data, media, ...readdirSync(data).map((name) => join(data, name))])
      expect([path, statSync(path).uid, statSync(path).gid]).toEqual([path, uid, gid]);
    expect(statSync(join(media, 'foreign')).uid).toBe(otherUid);
  } finally {
    program.child.kill('SIGTERM');
    expect(await program.ended).toBe(0);
  }
  const env2 = { PATH: process.env.PATH, REELKEEP_DATA: data, HOST_UID: String(uid), HOST_GID: String(gid) };
  const listed = spawnSync(process.execPath, [join(root, 'scripts/cli.mjs'), 'user', 'list'], {
    encoding: 'utf8',
    env: env2,
  });
  expect(listed).toMatchObject({ status: 0, stdout: 'demo, staff\n' });
});

test.runIf(isRoot)('rejects an invalid id and starts nothing', () => {
  const data = join(folder.path, 'data');
  const env = { PATH: process.env.PATH, REELKEEP_DATA: data, PUID: 'me' };
  const command = spawnSync(process.execPath, [join(root, 'scripts/cli.mjs'), 'verify'], { encoding: 'utf8', env });
  expect([command.status, command.stderr.trim()]).toEqual([1, 'PUID is me, which is no number of an account.']);
  expect(() => statSync(data)).toThrow(/ENOENT/);
});
