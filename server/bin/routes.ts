import { binCalls, type BinAnswer } from '#contract/bin.ts';
import type { Archive } from '../archive.ts';
import { sendFile } from '../http/files.ts';
import { notFound, Problem } from '../http/problem.ts';
import { pageRequest, paginate } from '../http/paging.ts';
import { routes } from '../http/route.ts';
import { inCache, whereIs } from '../library/removal.ts';
import { currentSettings } from '../settings/read.ts';
import { confirmDeletion } from '../user/confirm.ts';
import { thumbnailPath } from '../video/thumbnail-path.ts';
import { restingPath } from './files.ts';
import { goForGood } from './go-for-good.ts';
import { binTotals } from './make-room.ts';
import { putBack } from './put-back.ts';
import { goesAt } from './rest.ts';
import { findEntries, findNumber, findPicture, allNumbers, sumOfNumbers } from './store.ts';

async function numbersOf({ db }: Archive, ids: (number | string)[]): Promise<number[]> {
  const numbers: number[] = [];
  for (const id of ids) numbers.push(...[(await findNumber(db, id)) ?? []].flat());
  return numbers;
}

async function changeOne(archive: Archive, action: 'restore' | 'delete', id: number | string): Promise<void> {
  const number = await findNumber(archive.db, id);
  if (number === undefined) throw notFound('video in the bin');
  if (action === 'restore') await putBack(archive, number);
  else await goForGood(archive, [number]);
}

export const binRoutes = routes(binCalls, {
  'GET /api/bin/': async ({ query, user, url }, archive) => {
    const { days } = (await currentSettings(archive)).bin;
    const { count, sizeBytes } = await binTotals(archive);
    const rows = await findEntries(archive.db, pageRequest(query.page, user.pageSize));
    return {
      data: rows.map((row) => ({
        id: row.number,
        youtube_id: row.videoId,
        title: row.title,
        channel_id: row.channelId,
        channel_name: row.channelName,
        media_size: row.sizeBytes,
        thumb_url: `/api/bin/${row.number}/picture/`,
        deleted: row.deletedAt,
        deleted_by: row.deletedBy,
        reason: row.why,
        goes: goesAt(row, days),
      })),
      paginate: paginate(count, query.page, user.pageSize, url),
      total_size: sizeBytes,
      days,
    };
  },

  // One that is refused holds up none of the others.
  'POST /api/bin/': async ({ body, user, request }, archive) => {
    if (body.action === 'delete')
      await confirmDeletion(archive, { user, request }, await sumOfNumbers(archive.db, await numbersOf(archive, body.ids)));
    const answer: BinAnswer = { done: 0, refused: [] };
    for (const id of body.ids)
      try {
        await changeOne(archive, body.action, id);
        answer.done++;
      } catch (problem) {
        if (!(problem instanceof Problem)) throw problem;
        answer.refused.push({ id, error: problem.message });
      }
    return answer;
  },

  // What is deleted while this goes on stays.
  'DELETE /api/bin/': async ({ user, request }, archive) => {
    const numbers = await allNumbers(archive.db);
    await confirmDeletion(archive, { user, request }, await sumOfNumbers(archive.db, numbers));
    const gone = await goForGood(archive, numbers);
    return { deleted: gone.length, media_size: gone.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) };
  },

  'GET /api/bin/:id/picture/': async ({ params, request, reply }, archive) => {
    const entry = await archive.db
      .selectFrom('bin')
      .select(['videoId', 'folder'])
      .where('number', '=', params.id)
      .executeTakeFirst();
    if (!entry) throw notFound('picture');
    const file = await findPicture(archive.db, { folder: entry.folder, path: inCache(thumbnailPath(entry.videoId)) });
    if (!file) throw notFound('picture');
    await sendFile(request, reply, whereIs(archive, file.state === 'leaving' ? file.path : restingPath(file)));
  },
});
