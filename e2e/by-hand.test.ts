import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate, steps } from '#server/db/migrate.ts';
import { openSqlite } from '#server/db/sqlite.ts';
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

const scripts = {
  verify: 'verify.ts',
  'reset-password': 'forgotten-password.ts',
  backup: 'backup-by-hand.ts',
  restore: 'restore-by-hand.ts',
};
const run = (command: keyof typeof scripts, ...args: string[]) => runWith({}, command, ...args);
const runWith = (more: Record<string, string>, command: keyof typeof scripts, ...args: string[]) => {
  const script = join(import.meta.dirname, '../server', scripts[command]);
  const env = { ...process.env, REELKEEP_DATA: data, REELKEEP_DATABASE: '', ...more };
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8', env });
  return { status, stdout, stderr, said: stderr.trim() };
};
const commands: [keyof typeof scripts, ...string[]][] = [
  ['verify'],
  ['reset-password', 'demo'],
  ['backup'],
  ['restore', 'snapshot-20260101-000000-daily'],
];

test.each(commands)('%s says that there is no archive, and makes none', async (command, ...args) => {
  const there = run(command, ...args);
  expect([there.status, there.said]).toEqual([
    78,
    `There is no archive in ${data}; set REELKEEP_DATA to the folder that has it.`,
  ]);
  expect(existsSync(data)).toBe(false);
  mkdirSync(data);
  expect(run(command, ...args).status).toBe(78);
  expect(readdirSync(data)).toEqual([]);
});

test.each(commands)('%s says which variable it does not know: it may be that of another database', async (command, ...args) => {
  const { said } = runWith({ REELKEEP_DATABASE_URL: 'postgres://db/archive' }, command, ...args);
  expect(said).toMatch(/^REELKEEP_DATABASE_URL is not a name we know; is it spelled right\?\n\nThere is no archive in /);
});

test.each(commands.slice(0, 3))('%s leaves a database of an older version as it is', async (command, ...args) => {
  mkdirSync(data);
  const names = Object.keys(steps);
  const db = await openSqlite(join(data, 'reelkeep.db'));
  await migrate(db, names.at(-2)!);
  await db.destroy();
  const there = run(command, ...args);
  expect([there.status, there.said]).toEqual([
    78,
    expect.stringMatching(/^The database is of an older version than this .* Start this version once, .*Nothing was changed\.$/),
  ]);
  const taken = within(data, (one) => one.prepare('select name from kysely_migration order by name').all());
  expect(taken.at(-1)).toEqual({ name: names.at(-2) });
});

test.each(commands.slice(0, 3))(
  '%s says of a database of a newer version what it is, without a stack',
  async (command, ...args) => {
    await addressOf(await start(data));
    await endAll();
    within(data, (db) => db.exec("insert into kysely_migration values ('9999-later', '2099')"));
    const there = run(command, ...args);
    expect([there.status, there.said]).toEqual([78, expect.stringMatching(/^This database was made by a newer version[^\n]*$/)]);
  },
);

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

test.runIf(process.getuid?.() === 0).each(commands)(
  '%s is refused to another account than the program’s, with the line that is meant',
  async (command, ...args) => {
    await addressOf(await start(data));
    await endAll();
    const before = readdirSync(data);
    for (const path of [data, join(data, 'secret.key')]) chownSync(path, 65_534, 65_534);
    const there = run(command, ...args);
    expect(there.status).toBe(78);
    const line = [command, ...(args.length > 0 ? ['--', ...args] : [])].join(' ');
    expect(there.said).toMatch(/ belongs to nobody, and root runs this: .* Run it as nobody:\n/);
    expect(there.said.split('\n')[1]).toBe(`  sudo -u nobody env REELKEEP_DATA=${data} npm run ${line}`);
    expect(readdirSync(data)).toEqual(before);
  },
);
