import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ConfigError } from '../platform/config/config-error.ts';
import { steps } from '../platform/db/migrations/migrate.ts';
import { readConfig } from '../platform/config/config.ts';
import { openDatabase, openWithoutMigrating } from './open-database.ts';

let dataFolder: string;
const configuration = () => readConfig({ REELKEEP_DATA: dataFolder });
const file = () => new DatabaseSync(join(dataFolder, 'reelkeep.db'));
const create = async () => (await openDatabase(configuration())).destroy();
const snapshotsIn = (folder: string) => readdir(join(folder, 'snapshots')).catch(() => []);

beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'reelkeep-open-'));
  await mkdir(join(dataFolder, 'media'));
});
afterEach(async () => {
  delete steps['0900-later'];
  await rm(dataFolder, { recursive: true, force: true });
});

const released = Object.keys(steps);
const newest = released.at(-1)!;
const addStep = () => {
  steps['0900-later'] = { up: async (db) => void (await sql`create table later (id integer)`.execute(db)) };
};

test('takes a snapshot before it migrates a database of an older version', async () => {
  await create();
  expect(await snapshotsIn(dataFolder)).toEqual([]);
  addStep();
  await create();
  const notes = (await snapshotsIn(dataFolder)).filter((name) => name.endsWith('-update.json'));
  expect(notes).toHaveLength(1);
  expect(JSON.parse(await readFile(join(dataFolder, 'snapshots', notes[0]!), 'utf8'))).toMatchObject({
    migration: newest,
  });
});

test('commands do not migrate a database of an older version', async () => {
  await create();
  addStep();
  await expect(openWithoutMigrating(configuration())).rejects.toThrow(
    /^The database is of an older version than this .* Start this version once, .*Nothing was changed\.$/,
  );
  const database = file();
  expect(database.prepare('select name from kysely_migration').all()).toEqual(released.map((name) => ({ name })));
  database.close();
});

test.each([openDatabase, openWithoutMigrating])(
  'rejects a database of a version before the first release and leaves it as it is: %o',
  async (open) => {
    await create();
    const before = file();
    before.exec("delete from kysely_migration; insert into kysely_migration values ('0001-library', '2026')");
    before.close();
    const error = await open(configuration()).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as Error).message).toContain('before its first release');
    expect(await snapshotsIn(dataFolder)).toEqual([]);
    const after = file();
    expect(after.prepare('select name from kysely_migration').all()).toEqual([{ name: '0001-library' }]);
    after.close();
  },
);
