import type { Archive } from '../archive.ts';
import { inTransaction, type Db, type Tx } from '../db/db.ts';
import { forgetLeftovers } from '../download/incoming.ts';
import { notFound, Problem, refused } from '../http/problem.ts';
import { whyNotBelieved } from '../library/media-marker.ts';
import { missingFile } from '../library/missing-file.ts';
import { whereIs } from '../library/removal.ts';
import { exists } from '../media/shelf.ts';
import { customWith, lookLikeTheirFirst } from '../playlist/artwork.ts';
import { givesWay, restingPath, settleFiles } from './files.ts';
import { mediaPathOf, putRowsBack } from './rows.ts';

const filesOf = (archive: Archive, folder: string) =>
  archive.db.selectFrom('binFile').selectAll().where('folder', '=', folder).execute();

/** Refuses where a file has come to stand at a name since: nothing is ever overwritten. Answers what is not there any more. */
async function lookAtFiles(archive: Archive, folder: string): Promise<Set<string>> {
  const missing = new Set<string>();
  for (const file of await filesOf(archive, folder)) {
    const [rests, stands] = [await exists(whereIs(archive, restingPath(file))), await exists(whereIs(archive, file.path))];
    if (rests && stands && file.state === 'in' && !givesWay(file.path))
      throw refused(`Another file stands at ${file.path} now. Nothing is overwritten: move that one away, then put this back.`);
    if (!rests && !stands) missing.add(file.path);
  }
  return missing;
}

/** Refuses where the video is here already. */
async function lookForItself(db: Db | Tx, id: string) {
  if (await db.selectFrom('video').select('id').where('id', '=', id).executeTakeFirst())
    throw refused('It was downloaded again meanwhile, and that one is not overwritten. Delete it first if you want this one.');
}

/** Refuses where the video is here already, or on its way; answers the queue items that are not needed any more. */
async function takeFromQueue(tx: Tx, id: string, { madeIgnored, now }: { madeIgnored: boolean; now: number }) {
  await lookForItself(tx, id);
  const item = await tx.selectFrom('download').select(['status', 'leaseUntil']).where('id', '=', id).executeTakeFirst();
  if (!item || (item.status === 'ignore' && !madeIgnored)) return [];
  if ((item.leaseUntil ?? 0) >= now)
    throw refused('It is being downloaded again just now. Take it from the queue first if you want this one.');
  return tx.deleteFrom('download').where('id', '=', id).returning('number').execute();
}

/**
 * Puts a video back with everything that it had: its rows in one transaction, with the list of its files on their way back,
 * which then are moved, now or at the next start. What a rule took is marked to be kept. Refuses with a sentence for people; the bin is then as it was.
 */
export async function putBack(archive: Archive, number: number): Promise<void> {
  const { db, now, announce } = archive;
  await archive.recovered;
  const away = await whyNotBelieved(archive);
  if (away) throw new Problem(409, away);
  const known = await db.selectFrom('bin').select(['folder', 'videoId']).where('number', '=', number).executeTakeFirst();
  if (!known) throw notFound('video in the bin');
  const { folder } = known;
  await lookForItself(db, known.videoId); // before its files, which are that one's
  const missing = await lookAtFiles(archive, folder);
  const { videoId, items } = await inTransaction(db, async (tx) => {
    const entry = await tx.selectFrom('bin').selectAll().where('number', '=', number).executeTakeFirst();
    if (!entry) throw notFound('video in the bin');
    const path = await mediaPathOf(tx, number);
    if (
      await tx.selectFrom('video').select('id').where('mediaPath', '=', path).where('id', '!=', entry.videoId).executeTakeFirst()
    )
      throw refused(`Another video has its file at ${path} now.`);
    const items = await takeFromQueue(tx, entry.videoId, { madeIgnored: entry.madeIgnored === 1, now: now() });
    await putRowsBack(tx, number, {
      ...(missing.has(path) && { damage: missingFile }),
      ...(entry.why !== null && { isKept: 1 }), // else the rule that took it would take it again the next night
    });
    await tx.updateTable('binFile').set({ state: 'returning' }).where('folder', '=', folder).execute();
    await tx.deleteFrom('bin').where('number', '=', number).execute();
    return { videoId: entry.videoId, items };
  });
  await forgetLeftovers(archive, items);
  await settleFiles(archive, folder);
  await lookLikeTheirFirst(archive, await customWith(db, videoId));
  archive.log.info({ id: videoId }, 'put back from the bin');
  announce('video', 'channel', 'playlist', 'download', 'bin');
}
