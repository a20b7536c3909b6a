import { spawnSync } from 'node:child_process';
import { chownSync, copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate, steps } from '#server/db/migrate.ts';
import { openSqlite } from '#server/db/sqlite.ts';
import { importTools, infoOf } from './importing.ts';
import { addressOf, aFolder, aVisitor } from './program.ts';
import { endAll, start, stop, within } from './restoring.ts';

// The commands of the console.

let folder: Awaited<ReturnType<typeof aFolder>>;
let data: string;
beforeEach(async () => {
  folder = await aFolder();
  data = join(folder.path, 'data');
});
afterEach(async () => {
  await endAll();
  await folder.remove();
});

const run = (command: string, ...args: string[]) => runWith({}, command, ...args);
const runWith = (more: Record<string, string>, command: string, ...args: string[]) => {
  const script = join(import.meta.dirname, '../server/console', `${command}.ts`);
  const env = { ...process.env, REELKEEP_DATA: data, REELKEEP_DATABASE: '', ...more };
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8', env });
  return { status, stdout, stderr, said: stderr.trim() };
};
const commands: [string, ...string[]][] = [
  ['verify'],
  ['reset-password', 'demo'],
  ['backup'],
  ['user', 'add', 'maria'],
  ['sessions', 'clear'],
  ['import', '--dry-run'],
  ['doctor'],
  ['new-key'],
  ['restore', 'snapshot-20260101-000000-daily'],
];

/** For each command what it says, one after the other. */
const ofEach = (some: typeof commands, check: (there: ReturnType<typeof run>, words: string[]) => void, env = {}) => {
  for (const [command, ...args] of some) check(runWith(env, command, ...args), [command, ...args]);
};

test('every command says that there is no archive, and makes none', () => {
  const none = (there: ReturnType<typeof run>) =>
    expect([there.status, there.said]).toEqual([
      78,
      `There is no archive in ${data}; set REELKEEP_DATA to the folder that has it.`,
    ]);
  ofEach(commands, none);
  expect(existsSync(data)).toBe(false);
  mkdirSync(data);
  ofEach(commands.slice(0, 1), none);
  expect(readdirSync(data)).toEqual([]);
});

test('a command says which variable it does not know: it may be that of another database', () => {
  const { said } = runWith({ REELKEEP_DATABASE_URL: 'postgres://db/archive' }, 'restore', 'snapshot-20260101-000000-daily');
  expect(said).toMatch(/^REELKEEP_DATABASE_URL is not a name we know; is REELKEEP_DATABASE meant\?\n\nThere is no archive in /);
});

test('every command but restore leaves a database of an older version as it is', async () => {
  mkdirSync(data);
  const names = Object.keys(steps);
  const db = await openSqlite(join(data, 'reelkeep.db'));
  await migrate(db, names.at(-2)!);
  await db.destroy();
  ofEach(commands.slice(0, -1), (there, words) => {
    expect([words, there.status, there.said]).toEqual([
      words,
      78,
      expect.stringMatching(
        /^The database is of an older version than this .* Start this version once, .*Nothing was changed\.$/,
      ),
    ]);
    const taken = within(data, (one) => one.prepare('select name from kysely_migration order by name').all());
    expect(taken.at(-1)).toEqual({ name: names.at(-2) });
  });
});

test('every command but restore says of a database of a newer version what it is, without a stack', async () => {
  await addressOf(await start(data));
  await endAll();
  within(data, (db) => db.exec("insert into kysely_migration values ('9999-later', '2099')"));
  ofEach(commands.slice(0, -1), (there, words) =>
    expect([words, there.status, there.said]).toEqual([
      words,
      78,
      expect.stringMatching(/^This database was made by a newer version[^\n]*$/),
    ]),
  );
});

test('beside the program verify reads, and reset-password changes the one password', async () => {
  const program = await start(data);
  const address = await addressOf(program);
  expect(run('verify')).toMatchObject({ status: 0, stdout: 'Everything is as it should be.\n' });
  const reset = run('reset-password', 'demo');
  expect([reset.status, reset.stdout]).toEqual([0, expect.stringMatching(/^demo \/ \S+\n/)]);
  await expect(aVisitor(address)).rejects.toThrow(/Cannot log in: 400/);
  await stop(program);
  rmSync(join(data, 'reelkeep.db-wal'), { force: true });
  expect(run('verify').status).toBe(0);
});

test('people are added, switched off and on again beside the program, and never the last who may look after it', async () => {
  const address = await addressOf(await start(data));
  const logIn = async (username: string, password: string, chosen?: string) =>
    (
      await fetch(`${address}/api/user/login/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username, password, new_password: chosen }),
      })
    ).status;
  const added = run('user', 'add', 'María', '--staff');
  expect([added.status, added.stdout]).toEqual([0, expect.stringMatching(/^María \/ \S+\nIt is shown only this once/)]);
  const password = / \/ (\S+)/.exec(added.stdout)![1]!;
  expect(await logIn('María', password)).toBe(400);
  expect(await logIn('María', password, 'words of María')).toBe(204);
  expect(run('user', 'add', 'maría')).toMatchObject({ status: 1, said: 'There is somebody called maría already.' });
  expect(run('user', 'add', 'a\u0007')).toMatchObject({ status: 1, said: expect.stringMatching(/^Nobody can be called that: /) });
  expect(run('user', 'disable', 'demo').stdout).toMatch(
    /^demo cannot log in any more\. All logins, tokens and links of demo have ended\.\n/,
  );
  expect(await logIn('demo', 'demo')).toBe(400);
  expect(run('user', 'list').stdout).toBe('demo, staff, switched off\nMaría, staff\n');
  expect(run('user', 'disable', 'María')).toMatchObject({
    status: 1,
    said: expect.stringMatching(/^This is the last staff account/),
  });
  expect(run('user', 'disable', 'nobody')).toMatchObject({
    status: 1,
    said: 'There is no account nobody. There are: demo, María.',
  });
  expect(run('user', 'enable', 'Demo').stdout).toBe('demo can log in again.\n');
  expect(await logIn('demo', 'demo')).toBe(204);
  for (const args of [['remove', 'demo'], ['add'], ['list', 'demo'], ['add', 'a', 'b']])
    expect(run('user', ...args)).toMatchObject({ status: 2, said: expect.stringMatching(/^Say what to do: npm run user -- /) });
});

test('whoever is logged in has to do so again, one person or everybody', async () => {
  const address = await addressOf(await start(data));
  run('user', 'add', 'maria');
  const visitor = await aVisitor(address);
  const isIn = async () => (await fetch(`${address}/api/ping/`, { headers: visitor.headers })).status === 200;
  expect(run('sessions', 'clear', 'maria').stdout).toBe('0 logins have ended.\n');
  expect(await isIn()).toBe(true);
  expect(run('sessions', 'clear').stdout).toBe('1 login has ended.\n');
  await expect.poll(isIn, { timeout: 5_000 }).toBe(false);
  expect(run('sessions', 'clear', 'nobody').said).toBe('There is no account nobody. There are: demo, maria.');
  expect(run('sessions', 'end').status).toBe(2);
});

test('the doctor says what is well and what mends the rest, beside the program and without it', async () => {
  const program = await start(data);
  await addressOf(program);
  const beside = run('doctor');
  expect(beside.stdout).toMatch(/^✓ Program: it runs on this archive\.\n/);
  expect(beside.stdout).toMatch(/^✓ yt-dlp: yt-dlp \d{4}\./m);
  expect(beside.stdout).toMatch(/^✓ ffmpeg: ffmpeg \S+$/m);
  expect(beside.stdout).toMatch(/^✓ Folders: /m);
  await stop(program);
  const without = runWith({ REELKEEP_FFMPEG: '/nowhere/ffmpeg' }, 'doctor');
  expect(without.status).toBe(1);
  expect(without.stdout).toMatch(/^! Program: it does not run on this archive\.\n/);
  expect(without.stdout).toMatch(/^✗ ffmpeg: ffmpeg is not there, .*\n {4}REELKEEP_FFMPEG names \/nowhere\/ffmpeg, /m);
});

test('the configuration is shown as it counts, with who says so and without secrets', () => {
  const secret = join(folder.path, 'secret');
  writeFileSync(secret, 'very secret\n');
  const { stdout, status } = runWith({ REELKEEP_PASSWORD_FILE: secret, TA_PORT: '9000', TA_HOST: 'http://nas:8000' }, 'config');
  expect(status).toBe(0);
  expect(stdout).toMatch(new RegExp(`^REELKEEP_DATA +${data}  \\(environment\\)$`, 'm'));
  expect(stdout).toMatch(/^REELKEEP_PORT +9000 {2}\(TA_PORT\)$/m);
  expect(stdout).toMatch(/^REELKEEP_PASSWORD +\(a secret\) {2}\(REELKEEP_PASSWORD_FILE\)$/m);
  expect(stdout).toMatch(/^REELKEEP_HOST +0\.0\.0\.0 {2}\(initially\)$/m);
  expect(stdout).toContain('TA_PORT counts; here it is called REELKEEP_PORT.');
  expect(stdout).toContain('TA_HOST is not needed here');
  expect(stdout).not.toContain('very secret');
});

test('what stands in the import folder is brought in while the program is down', async () => {
  const program = await start(data);
  await addressOf(program);
  const tools = await importTools();
  const film = join(data, 'import', 'A walk.mp4');
  copyFileSync(tools.at('whole.mp4'), film);
  writeFileSync(film.replace('.mp4', '.info.json'), infoOf('aWalkInTown'));
  await tools.remove();
  expect(run('import', '--dry-run').said).toContain('Use its call POST /api/appsettings/manual-import/');
  await stop(program);
  const offline = { REELKEEP_PROXY: 'http://127.0.0.1:9' };
  expect(runWith(offline, 'import', '--prefer-local', '--dry-run')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('1 '),
  });
  expect(existsSync(film)).toBe(true);
  expect(runWith(offline, 'import', '--prefer-local').status).toBe(0);
  expect(existsSync(film)).toBe(false);
  const [video] = within(data, (db) => db.prepare('select id, title, media_path as path from video').all());
  expect(video).toMatchObject({ id: 'aWalkInTown', title: 'Once called aWalkInTown' });
  expect(existsSync(join(data, 'media', String(video!.path)))).toBe(true);
  expect(run('verify').stdout).toBe('Everything is as it should be.\n');
});

test.runIf(process.getuid?.() === 0)(
  'every command is refused to another account than the program’s, with the line that is meant',
  async () => {
    await addressOf(await start(data));
    await endAll();
    const before = readdirSync(data);
    for (const path of [data, join(data, 'secret.key')]) chownSync(path, 65_534, 65_534);
    ofEach(commands, (there, [command, ...args]) => {
      expect([command, there.status]).toEqual([command, 78]);
      const line = [command, ...(args.length > 0 ? ['--', ...args] : [])].join(' ');
      expect(there.said).toMatch(/ belongs to nobody, and root runs this: .* Run it as nobody:\n/);
      expect(there.said.split('\n')[1]).toBe(`  sudo -u nobody env REELKEEP_DATA=${data} npm run ${line}`);
    });
    expect(readdirSync(data)).toEqual(before);
  },
);
