import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { asideOf, damageIn } from '../backup/damage.ts';
import { findBackup } from '../backup/folder.ts';
import { kindOf } from '../backup/kind.ts';
import { importOriginal } from '../backup/original.ts';
import { restoreFile, restoreOurs, type Restoring } from '../backup/restore.ts';
import { findSnapshot, takeSnapshot } from '../backup/snapshots.ts';
import { writeBackup } from '../backup/write.ts';
import { openZip } from '../backup/zip.ts';
import { byHand, holdByHand, refuseOthers, sayStep, secondsNow, stopped } from './by-hand.ts';
import type { Config } from '../config.ts';
import { databaseFile, makeFolders } from '../data-folder.ts';
import type { Db } from '../db/db.ts';
import { openKeys } from '../key-file.ts';
import { markMediaFolder } from '../library/media-marker.ts';
import { exists } from '../media/shelf.ts';
import { Damaged, MadeByNewer, mustBeThere, openDatabase } from '../open-database.ts';

// `npm run restore -- <file> [--dry-run]`: a backup (a path, or a name in the backup folder) or a snapshot, while the program is
// down. It also goes back from a database that a newer version has changed.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'dry-run': { type: 'boolean', default: false }, 'watched-for-all': { type: 'boolean', default: false } },
});
const [file] = positionals;
const dryRun = values['dry-run'];

/** The present database; null where it cannot be used, and why. */
async function open(config: Config): Promise<{ db: Db | null; why?: 'newer' | 'damaged' }> {
  try {
    // What cannot be looked at is opened, which says why.
    const isThere = !config.databaseUrl && (await exists(databaseFile(config)));
    if (isThere && (await damageIn(databaseFile(config)).catch(() => null)) !== null) return { db: null, why: 'damaged' };
    return { db: await openDatabase(config) };
  } catch (error) {
    if (error instanceof MadeByNewer && !config.databaseUrl) return { db: null, why: 'newer' };
    if (error instanceof Damaged) return { db: null, why: 'damaged' };
    throw error;
  }
}

const cannotMerge = {
  newer: 'The database is of a newer version. Go back to a snapshot first.',
  damaged: 'The database is damaged. Go back to a snapshot or a backup of Reelkeep first.',
};

async function restore(config: Config, name: string): Promise<string> {
  await refuseOthers(config, 'restore');
  // Into an empty folder comes what stands elsewhere, such as a backup of another machine.
  if (!(await exists(name))) await mustBeThere(config);
  await makeFolders(config);
  const held = await holdByHand(config, 'POST /api/appsettings/backup/<name>/');
  const { db, why } = await open(config);
  try {
    const now = secondsNow;
    const part = { config, db, keys: await openKeys(config.dataFolder), now, log: console };
    const signal = stopped();
    const skip = (what: string, why: unknown) => console.log(`\n${what}: ${why instanceof Error ? why.message : String(why)}`);
    const snapshot = await findSnapshot(config, name);
    const aside = why === 'damaged' ? asideOf(config, now()) : undefined;
    if (aside) console.log(`The database is damaged; it will be kept as ${basename(aside)}.`);
    const work: Restoring = {
      part,
      signal,
      report: sayStep,
      skip,
      quiet: async () => {},
      ...(aside && { aside }),
      keepPresent: async () =>
        aside
          ? basename(aside)
          : config.databaseUrl
            ? (await writeBackup({ ...part, db: db! }, { reason: 'before', signal, report: sayStep })).filename
            : takeSnapshot({
                config,
                reason: 'restore',
                now,
                ...(db === null && { migration: 'newer' }),
                ...(snapshot && { spare: snapshot.id }),
              }),
    };
    if (db) await markMediaFolder({ db, config, log: console });
    if (snapshot?.isDump) throw new Error('That is a dump of PostgreSQL: restore it with pg_restore.');
    if (snapshot)
      return dryRun
        ? `The snapshot ${snapshot.id} of Reelkeep ${snapshot.program} would take the place of what is here. Nothing was changed.`
        : await restoreFile(work, snapshot.path, snapshot.id);
    const path = (await findBackup({ config }, name))?.file_path ?? ((await exists(name)) ? name : null);
    if (!path) throw new Error(`There is no backup, file or snapshot called ${name}.`);
    const zip = await openZip(path);
    const kind = kindOf(zip);
    zip.close();
    if (kind === 'ours') return await restoreOurs(work, path, { dryRun });
    if (!db) throw new Error(cannotMerge[why ?? 'newer']);
    const watchedFor = values['watched-for-all'] ? 'all' : 'me';
    return await importOriginal({ ...part, db }, path, { ...work, dryRun, watchedFor, accountId: null });
  } finally {
    await db?.destroy();
    await held.release();
  }
}

if (!file) {
  console.error('Say what to restore: npm run restore -- <file.zip, or the id of a snapshot> [--dry-run]');
  process.exitCode = 2;
} else await byHand(async (config) => console.log(`\n${await restore(config, file)}`));
