import { spawnSync } from 'node:child_process';
import { chownSync, copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createImportSources, infoOf } from '../support/importing.ts';
import { addressOf, createTempFolder, logInToProgram } from '../support/program.ts';
import { endAll, start, stop, withDatabase } from '../support/restoring.ts';

// Tests of the CLI commands.

let folder: Awaited<ReturnType<typeof createTempFolder>>;
let data: string;
beforeEach(async () => {
  folder = await createTempFolder();
  data = join(folder.path, 'data');
});
afterEach(async () => {
  await endAll();
  await folder.remove();
});

const run = (command: string, ...args: string[]) => runWith({}, command, ...args);
const runWith = (variables: Record<string, string>, command: string, ...args: string[]) => {
  const script = join(import.meta.dirname, '../../server/cli', `${command}.ts`);
  const env = { ...process.env, REELKEEP_DATA: data, REELKEEP_DATABASE: '', ...variables };
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8', env });
  return { status, stdout, stderr, message: stderr.trim() };
};
const commands: [string, ...string[]][] = [
  ['verify'],
  ['reset-password', 'demo'],
  ['backup'],
  ['user', 'add', 'maria'],
  ['sessions', 'clear'],
  ['import', '--dry-run'],
  ['build-view'],
  ['migrate', 'opml', '/nowhere.opml', '--dry-run'],
  ['health'],
  ['rotate-key'],
  ['restore', 'snapshot-20260101-000000-daily'],
];

/** Runs each command and checks its result. */
const runEach = (
  selected: typeof commands,
  checkResult: (result: ReturnType<typeof run>, commandLine: string[]) => void,
  env = {},
) => {
  for (const [command, ...args] of selected) checkResult(runWith(env, command, ...args), [command, ...args]);
};

test('every command reports a missing archive and creates none', () => {
  const expectMissingArchive = (result: ReturnType<typeof run>) =>
    expect([result.status, result.message]).toEqual([
      78,
      `There is no archive in ${data}; set REELKEEP_DATA to the folder that has it.`,
    ]);
  runEach(commands, expectMissingArchive);
  expect(existsSync(data)).toBe(false);
  mkdirSync(data);
  runEach(commands.slice(0, 1), expectMissingArchive);
  expect(readdirSync(data)).toEqual([]);
});

test('a command names an unknown variable, which may belong to another database', () => {
  const { message } = runWith({ REELKEEP_DATABASE_URL: 'postgres://db/archive' }, 'restore', 'snapshot-20260101-000000-daily');
  expect(message).toMatch(
    /^Unknown variable REELKEEP_DATABASE_URL\. Did you mean REELKEEP_DATABASE\?\n\nThere is no archive in /,
  );
});

test('every command but restore rejects a newer database without a stack trace', async () => {
  await addressOf(await start(data));
  await endAll();
  withDatabase(data, (db) => db.exec("insert into kysely_migration values ('9999-later', '2099')"));
  runEach(commands.slice(0, -1), (result, commandLine) =>
    expect([commandLine, result.status, result.message]).toEqual([
      commandLine,
      78,
      expect.stringMatching(/^This database was made by a newer version[^\n]*$/),
    ]),
  );
});

test('verify and reset-password work while the server runs', async () => {
  const program = await start(data);
  const address = await addressOf(program);
  expect(run('verify')).toMatchObject({ status: 0, stdout: 'Everything is as it should be.\n' });
  const reset = run('reset-password', 'demo');
  expect([reset.status, reset.stdout]).toEqual([0, expect.stringMatching(/^demo \/ \S+\n/)]);
  await expect(logInToProgram(address)).rejects.toThrow(/Cannot log in: 400/);
  await stop(program);
  rmSync(join(data, 'reelkeep.db-wal'), { force: true });
  expect(run('verify').status).toBe(0);
});

test('user adds, disables and enables accounts while the server runs, never the last staff account', async () => {
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
  expect(run('user', 'add', 'maría')).toMatchObject({ status: 1, message: 'The user name maría is already taken.' });
  expect(run('user', 'add', 'a\u0007')).toMatchObject({ status: 1, message: expect.stringMatching(/^Invalid user name: /) });
  expect(run('user', 'disable', 'demo').stdout).toMatch(
    /^demo cannot log in any more\. All logins, tokens and links of demo have ended\.\n/,
  );
  expect(await logIn('demo', 'demo')).toBe(400);
  expect(run('user', 'list').stdout).toBe('demo, staff, switched off\nMaría, staff\n');
  expect(run('user', 'disable', 'María')).toMatchObject({
    status: 1,
    message: expect.stringMatching(/^This is the last administrator/),
  });
  expect(run('user', 'disable', 'nobody')).toMatchObject({
    status: 1,
    message: 'There is no account nobody. There are: demo, María.',
  });
  expect(run('user', 'enable', 'Demo').stdout).toBe('demo can log in again.\n');
  expect(await logIn('demo', 'demo')).toBe(204);
  for (const args of [['remove', 'demo'], ['add'], ['list', 'demo'], ['add', 'a', 'b']])
    expect(run('user', ...args)).toMatchObject({
      status: 2,
      message: expect.stringMatching(/^Say what to do: npm run cli -- user /),
    });
});

test('sessions logs out one user or all', async () => {
  const address = await addressOf(await start(data));
  run('user', 'add', 'maria');
  const visitor = await logInToProgram(address);
  const isLoggedIn = async () => (await fetch(`${address}/api/ping/`, { headers: visitor.headers })).status === 200;
  expect(run('sessions', 'clear', 'maria').stdout).toBe('0 logins have ended.\n');
  expect(await isLoggedIn()).toBe(true);
  expect(run('sessions', 'clear').stdout).toBe('1 login has ended.\n');
  await expect.poll(isLoggedIn, { timeout: 5_000 }).toBe(false);
  expect(run('sessions', 'clear', 'nobody').message).toBe('There is no account nobody. There are: demo, maria.');
  expect(run('sessions', 'end').status).toBe(2);
});

test('health reports checks and fixes with and without a running server', async () => {
  const program = await start(data);
  await addressOf(program);
  const whileRunning = run('health');
  expect(whileRunning.stdout).toMatch(/^✓ Program: it runs on this archive\.\n/);
  expect(whileRunning.stdout).toMatch(/^✓ yt-dlp: yt-dlp \d{4}\./m);
  expect(whileRunning.stdout).toMatch(/^✓ ffmpeg: ffmpeg \S+$/m);
  expect(whileRunning.stdout).toMatch(/^✓ Folders: /m);
  await stop(program);
  const offlineHealth = runWith({ REELKEEP_FFMPEG: '/nowhere/ffmpeg' }, 'health');
  expect(offlineHealth.status).toBe(1);
  expect(offlineHealth.stdout).toMatch(/^! Program: it does not run on this archive\.\n/);
  expect(offlineHealth.stdout).toMatch(
    /^✗ ffmpeg: ffmpeg is not installed, .*\n {4}REELKEEP_FFMPEG points to \/nowhere\/ffmpeg, /m,
  );
});

test('config prints effective values with their source and without secrets', () => {
  const secret = join(folder.path, 'secret');
  writeFileSync(secret, 'very secret\n');
  const { stdout, status } = runWith({ REELKEEP_PASSWORD_FILE: secret, TA_PORT: '9000', TA_HOST: 'http://nas:8000' }, 'config');
  expect(status).toBe(0);
  expect(stdout).toMatch(new RegExp(`^REELKEEP_DATA +${data}  \\(environment\\)$`, 'm'));
  expect(stdout).toMatch(/^REELKEEP_PORT +9000 {2}\(TA_PORT\)$/m);
  expect(stdout).toMatch(/^REELKEEP_PASSWORD +\(a secret\) {2}\(REELKEEP_PASSWORD_FILE\)$/m);
  expect(stdout).toMatch(/^REELKEEP_HOST +0\.0\.0\.0 {2}\(initially\)$/m);
  expect(stdout).toContain('TA_PORT is used; its name in Reelkeep is REELKEEP_PORT.');
  expect(stdout).toContain('TA_HOST has no effect');
  expect(stdout).not.toContain('very secret');
});

test('import works while the server is stopped', async () => {
  const program = await start(data);
  await addressOf(program);
  const tools = await createImportSources();
  const film = join(data, 'import', 'A walk.mp4');
  copyFileSync(tools.at('whole.mp4'), film);
  writeFileSync(film.replace('.mp4', '.info.json'), infoOf('aWalkInTown'));
  await tools.remove();
  expect(run('import', '--dry-run').message).toContain('Use its call POST /api/appsettings/manual-import/');
  await stop(program);
  const offline = { REELKEEP_PROXY: 'http://127.0.0.1:9' };
  expect(runWith(offline, 'import', '--prefer-local', '--dry-run')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('1 '),
  });
  expect(existsSync(film)).toBe(true);
  expect(runWith(offline, 'import', '--prefer-local').status).toBe(0);
  expect(existsSync(film)).toBe(false);
  const [video] = withDatabase(data, (db) => db.prepare('select id, title, media_path as path from video').all());
  expect(video).toMatchObject({ id: 'aWalkInTown', title: 'Once called aWalkInTown' });
  expect(existsSync(join(data, 'media', String(video!.path)))).toBe(true);
  expect(run('verify').stdout).toBe('Everything is as it should be.\n');
});

test.runIf(process.getuid?.() === 0)(
  'every command rejects another account than that of the server, with the right command line',
  async () => {
    await addressOf(await start(data));
    await endAll();
    const before = readdirSync(data);
    for (const path of [data, join(data, 'secret.key')]) chownSync(path, 65_534, 65_534);
    runEach(commands, (result, [command, ...args]) => {
      expect([command, result.status]).toEqual([command, 78]);
      expect(result.message).toMatch(/ belongs to nobody, and root runs this: .* Run it as nobody:\n/);
      expect(result.message.split('\n')[1]).toBe(
        `  sudo -u nobody env REELKEEP_DATA=${data} npm run cli -- ${[command, ...args].join(' ')}`,
      );
    });
    expect(readdirSync(data)).toEqual(before);
  },
);

test('migrate imports from any folder, and a dry run only reports', async () => {
  await addressOf(await start(data));
  await endAll();
  const feeds = join(folder.path, 'feeds.opml');
  const feed = 'https://www.youtube.com/feeds/videos.xml?channel_id=UCaaaaaaaaaaaaaaaaaaaaaa';
  writeFileSync(
    feeds,
    `<opml><body><outline text="One" xmlUrl="${feed}"/><outline text="Two" xmlUrl="https://x.example/"/></body></opml>`,
  );
  const subscribed = () =>
    withDatabase(data, (db) => db.prepare('select name from channel where is_subscribed = 1').all().length);
  const dry = run('migrate', 'opml', feeds, '--dry-run');
  expect(dry).toMatchObject({ status: 0, stderr: '' });
  expect(dry.stdout).toMatch(
    /subscriptions: 1 found, 1 to add[^]*Two: Only YouTube entries are imported\.[^]*Nothing was changed/,
  );
  expect(subscribed()).toBe(0);
  expect(run('migrate', 'opml', feeds, '--take', 'subscriptions')).toMatchObject({ status: 0 });
  expect(subscribed()).toBe(1);
  expect(run('migrate', 'opml', join(folder.path, 'none.opml')).message).toMatch(/no file or folder/);
  expect(run('migrate', 'unknown', feeds)).toMatchObject({ status: 2, stderr: expect.stringMatching(/Programs: pinchflat/) });
});
