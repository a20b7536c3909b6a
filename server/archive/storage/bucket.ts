import { randomUUID } from 'node:crypto';
import { message, type Message } from '#contract/messages.ts';
import { ConfigError } from '../../platform/config/config-error.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import type { Db } from '../../platform/db/db.ts';
import { StorageError } from '../../platform/storage/file-store.ts';

// A mark in the bucket and in the database tells which archive the bucket belongs to, so that the files of another archive are
// neither served nor deleted. The database has it only if the files of the archive are in a bucket.

type Part = Pick<AppContext, 'config' | 'db' | 'files'>;

const rowOf = (db: Db) => db.selectFrom('bucket').select(['marker', 'movingTo']).executeTakeFirst();

/** Returns the mark of the archive, a new one at its first start with a bucket. */
async function ensureMarker(db: Db): Promise<string> {
  await db
    .insertInto('bucket')
    .values({ id: 1, marker: randomUUID(), movingTo: null })
    .onConflict((c) => c.doNothing())
    .execute();
  return (await rowOf(db))!.marker;
}

const hasVideos = async (db: Db) => (await db.selectFrom('video').select('id').limit(1).executeTakeFirst()) !== undefined;

/** Returns whether an answer of the store is a refusal, so that another try is useless: wrong keys, no such bucket, a wrong clock. */
function isRefusal(error: unknown): error is Error {
  const { httpStatusCode = 0 } = (error as { $metadata?: { httpStatusCode?: number } } | undefined)?.$metadata ?? {};
  return httpStatusCode >= 300 && httpStatusCode < 500 && httpStatusCode !== 408 && httpStatusCode !== 429;
}

const howToMove = 'npm run cli -- move-media --to';

/** @throws ConfigError if a move was interrupted, or the files of the archive are at the other place */
async function refuseOtherPlace({ config, db }: Pick<Part, 'config' | 'db'>): Promise<void> {
  const row = await rowOf(db);
  if (row?.movingTo)
    throw new ConfigError(
      `The files of the archive are being moved, and some are at their old place. Continue with: ${howToMove} ${row.movingTo}`,
    );
  if (!config.s3 && row)
    throw new ConfigError(
      `The files of this archive are in a bucket. Set the REELKEEP_S3 variables. To move the files to folders, run: ${howToMove} folders`,
    );
  if (config.s3 && !row && (await hasVideos(db)))
    throw new ConfigError(
      `The files of this archive are in folders, and REELKEEP_S3_BUCKET names a bucket. To move them there, run: ${howToMove} bucket`,
    );
}

/** Asks the bucket, and makes a refusal that no other try can change a ConfigError. */
async function askBucket<T>({ s3 }: Part['config'], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const cause = error instanceof StorageError ? error.cause : null;
    if (!isRefusal(cause)) throw error;
    throw new ConfigError(
      `The bucket ${s3!.bucket}${s3!.endpoint ? ` at ${s3!.endpoint}` : ''} cannot be used: ${cause.message} (${cause.name}). Correct the REELKEEP_S3 variables, or the policy of the bucket. Nothing was changed.`,
    );
  }
}

/** @throws ConfigError if the bucket belongs to another archive */
async function refuseOtherBucket({ config, db, files }: Part): Promise<string | null> {
  const found = await askBucket(config, () => files.readMarker());
  if (found !== null && found !== (await rowOf(db))?.marker)
    throw new ConfigError(
      `The bucket ${config.s3!.bucket} belongs to another archive (its object reelkeep.txt says so). Correct REELKEEP_S3_BUCKET. If its database is lost, restore a backup of it first: npm run cli -- restore. Nothing was changed.`,
    );
  return found;
}

/**
 * Marks a new bucket as that of this archive. A bucket that does not answer is asked again when it is used.
 * @throws ConfigError if it belongs to another archive, does not exist, or refuses the keys; or if the files of the archive are
 *   not where the configuration says
 */
export async function openBucket(part: Part & Pick<AppContext, 'log'>): Promise<void> {
  const { config, db, files, log } = part;
  await refuseOtherPlace(part);
  if (!config.s3) return;
  const { bucket } = config.s3;
  try {
    if ((await refuseOtherBucket(part)) !== null) return;
    if (await hasVideos(db)) return log.error({ bucket }, 'the bucket is not the one used before: it has no object reelkeep.txt');
    await askBucket(config, async () => files.writeMarker(await ensureMarker(db)));
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    log.error({ bucket, err: error }, 'the bucket does not answer; media cannot be used');
  }
}

/**
 * Begins or continues moving all files, which `endMove` ends. Until then no server starts.
 * @throws ConfigError if the bucket cannot be used or belongs to another archive, or the other direction was interrupted
 */
export async function beginMove(part: Part, to: 'bucket' | 'folders'): Promise<void> {
  const { config, db, files } = part;
  const row = await rowOf(db);
  if (row?.movingTo && row.movingTo !== to)
    throw new ConfigError(`The move to the other place was interrupted. Complete it first: ${howToMove} ${row.movingTo}`);
  if (!row && to === 'folders') throw new ConfigError('The files of this archive are in folders already. Nothing was changed.');
  if (row && !row.movingTo && to === 'bucket')
    throw new ConfigError('The files of this archive are in a bucket already. Nothing was changed.');
  const found = await refuseOtherBucket(part);
  if (to === 'folders' && found === null)
    throw new ConfigError(
      `The bucket ${config.s3!.bucket} is not the one used before: it has no object reelkeep.txt. Nothing was changed.`,
    );
  const marker = await ensureMarker(db);
  await db.updateTable('bucket').set({ movingTo: to }).where('id', '=', 1).execute();
  if (found === null) await askBucket(config, () => files.writeMarker(marker));
}

/** Ends a move: the archive uses the new place from now on. */
export async function endMove({ db, files }: Pick<Part, 'db' | 'files'>, to: 'bucket' | 'folders'): Promise<void> {
  if (to === 'bucket') return void (await db.updateTable('bucket').set({ movingTo: null }).where('id', '=', 1).execute());
  await db.deleteFrom('bucket').execute();
  await files.removeMarker();
}

/** Returns why the bucket cannot be used now, or null. */
export async function bucketProblem({ config, db, files }: Part): Promise<Message | null> {
  const { bucket } = config.s3!;
  try {
    const found = await files.readMarker();
    if (found !== null && found === (await rowOf(db))?.marker) return null;
    return message(found === null ? 'bucket.unmarked' : 'bucket.of-other-archive', { bucket });
  } catch (error) {
    if (error instanceof StorageError) return error.messages[0]!;
    throw error;
  }
}
