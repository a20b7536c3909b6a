import { downloadCalls, FailureKind } from '#contract/download.ts';
import type { Archive } from '../archive.ts';
import { paginate, pageRequest, totalWith } from '../http/paging.ts';
import { Problem, refused } from '../http/problem.ts';
import { routes } from '../http/route.ts';
import { saidBy } from '../http/said.ts';
import { addToQueue } from './add-to-queue.ts';
import { classify } from './classify.ts';
import { downloadPending } from './download-pending.ts';
import { forgetLeftovers } from './incoming.ts';
import { addressesOf } from './known-item.ts';
import { outlook } from './outlook.ts';
import { shapeItem } from './shape.ts';
import { liftPause, pausedSites } from './site-pause.ts';
import { abandon } from './running.ts';
import * as store from './queue-store.ts';
import { shownThumbnail } from './thumbnail.ts';

const noSuchItem = () => new Problem(404, 'Download item not found');
const begin = ({ tasks }: Archive) => tasks.start(downloadPending, { autoOnly: true });
const shape = async (archive: Archive, row: store.ItemRow) => shapeItem(row, await shownThumbnail(archive, row.id));

/** A list may be searched for nothing, and then is whole; what changes or forgets items must not take that for all of them. */
function mustHaveWords(q: string) {
  if (!store.looksForSomething(q)) throw refused('There is nothing to look for in that search, so nothing was changed.');
}

export const downloadRoutes = routes(downloadCalls, {
  'GET /api/download/': async ({ query, user, url }, archive) => {
    const page = pageRequest(query.page, user.pageSize);
    // Words are looked for in every title that waits: rare ones leave room on the page, and are looked for once.
    const rows = await store.listItems(archive.db, query, page);
    const total = rows[0]?.ofAll ?? (await totalWith(rows, page, () => store.countItems(archive.db, query)));
    return {
      data: await Promise.all(rows.map((row) => shape(archive, row))),
      paginate: paginate(total, query.page, user.pageSize, url),
    };
  },

  'POST /api/download/': async ({ query, body }, { tasks }) => {
    const items = body.data.map(({ youtube_id, status }) => ({ text: youtube_id, isIgnored: status === 'ignore-force' }));
    const { id } = await tasks.start(addToQueue, { items, ...query });
    return { message: 'add to queue task started', task_id: id };
  },

  'PATCH /api/download/': async ({ query, body }, archive) => {
    // "priority" names no status that is stored, so as a filter it matches nothing.
    if (query.q) mustHaveWords(query.q);
    const changed =
      query.filter === 'priority' ? [] : await store.changeItems(archive.db, { ...query, filter: query.filter }, body.status);
    if (body.status === 'ignore') await abandon(archive, changed);
    archive.announce('download');
    if (body.status === 'priority') await begin(archive);
  },

  'DELETE /api/download/': async ({ query }, archive) => {
    if (query.q) mustHaveWords(query.q);
    await forgetLeftovers(archive, await store.forgetItems(archive.db, query));
    archive.announce('download');
  },

  'GET /api/download/aggs/': async ({ query }, { db }) => {
    const rows = await store.channelsInQueue(db, query.filter);
    return {
      doc_count_error_upper_bound: 0,
      sum_other_doc_count: rows.slice(30).reduce((sum, row) => sum + row.count, 0),
      buckets: rows.slice(0, 30).map(({ channelName, channelId, count }) => ({
        key: [channelName, channelId],
        key_as_string: `${channelName}|${channelId}`,
        doc_count: count,
      })),
    };
  },

  'GET /api/download/outlook/': (_, archive) => outlook(archive),

  'GET /api/download/pauses/': async (_, { db, now }) =>
    (await pausedSites(db, now())).map(({ site, untilAt, failure, message, times }) => ({
      site,
      until: untilAt,
      failure: FailureKind.catch('unknown').parse(failure),
      message,
      message_said: saidBy(message),
      times,
    })),

  'DELETE /api/download/pauses/:site/': async ({ params }, archive) => {
    await liftPause(archive.db, params.site, archive.now());
    archive.announce('download');
    await begin(archive);
  },

  'GET /api/download/:id/': async ({ params }, archive) => {
    const [row] = await store.listItems(archive.db, { id: params.id }, { size: 1, from: 0 });
    if (!row) throw noSuchItem();
    return shape(archive, row);
  },

  'POST /api/download/:id/': async ({ params, body }, archive) => {
    if (body.status === 'ignore-force') {
      const known = await store.changeItem(archive.db, params.id, 'ignore');
      if (!known && classify(params.id)?.what !== 'video' && !(await addressesOf(archive.db, [params.id])).has(params.id))
        throw noSuchItem();
      if (known) await abandon(archive, [known]);
      else
        await archive.tasks.start(addToQueue, {
          items: [{ text: params.id, isIgnored: true }],
          autostart: false,
          flat: false,
          force: false,
        });
    } else {
      const item = await store.changeItem(archive.db, params.id, body.status);
      if (!item) throw noSuchItem();
      if (body.status === 'ignore') await abandon(archive, [item]);
      // Who asks for this very one wants it now, whatever its site said before.
      if (body.status === 'priority') await liftPause(archive.db, item.site, archive.now());
    }
    archive.announce('download');
    if (body.status === 'priority') await begin(archive);
    return { status: body.status };
  },

  'DELETE /api/download/:id/': async ({ params }, archive) => {
    const gone = await store.forgetItem(archive.db, params.id);
    if (gone) await forgetLeftovers(archive, [gone]);
    archive.announce('download');
  },
});
