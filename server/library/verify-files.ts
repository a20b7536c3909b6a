import { join } from 'node:path';
import { z } from 'zod';
import type { Archive } from '../archive.ts';
import { chunks, pagesById, type Db } from '../db/db.ts';
import { fingerprint } from '../media/shelf.ts';
import { defineTask } from '../task/task.ts';
import { brokenPromises } from './invariants.ts';
import { whyNotBelieved } from './media-marker.ts';
import { missingFile } from './missing-file.ts';

const Input = z.object({
  /** So much of the library is read, what was not read for longest first. */
  percent: z.number().min(1).max(100).default(100),
});

const pageSize = 100;

const columns = ['id', 'title', 'mediaPath', 'sizeBytes', 'sha256'] as const;

async function* everyVideo(db: Db) {
  const next = (after: string) =>
    db.selectFrom('video').select(columns).where('id', '>', after).orderBy('id').limit(pageSize).execute();
  for await (const page of pagesById(next)) yield* page;
}

/** So many of those that were not read for longest; what was never read first. */
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

/** Reads a media file again and says what is wrong with it, or null. One that nobody has read yet is as it is now. */
async function damageOf(
  { config, db }: Archive,
  { id, mediaPath, sizeBytes, sha256 }: { id: string; mediaPath: string; sizeBytes: number; sha256: string },
  signal: AbortSignal,
): Promise<string | null> {
  try {
    const found = await fingerprint(join(config.mediaFolder, mediaPath), signal);
    if (sha256 === '') {
      await db.updateTable('video').set(found).where('id', '=', id).execute();
      return null;
    }
    if (found.sizeBytes !== sizeBytes) return `The file has ${found.sizeBytes} bytes, not ${sizeBytes} as when it came.`;
    return found.sha256 === sha256 ? null : 'The file is not what it was when it came: its bytes have changed.';
  } catch (error) {
    signal.throwIfAborted();
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? missingFile : `The file cannot be read (${code ?? (error as Error).message}).`;
  }
}

/** Reads media files again from the first byte to the last, compares them with their sums, and looks at every other promise. */
export const verifyFiles = defineTask<z.infer<typeof Input>>({
  name: 'verify',
  title: 'Verify your files',
  group: 'setting:verify',
  isStartable: true,
  isStoppable: true,
  schedule: { auto: '0 4 *', config: { percent: { initial: 1, min: 1, max: 100 } } },
  input: Input,

  async run({ input, signal, report, skip }, archive) {
    const { db, now } = archive;
    const notBelieved = await whyNotBelieved(archive);
    if (notBelieved) throw new Error(notBelieved);
    const { total } = await db
      .selectFrom('video')
      .select((e) => e.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    const wanted = Math.ceil((total * input.percent) / 100);
    let [read, damaged] = [0, 0];
    for await (const video of input.percent === 100 ? everyVideo(db) : longestUnread(db, wanted)) {
      report({ messages: [`Reading ${video.title} (${read + 1}/${wanted})`], progress: read / Math.max(1, wanted) });
      const damage = await damageOf(archive, video, signal);
      if (damage) {
        damaged++;
        skip(video.title, damage);
      }
      await db.updateTable('video').set({ verifiedAt: now(), damage }).where('id', '=', video.id).execute();
      read++;
    }
    report({ messages: ['Looking at everything else.'], progress: 1 });
    let broken = 0;
    for await (const sentence of brokenPromises(archive)) {
      signal.throwIfAborted();
      broken++;
      skip('Promise', sentence);
    }
    archive.announce('video');
    return `Read ${read} of ${total} files: ${damaged} damaged or missing, ${broken} other complaint(s).`;
  },
});
