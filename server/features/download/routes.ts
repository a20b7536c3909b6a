import { message } from '#contract/messages.ts';
import { downloadCalls, FailureKind } from '#contract/download.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { paginate, pageRequest, totalWith } from '../../platform/http/paging.ts';
import { HttpError, badRequest } from '../../platform/http/http-error.ts';
import { routes } from '../../platform/http/route.ts';
import { renderMessages } from '../../platform/messages/render.ts';
import { parseMessages } from '../../platform/messages/stored.ts';
import { addToQueue } from './add-to-queue.ts';
import { parseInput } from '../../archive/sites/parse-input.ts';
import { downloadPending } from './download-pending.ts';
import { deleteWorkDirs } from '../../archive/publish/work-dir.ts';
import { urlsOf } from '../../archive/sites/resolve-known-urls.ts';
import { estimateQueue } from './queue-eta.ts';
import { serializeItem } from '../../archive/queue/shape.ts';
import { endCooldown, listCooldowns } from '../../archive/sites/site-cooldowns.ts';
import { abortDownloads } from '../../archive/queue/active-downloads.ts';
import * as store from '../../archive/queue/items.ts';
import { visibleThumbnail } from '../../archive/publish/thumbnail.ts';

const noSuchItem = () => new HttpError(404, message('error.item'));
const begin = ({ tasks }: AppContext) => tasks.start(downloadPending, { autoOnly: true });
const shape = async (app: AppContext, row: store.ItemRow) => serializeItem(row, await visibleThumbnail(app, row.id));

const maxChannels = 30;

/** A search without terms matches the whole queue. Bulk updates and deletions must not apply to all items because of that. */
function mustHaveWords(q: string) {
  if (!store.hasSearchFilter(q)) throw badRequest('error.no-search-terms');
}

export const downloadRoutes = routes(downloadCalls, {
  'GET /api/download/': async ({ query, user, url }, app) => {
    const page = pageRequest(query.page, user.pageSize);
    // The page query also returns the total where possible, so that a rare term is searched only once.
    const rows = await store.listItems(app.db, query, page);
    const total = rows[0]?.totalHits ?? (await totalWith(rows, page, () => store.countItems(app.db, query)));
    return {
      data: await Promise.all(rows.map((row) => shape(app, row))),
      paginate: paginate(total, query.page, user.pageSize, url),
    };
  },

  'POST /api/download/': async ({ query, body }, { tasks }) => {
    const items = body.data.map(({ youtube_id, status }) => ({ text: youtube_id, isIgnored: status === 'ignore-force' }));
    const { id } = await tasks.start(addToQueue, { items, ...query });
    return { message: 'add to queue task started', task_id: id };
  },

  'PATCH /api/download/': async ({ query, body }, app) => {
    // "priority" is not a stored status, so as a filter it matches nothing.
    if (query.q) mustHaveWords(query.q);
    const changed =
      query.filter === 'priority' ? [] : await store.changeItems(app.db, { ...query, filter: query.filter }, body.status);
    if (body.status === 'ignore') await abortDownloads(app, changed);
    app.announce('download');
    if (body.status === 'priority') await begin(app);
  },

  'DELETE /api/download/': async ({ query }, app) => {
    if (query.q) mustHaveWords(query.q);
    await deleteWorkDirs(app, await store.deleteItems(app.db, query));
    app.announce('download');
  },

  'GET /api/download/aggs/': async ({ query }, { db }) => {
    const rows = await store.channelsInQueue(db, query.filter, maxChannels);
    return {
      doc_count_error_upper_bound: 0,
      sum_other_doc_count: rows.reduce((rest, { count }) => rest - count, rows[0]?.ofAll ?? 0),
      buckets: rows.map(({ channelName, channelId, count }) => ({
        key: [channelName.toLowerCase(), channelId],
        key_as_string: `${channelName.toLowerCase()}|${channelId}`,
        doc_count: count,
        channel_name: channelName,
      })),
    };
  },

  'GET /api/download/outlook/': (_, app) => estimateQueue(app),

  'GET /api/download/cooldowns/': async (_, { db, now }) =>
    (await listCooldowns(db, now())).map(({ site, egress, untilAt, failure, message: column, refusals }) => ({
      site,
      egress,
      until: untilAt,
      failure: FailureKind.catch('unknown').parse(failure),
      message: renderMessages(parseMessages(column)),
      failure_messages: parseMessages(column),
      times: refusals,
    })),

  'DELETE /api/download/cooldowns/:site/': async ({ params }, app) => {
    await endCooldown(app.db, params.site, app.now());
    app.announce('download');
    await begin(app);
  },

  'GET /api/download/:id/': async ({ params }, app) => {
    const [row] = await store.listItems(app.db, { id: params.id }, { size: 1, from: 0 });
    if (!row) throw noSuchItem();
    return shape(app, row);
  },

  'POST /api/download/:id/': async ({ params, body }, app) => {
    if (body.status === 'ignore-force') {
      const known = await store.changeItem(app.db, params.id, 'ignore');
      if (!known && parseInput(params.id)?.what !== 'video' && !(await urlsOf(app.db, [params.id])).has(params.id))
        throw noSuchItem();
      if (known) await abortDownloads(app, [known]);
      else
        await app.tasks.start(addToQueue, {
          items: [{ text: params.id, isIgnored: true }],
          autostart: false,
          flat: false,
          force: false,
        });
    } else {
      const item = await store.changeItem(app.db, params.id, body.status);
      if (!item) throw noSuchItem();
      if (body.status === 'ignore') await abortDownloads(app, [item]);
      // A manual request for an item ends the cooldown of its site.
      if (body.status === 'priority') await endCooldown(app.db, item.site, app.now());
    }
    app.announce('download');
    if (body.status === 'priority') await begin(app);
    return { status: body.status };
  },

  'DELETE /api/download/:id/': async ({ params }, app) => {
    const gone = await store.deleteItem(app.db, params.id);
    if (gone) await deleteWorkDirs(app, [gone]);
    app.announce('download');
  },
});
