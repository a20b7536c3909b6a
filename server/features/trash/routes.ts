import { parseMessages } from '../../platform/messages/stored.ts';
import { renderMessages } from '../../platform/messages/render.ts';
import { trashCalls, type TrashResult } from '#contract/trash.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { sendStoredFile } from '../../platform/http/files/files.ts';
import { notFound, HttpError } from '../../platform/http/http-error.ts';
import { pageRequest, paginate } from '../../platform/http/paging.ts';
import { routes } from '../../platform/http/route.ts';
import { readSettings } from '../../archive/settings/store.ts';
import { confirmDeletion } from '../user/confirm-deletion.ts';
import { thumbnailUrl } from '../../archive/storage/thumbnail-path.ts';
import { pathInTrash } from '../../archive/storage/trash-files.ts';
import { purge } from './purge.ts';
import { trashTotals } from '../../archive/storage/trash-totals.ts';
import { restoreFromTrash } from './restore.ts';
import { purgeDateOf } from './retention-clock.ts';
import { findEntries, findNumber, findTrashedThumbnail, allNumbers, sumOfNumbers } from './store.ts';

async function numbersOf({ db }: AppContext, ids: (number | string)[]): Promise<number[]> {
  const numbers: number[] = [];
  for (const id of ids) numbers.push(...[(await findNumber(db, id)) ?? []].flat());
  return numbers;
}

async function changeOne(app: AppContext, action: 'restore' | 'delete', id: number | string): Promise<void> {
  const number = await findNumber(app.db, id);
  if (number === undefined) throw notFound('trash.not-found');
  if (action === 'restore') await restoreFromTrash(app, number);
  else await purge(app, [number]);
}

export const trashRoutes = routes(trashCalls, {
  'GET /api/trash/': async ({ query, user, url }, app) => {
    const { days } = (await readSettings(app.db)).trash;
    const { count, sizeBytes } = await trashTotals(app);
    const rows = await findEntries(app.db, pageRequest(query.page, user.pageSize));
    return {
      data: rows.map((row) => {
        const reason = parseMessages(row.reason);
        return {
          id: row.number,
          youtube_id: row.videoId,
          title: row.title,
          channel_id: row.channelId,
          channel_name: row.channelName,
          media_size: row.sizeBytes,
          is_replaced_file: row.isReplacedFile === 1,
          thumb_url: row.isReplacedFile === 1 ? thumbnailUrl(row.videoId) : `/api/trash/${row.number}/thumbnail/`,
          deleted: row.deletedAt,
          deleted_by: row.deletedBy,
          reason: reason && renderMessages(reason),
          reason_messages: reason,
          purge_at: purgeDateOf(row, days),
        };
      }),
      paginate: paginate(count, query.page, user.pageSize, url),
      total_size: sizeBytes,
      days,
    };
  },

  // A rejected entry does not stop the others.
  'POST /api/trash/': async ({ body, user, request }, app) => {
    if (body.action === 'delete')
      await confirmDeletion(app, { user, request }, await sumOfNumbers(app.db, await numbersOf(app, body.ids)));
    const answer: TrashResult = { done: 0, refused: [] };
    for (const id of body.ids)
      try {
        await changeOne(app, body.action, id);
        answer.done++;
      } catch (problem) {
        if (!(problem instanceof HttpError)) throw problem;
        answer.refused.push({ id, error: problem.message, messages: problem.messages });
      }
    return answer;
  },

  // Entries that are added during this request are kept.
  'DELETE /api/trash/': async ({ user, request }, app) => {
    const numbers = await allNumbers(app.db);
    await confirmDeletion(app, { user, request }, await sumOfNumbers(app.db, numbers));
    const gone = await purge(app, numbers);
    return { deleted: gone.length, media_size: gone.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) };
  },

  'GET /api/trash/:id/thumbnail/': async ({ params, request, reply }, app) => {
    const file = await findTrashedThumbnail(app.db, params.id);
    if (!file) throw notFound('error.no-picture');
    await sendStoredFile(app, { request, reply }, file.state === 'leaving' ? file.path : pathInTrash(app.files, file));
  },
});
