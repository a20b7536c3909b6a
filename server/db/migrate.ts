import type { Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import type { Db, Engine } from './db.ts';
import * as library from './migrations/0001-library.ts';
import * as people from './migrations/0002-people.ts';
import * as work from './migrations/0003-work.ts';
import * as acquisition from './migrations/0004-acquisition.ts';
import * as around from './migrations/0005-around.ts';
import * as tallies from './migrations/0006-tallies.ts';
import * as search from './migrations/0007-search.ts';
import * as signIn from './migrations/0010-sign-in.ts';
import * as storyboards from './migrations/0011-storyboards.ts';
import * as peopleManaged from './migrations/0013-people.ts';
import * as runs from './migrations/0014-runs.ts';
import * as playlistPages from './migrations/0015-playlist-pages.ts';
import * as bounds from './migrations/0017-bounds.ts';
import * as bin from './migrations/0018-bin.ts';
import * as figures from './migrations/0019-figures.ts';
import * as months from './migrations/0020-months.ts';
import * as lists from './migrations/0021-lists.ts';
import * as binRest from './migrations/0022-bin-rest.ts';
import * as watchedWhen from './migrations/0023-watched-when.ts';
import * as watchedTogether from './migrations/0024-watched-together.ts';
import * as queueWords from './migrations/0025-queue-words.ts';
import * as leases from './migrations/0026-leases.ts';
import * as previewsWanted from './migrations/0027-previews-wanted.ts';
import * as fragments from './migrations/0028-fragments.ts';
import * as customLists from './migrations/0029-custom-lists.ts';
import * as heights from './migrations/0030-heights.ts';
import * as passwordsMade from './migrations/0031-passwords-made-for-people.ts';
import * as proved from './migrations/0032-proved.ts';
import * as written from './migrations/0033-written.ts';
import * as byteOrder from './migrations/0034-byte-order.ts';
import * as writtenPlaylists from './migrations/0035-written-playlists.ts';

interface Step {
  up(db: Kysely<never>, engine: Engine): Promise<void>;
}

/** Every step the database has gone through, oldest first. A step that was released is never changed. */
export const steps: Record<string, Step> = {
  '0001-library': library,
  '0002-people': people,
  '0003-work': work,
  '0004-acquisition': acquisition,
  '0005-around': around,
  '0006-tallies': tallies,
  '0007-search': search,
  '0010-sign-in': signIn,
  '0011-storyboards': storyboards,
  '0013-people': peopleManaged,
  '0014-runs': runs,
  '0015-playlist-pages': playlistPages,
  '0017-bounds': bounds,
  '0018-bin': bin,
  '0019-figures': figures,
  '0020-months': months,
  '0021-lists': lists,
  '0022-bin-rest': binRest,
  '0023-watched-when': watchedWhen,
  '0024-watched-together': watchedTogether,
  '0025-queue-words': queueWords,
  '0026-leases': leases,
  '0027-previews-wanted': previewsWanted,
  '0028-fragments': fragments,
  '0029-custom-lists': customLists,
  '0030-heights': heights,
  '0031-passwords-made-for-people': passwordsMade,
  '0032-proved': proved,
  '0033-written': written,
  '0034-byte-order': byteOrder,
  '0035-written-playlists': writtenPlaylists,
};

/** The newest step that this version knows. */
export const newestStep = () => Object.keys(steps).at(-1)!;

/** The database was made by a newer version than this; the message is for people. */
export class NewerDatabase extends Error {}

/** How far a database has come: the steps still to be taken, and whether it has tables of ours at all. */
export interface Progress {
  isEmpty: boolean;
  pending: string[];
  /** A step that only a newer version knows. */
  strange: string | undefined;
}

/** Looks how far a database has come; changes nothing. */
export async function progressOf(db: Db): Promise<Progress> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === 'kysely_migration')) return { isEmpty: true, pending: [], strange: undefined };
  const rows = await db
    .selectFrom('kyselyMigration' as never)
    .select('name' as never)
    .execute();
  const taken = new Set(rows.map((row) => (row as { name: string }).name));
  return {
    isEmpty: taken.size === 0,
    pending: Object.keys(steps).filter((name) => !taken.has(name)),
    strange: [...taken].find((name) => !Object.hasOwn(steps, name)),
  };
}

/** The steps that are still to be taken; none for a database that has no tables yet. */
export const pendingSteps = async (db: Db): Promise<string[]> => (await progressOf(db)).pending;

/** What is said of a step that only a newer version knows. */
export const madeByNewer = (step: string) =>
  new NewerDatabase(
    `This database was made by a newer version of Reelkeep (it knows the step ${step}). Start that version, or restore a backup made before it.`,
  );

/**
 * Brings the database to the newest step, or to `upTo`: all steps in one transaction. Returns the names of those taken.
 * Throws with a sentence for people when the database was made by a newer version.
 */
export async function migrate(db: Db, upTo?: string, { schema }: { schema?: string } = {}): Promise<string[]> {
  const bound = Object.entries(steps).map(([name, step]): [string, Migration] => [
    name,
    { up: (tx: Kysely<never>) => step.up(tx, db.engine) },
  ]);
  const migrations = Object.fromEntries(bound);
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    ...(schema && { migrationTableSchema: schema }),
  });
  const known = new Set(Object.keys(migrations));
  const { error, results } = upTo ? await migrator.migrateTo(upTo) : await migrator.migrateToLatest();
  if (error) {
    const strange = /previously executed migration (\S+) is missing/.exec(String(error))?.[1];
    if (strange && !known.has(strange)) throw madeByNewer(strange);
    throw error;
  }
  return (results ?? []).map((result) => result.migrationName);
}
