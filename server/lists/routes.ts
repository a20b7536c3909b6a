import { listCalls, type SmartList } from '#contract/list.ts';
import { VideoFilter } from '#contract/video.ts';
import type { Updateable } from 'kysely';
import type { Archive } from '../archive.ts';
import type { SmartListTable } from '../db/tables.ts';
import { foldText } from '../fold-text.ts';
import { forbidden, notFound, refused } from '../http/problem.ts';
import { pageRequest, paginate } from '../http/paging.ts';
import { routes, type User } from '../http/route.ts';
import { countNew } from '../video/count-new.ts';
import { countLists, countOwn, findList, findLists, noteVisit, type ListRow } from './store.ts';

const mostLists = 200;
const pageSize = 100;

async function shape({ db }: Archive, user: User, row: ListRow): Promise<SmartList> {
  const visited = row.visitedAt ?? row.createdAt;
  const filter = JSON.parse(row.filter) as Record<string, string>;
  // What a version before this one kept may not be known here; it is shown as far as it is.
  const known = VideoFilter.safeParse(filter);
  return {
    id: row.number,
    name: row.name,
    filter,
    is_shared: row.isShared === 1,
    is_own: row.accountId === user.id,
    owner: row.owner,
    visited,
    new_videos: known.success ? await countNew(db, user.id, known.data, visited) : 0,
  };
}

async function oneOf(archive: Archive, user: User, number: number): Promise<SmartList> {
  const row = await findList(archive.db, user.id, number);
  if (!row) throw notFound('smart list');
  return shape(archive, user, row);
}

const kept = (filter: Record<string, string>) => JSON.stringify(filter);
const named = (name: string) => ({ name, sortName: foldText(name) });

export const listRoutes = routes(listCalls, {
  'GET /api/list/': async ({ query, user, url }, archive) => {
    const rows = await findLists(archive.db, user.id, pageRequest(query.page, pageSize));
    const data = [];
    for (const row of rows) data.push(await shape(archive, user, row));
    return { data, paginate: paginate(await countLists(archive.db, user.id), query.page, pageSize, url) };
  },

  'POST /api/list/': async ({ body, user }, archive) => {
    const { db, now, announce } = archive;
    if ((await countOwn(db, user.id)) >= mostLists)
      throw refused(`You have ${mostLists} smart lists; delete one that you do not look at any more.`);
    const { number } = await db
      .insertInto('smartList')
      .values({
        accountId: user.id,
        ...named(body.name),
        filter: kept(body.filter),
        isShared: body.is_shared ? 1 : 0,
        createdAt: now(),
      })
      .returning('number')
      .executeTakeFirstOrThrow();
    announce('list');
    return oneOf(archive, user, number);
  },

  'GET /api/list/:id/': ({ params, user }, archive) => oneOf(archive, user, params.id),

  'POST /api/list/:id/': async ({ params, body, user }, archive) => {
    const change: Updateable<SmartListTable> = {
      ...(body.name !== undefined && named(body.name)),
      ...(body.filter && { filter: kept(body.filter) }),
      ...(body.is_shared !== undefined && { isShared: body.is_shared ? 1 : 0 }),
    };
    if (!(await oneOf(archive, user, params.id)).is_own) throw forbidden('Only who made a smart list changes it.');
    if (Object.keys(change).length > 0)
      await archive.db
        .updateTable('smartList')
        .set(change)
        .where('number', '=', params.id)
        .where('accountId', '=', user.id)
        .execute();
    archive.announce('list');
    return oneOf(archive, user, params.id);
  },

  'DELETE /api/list/:id/': async ({ params, user }, { db, announce }) => {
    const { numDeletedRows } = await db
      .deleteFrom('smartList')
      .where('number', '=', params.id)
      .where('accountId', '=', user.id)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw notFound('smart list');
    announce('list');
  },

  'POST /api/list/:id/visit/': async ({ params, user }, { db, now, events }) => {
    if (!(await findList(db, user.id, params.id))) throw notFound('smart list');
    await noteVisit(db, user.id, params.id, now());
    events.announceTo(user.id, 'list');
  },
});
