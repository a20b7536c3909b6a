import type { Archive } from '../archive.ts';
import { gigabyte, roomIn } from '../download/room-left.ts';
import { whyNotBelieved } from '../library/media-marker.ts';
import { goForGood, type Gone } from './go-for-good.ts';

/** How many videos rest in the bin, and how large they are together. */
export const binTotals = ({ db }: Pick<Archive, 'db'>) =>
  db
    .selectFrom('bin')
    .select((e) => [e.fn.countAll<number>().as('count'), e.fn.coalesce(e.fn.sum<number>('sizeBytes'), e.lit(0)).as('sizeBytes')])
    .executeTakeFirstOrThrow();

/**
 * The oldest of the bin that would have to go so that downloads find room; none where all of it would not do, or where there
 * is room. `wasFull`: the disk was full a moment ago, however little is set aside.
 */
export async function whatWouldGo(archive: Archive, { wasFull = false } = {}): Promise<number[]> {
  if (await whyNotBelieved(archive)) return [];
  const { free, reserve } = await roomIn(archive, archive.config.mediaFolder);
  let missing = Math.max(reserve, wasFull ? gigabyte : 0) - free;
  if (missing <= 0 || (await binTotals(archive)).sizeBytes < missing) return [];
  const oldest = await archive.db
    .selectFrom('bin')
    .select(['number', 'sizeBytes'])
    .orderBy('deletedAt')
    .orderBy('number')
    .execute();
  const going: number[] = [];
  for (const { number, sizeBytes } of oldest) {
    if (missing <= 0) break;
    going.push(number);
    missing -= sizeBytes;
  }
  return going;
}

/** Lets the oldest of the bin go for good where downloads find no room, and no more than that takes. Answers what went. */
export async function makeRoom(archive: Archive, { wasFull = false } = {}): Promise<Gone[]> {
  const gone = await goForGood(archive, await whatWouldGo(archive, { wasFull }));
  for (const { videoId, title } of gone) archive.log.warn({ id: videoId, title }, 'went from the bin for good to make room');
  return gone;
}
