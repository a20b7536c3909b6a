import type { Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { inTransaction, type Db, type Engine, type Tx } from '../db.ts';
import { createTriggers, dropChangedTriggers } from '../triggers/apply-triggers.ts';
import { triggerGroups } from '../triggers/groups.ts';
import * as initial from './0001-initial.ts';
import { addLimitation } from './0002-limited-download.ts';
import { addCrashesAndConsent } from './0003-crashes-and-consent.ts';
import { addReplacedFiles } from './0004-replaced-files.ts';
import { addTotals } from './0005-totals.ts';
import { addMoments } from './0006-moments.ts';
import { addNotes } from './0007-notes.ts';
import { addTags } from './0008-tags.ts';
import { addTranscriptions } from './0009-transcriptions.ts';
import { addClips } from './0010-clips.ts';
import { addPassages } from './0011-passages.ts';
import { addRelatedVideos } from './0012-related-videos.ts';
import { addGeneratedChapters } from './0013-generated-chapters.ts';
import { addSounds } from './0014-sounds.ts';
import { addMeaningModels } from './0015-meaning-models.ts';
import { addPictureFormats } from './0016-picture-formats.ts';
import { addLoudness } from './0017-loudness.ts';
import { addUpgrades } from './0018-upgrades.ts';
import { addSmallCopies } from './0019-small-copies.ts';
import { addBranding } from './0020-branding.ts';
import { addRecordings } from './0021-recordings.ts';
import { addLiveStreams } from './0022-live-streams.ts';
import { addChats } from './0023-chats.ts';
import { addMusic } from './0024-music.ts';

interface Step {
  /**
   * Servers of the version before can use the database after this step, so that servers are updated one after another: it only adds
   * tables, and columns with a default or without a value, or loosens a constraint.
   */
  isExpansion?: true;
  up(db: Kysely<never>, engine: Engine): Promise<void>;
}

const initialStep = '0001-initial';

/** All migrations, oldest first. A released one is never changed, and imports nothing but column-types.ts. */
export const steps: Record<string, Step> = {
  [initialStep]: initial,
  '0002-limited-download': { isExpansion: true, up: addLimitation },
  '0003-crashes-and-consent': { isExpansion: true, up: addCrashesAndConsent },
  '0004-replaced-files': { isExpansion: true, up: addReplacedFiles },
  '0005-totals': { isExpansion: true, up: addTotals },
  '0006-moments': { isExpansion: true, up: addMoments },
  '0007-notes': { isExpansion: true, up: addNotes },
  '0008-tags': { isExpansion: true, up: addTags },
  '0009-transcriptions': { isExpansion: true, up: addTranscriptions },
  '0010-clips': { isExpansion: true, up: addClips },
  '0011-passages': { isExpansion: true, up: addPassages },
  '0012-related-videos': { isExpansion: true, up: addRelatedVideos },
  '0013-generated-chapters': { isExpansion: true, up: addGeneratedChapters },
  '0014-sounds': { isExpansion: true, up: addSounds },
  '0015-meaning-models': { isExpansion: true, up: addMeaningModels },
  '0016-picture-formats': { isExpansion: true, up: addPictureFormats },
  '0017-loudness': { isExpansion: true, up: addLoudness },
  '0018-upgrades': { isExpansion: true, up: addUpgrades },
  '0019-small-copies': { isExpansion: true, up: addSmallCopies },
  '0020-branding': { isExpansion: true, up: addBranding },
  '0021-recordings': { isExpansion: true, up: addRecordings },
  '0022-live-streams': { isExpansion: true, up: addLiveStreams },
  '0023-chats': { isExpansion: true, up: addChats },
  '0024-music': { isExpansion: true, up: addMusic },
};

/** The first step of versions before the first release, whose databases have other tables. */
const unreleasedStep = '0001-library';

/** Returns the newest known migration. */
export const newestStep = () => Object.keys(steps).at(-1)!;

/** The database was created by a newer version; the message is for users. */
export class NewerDatabase extends Error {}

/** The database was created before the first release; the message is for users. */
export class UnreleasedDatabase extends Error {}

/** State of a database. */
interface Progress {
  isEmpty: boolean;
  /** Pending migrations; none for a database without tables. */
  pending: string[];
  /** A newer version has extended the database, which this version can still use. */
  isExpanded: boolean;
  /** Set if a pending migration makes the database unusable for older versions. */
  needsStop: boolean;
  /** Set if this version cannot use the database. */
  refusal: NewerDatabase | UnreleasedDatabase | undefined;
}

/** Returns the error for a step that this version does not know. */
const refusalOf = (step: string) =>
  step === unreleasedStep
    ? new UnreleasedDatabase(
        'This database was made by a version of Reelkeep before its first release, and cannot be updated. Set REELKEEP_DATA to an empty folder, and REELKEEP_DATABASE, if it is set, to an empty database. Nothing was changed.',
      )
    : new NewerDatabase(
        `This database was made by a newer version of Reelkeep (it knows the step ${step}). Start that version, or restore a backup made before it.`,
      );

const namesIn = async (db: Db | Tx, table: 'kyselyMigration' | 'expansion') =>
  (
    await db
      .selectFrom(table as never)
      .select('name' as never)
      .orderBy('name' as never)
      .execute()
  ).map((row) => (row as { name: string }).name);

/** Returns the state of a database without changing it; `schema` is the one of a PostgreSQL connection that has its own. */
export async function progressOf(db: Db | Tx, schema?: string): Promise<Progress> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  const isThere = tables.some((table) => table.name === 'kysely_migration' && (!schema || table.schema === schema));
  if (!isThere) return { isEmpty: true, pending: [], isExpanded: false, needsStop: false, refusal: undefined };
  const applied = new Set(await namesIn(db, 'kyselyMigration'));
  const newer = [...applied].filter((name) => !Object.hasOwn(steps, name));
  const expansions = new Set(newer.length > 0 && applied.has(initialStep) ? await namesIn(db, 'expansion') : []);
  const unknown = newer.find((name) => !expansions.has(name));
  const pending = Object.keys(steps).filter((name) => !applied.has(name));
  return {
    isEmpty: applied.size === 0,
    pending,
    isExpanded: newer.length > 0,
    needsStop: applied.size > 0 && pending.some((name) => !steps[name]!.isExpansion),
    refusal: unknown === undefined ? undefined : refusalOf(unknown),
  };
}

/**
 * Applies all pending migrations, or those up to `upTo`, and then the triggers, in one transaction. Triggers belong to the newest
 * step: a database that stops at an older one has none. Returns the names of the applied migrations.
 * @throws NewerDatabase or UnreleasedDatabase with a message for users
 */
export function migrate(
  db: Db,
  upTo = newestStep(),
  { schema, groups = triggerGroups }: { schema?: string; groups?: typeof triggerGroups } = {},
): Promise<string[]> {
  return inTransaction(db, async (tx) => {
    const { isExpanded, refusal } = await progressOf(tx, schema);
    if (refusal) throw refusal;
    if (isExpanded) return []; // also the triggers are those of the newer version
    const isNewest = upTo === newestStep();
    const changed = isNewest ? await dropChangedTriggers(tx, groups) : [];
    const applied = await applySteps(tx, upTo, schema);
    // Older versions do not know these steps, but may use the database.
    const expansions = applied.filter((name) => steps[name]!.isExpansion);
    if (expansions.length > 0)
      await tx
        .insertInto('expansion')
        .values(expansions.map((name) => ({ name })))
        .execute();
    await createTriggers(tx, changed);
    return applied;
  });
}

async function applySteps(tx: Tx, upTo: string, schema: string | undefined): Promise<string[]> {
  const migrations = Object.fromEntries(
    Object.entries(steps).map(([name, step]): [string, Migration] => [
      name,
      { up: (db: Kysely<never>) => step.up(db, tx.engine) },
    ]),
  );
  const migrator = new Migrator({
    db: tx,
    provider: { getMigrations: async () => migrations },
    ...(schema && { migrationTableSchema: schema }),
  });
  const { error, results } = await migrator.migrateTo(upTo);
  if (error) throw error;
  return (results ?? []).map((result) => result.migrationName);
}
