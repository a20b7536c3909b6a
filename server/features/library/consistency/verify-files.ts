import { message, messages, type Message } from '#contract/messages.ts';
import { join } from 'node:path';
import { z } from 'zod';
import type { AppContext } from '../../../platform/context/app-context.ts';
import { chunks, inTransaction, pagesById, type Db } from '../../../platform/db/db.ts';
import { fingerprint, fingerprintOf } from '../../../platform/files/files.ts';
import { MessageError } from '../../../platform/messages/message-error.ts';
import { storeMessages } from '../../../platform/messages/stored.ts';
import { StorageError } from '../../../platform/storage/file-store.ts';
import { defineTask } from '../../../platform/context/task.ts';
import { findInconsistencies } from './check.ts';
import { whyMediaUnavailable } from '../../../archive/storage/mount-check.ts';
import { deletePendingFiles, scheduleDeletion } from '../../../archive/storage/pending-deletions.ts';

const Input = z.object({
  /** Share of the library to read, least recently verified first. */
  percent: z.number().min(1).max(100).default(100),
});

const title = messages['task.verify'];
const pageSize = 100;

const columns = ['id', 'title', 'mediaPath', 'sizeBytes', 'sha256'] as const;

async function* everyVideo(db: Db) {
  const next = (after: string) =>
    db.selectFrom('video').select(columns).where('id', '>', after).orderBy('id').limit(pageSize).execute();
  for await (const page of pagesById(next)) yield* page;
}

/** Lists the least recently verified videos, starting with those never verified. */
async function* longestUnread(db: Db, count: number) {
  const ids = await db
    .selectFrom('video')
    .select('id')
    .orderBy('verifiedAt', (o) => o.asc().nullsFirst())
    .orderBy('id')
    .limit(count)
    .execute();
  for (const part of chunks(ids, pageSize))
    yield* await db
      .selectFrom('video')
      .select(columns)
      .where(
        'id',
        'in',
        part.map(({ id }) => id),
      )
      .execute();
}

/**
 * Returns size and checksum of a media file. From a bucket it is streamed, without a local copy.
 * @throws Error with the code ENOENT if the file does not exist, StorageError if the bucket does not answer
 */
async function readWhole({ config, files }: AppContext, path: string, signal: AbortSignal) {
  if (!files.isRemote) return fingerprint(join(config.mediaFolder, path), signal);
  const stream = await files.read(path, undefined, signal);
  try {
    return await fingerprintOf(stream);
  } catch (error) {
    signal.throwIfAborted();
    throw new StorageError((error as Error).message, { cause: error });
  }
}

/**
 * Reads a media file again and returns the damage, or null. A file that was never read gets its first checksum.
 * @throws StorageError if the bucket does not answer
 */
async function damageOf(
  app: AppContext,
  { id, mediaPath, sizeBytes, sha256 }: { id: string; mediaPath: string; sizeBytes: number; sha256: string },
  signal: AbortSignal,
): Promise<Message | null> {
  const { db } = app;
  try {
    const found = await readWhole(app, mediaPath, signal);
    if (sha256 === '') {
      await db.updateTable('video').set(found).where('id', '=', id).execute();
      return null;
    }
    if (found.sizeBytes !== sizeBytes) return message('files.size', { bytes: found.sizeBytes, before: sizeBytes });
    return found.sha256 === sha256 ? null : message('files.changed');
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof StorageError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? message('files.missing') : message('files.unreadable', { why: code ?? (error as Error).message });
  }
}

/** Reads the small copy of a video again, and gives it up if it is damaged: it can be fetched again. Returns whether it was. */
async function dropDamagedCopy(app: AppContext, videoId: string, signal: AbortSignal): Promise<boolean> {
  const { db } = app;
  const copy = await db.selectFrom('smallCopy').selectAll().where('videoId', '=', videoId).executeTakeFirst();
  if (!copy || !(await damageOf(app, { id: videoId, mediaPath: copy.path, ...copy }, signal))) return false;
  await inTransaction(db, async (tx) => {
    await tx.deleteFrom('smallCopy').where('videoId', '=', videoId).where('sha256', '=', copy.sha256).execute();
    await scheduleDeletion(tx, [copy.path]);
  });
  await deletePendingFiles(app, [copy.path]);
  return true;
}

/** Reads the chat of a video again. Returns whether it is damaged. */
async function hasDamagedChat(app: AppContext, videoId: string, signal: AbortSignal): Promise<boolean> {
  const chat = await app.db
    .selectFrom('chat')
    .select(['path', 'sizeBytes', 'sha256'])
    .where('videoId', '=', videoId)
    .executeTakeFirst();
  return chat?.path != null && (await damageOf(app, { ...chat, id: videoId, mediaPath: chat.path }, signal)) !== null;
}

/** Reads media files completely, compares them with their checksums, and runs the consistency check. */
export const verifyFiles = defineTask<z.infer<typeof Input>>({
  name: 'verify',
  title,
  group: 'setting:verify',
  isStartable: true,
  isStoppable: true,
  schedule: { auto: '0 4 *', config: { percent: { initial: 1, min: 1, max: 100 } } },
  input: Input,

  async run({ input, signal, report, skip }, app) {
    const { db, now } = app;
    const notBelieved = await whyMediaUnavailable(app);
    if (notBelieved) throw new MessageError(notBelieved);
    const { total } = await db
      .selectFrom('video')
      .select((e) => e.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    const wanted = Math.ceil((total * input.percent) / 100);
    let [read, damaged] = [0, 0];
    for await (const video of input.percent === 100 ? everyVideo(db) : longestUnread(db, wanted)) {
      report({
        messages: [message('files.verifying', { title: video.title, place: read + 1, count: wanted })],
        progress: read / Math.max(1, wanted),
      });
      let damage: Message | null;
      try {
        damage = await damageOf(app, video, signal);
        if (await dropDamagedCopy(app, video.id, signal)) skip(video.title, message('files.copy-damaged'), { videoId: video.id });
        if (await hasDamagedChat(app, video.id, signal)) skip(video.title, message('files.chat-damaged'), { videoId: video.id });
      } catch (error) {
        if (!(error instanceof StorageError)) throw error;
        // Another object may be readable, but not if the whole bucket does not answer.
        const why = await whyMediaUnavailable(app);
        if (why) throw new MessageError(message('files.verify-stopped', { read, why }));
        skip(video.title, error);
        continue;
      }
      if (damage) {
        damaged++;
        skip(video.title, damage);
      }
      await db
        .updateTable('video')
        .set({ verifiedAt: now(), damage: damage && storeMessages(damage) })
        .where('id', '=', video.id)
        .execute();
      read++;
    }
    report({ messages: [message('files.consistency')], progress: 1 });
    let broken = 0;
    for await (const problem of findInconsistencies(app)) {
      signal.throwIfAborted();
      broken++;
      skip(title, problem);
    }
    app.announce('video');
    return message('files.verified', { read, total, damaged, broken });
  },
});
