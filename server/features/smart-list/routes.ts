import { smartListCalls, type SmartList } from '#contract/smart-list.ts';
import { VideoFilter } from '#contract/video.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { hasScope } from '../../platform/http/auth/authenticate.ts';
import { badRequest, forbidden, notFound } from '../../platform/http/http-error.ts';
import { pageRequest, paginate } from '../../platform/http/paging.ts';
import { routes, type User } from '../../platform/http/route.ts';
import { refuseFilter } from '../video/list/refuse-filter.ts';
import { countNew } from '../video/list/count-new.ts';
import {
  countLists,
  createList,
  deleteList,
  findList,
  findLists,
  recordVisit,
  updateList,
  type ListRow,
  type ListViewer,
} from './store.ts';

const pageSize = 100;

const viewerOf = (user: User): ListViewer => ({ id: user.id, hasNotes: hasScope(user, 'notes') });

async function shape({ db }: AppContext, user: User, row: ListRow): Promise<SmartList> {
  const visited = row.visitedAt ?? row.createdAt;
  const filter = JSON.parse(row.filter) as Record<string, string>;
  // A filter stored by another version may have unknown fields; only the known fields are applied.
  const known = VideoFilter.safeParse(filter);
  // A shared list of staff: other users cannot open it.
  const isReadable = known.success && (user.isStaff || known.data.cleanup === undefined);
  return {
    id: row.number,
    name: row.name,
    filter,
    is_shared: row.isShared === 1,
    is_own: row.accountId === user.id,
    owner: row.owner,
    visited,
    new_videos: isReadable ? await countNew(db, user.id, known.data, visited) : 0,
  };
}

async function oneOf(app: AppContext, user: User, number: number): Promise<SmartList> {
  const row = await findList(app.db, viewerOf(user), number);
  if (!row) throw notFound('error.smart-list');
  return shape(app, user, row);
}

/** Others would see the tag, but no videos. */
function refuseSharedTag(filter: Record<string, string>, isShared: boolean): void {
  if (isShared && filter['own_tag'] !== undefined) throw badRequest('error.shared-own-tag');
}

function serializeFilter(user: User, filter: Record<string, string>): string {
  refuseFilter(user, VideoFilter.parse(filter));
  return JSON.stringify(filter);
}

export const listRoutes = routes(smartListCalls, {
  'GET /api/list/': async ({ query, user, url }, app) => {
    const rows = await findLists(app.db, viewerOf(user), pageRequest(query.page, pageSize));
    const data = [];
    for (const row of rows) data.push(await shape(app, user, row));
    return { data, paginate: paginate(await countLists(app.db, viewerOf(user)), query.page, pageSize, url) };
  },

  'POST /api/list/': async ({ body, user }, app) => {
    const filter = serializeFilter(user, body.filter);
    refuseSharedTag(body.filter, body.is_shared);
    const number = await createList(app, { accountId: user.id, name: body.name, filter, isShared: body.is_shared ? 1 : 0 });
    app.announce('list');
    return oneOf(app, user, number);
  },

  'GET /api/list/:id/': ({ params, user }, app) => oneOf(app, user, params.id),

  'POST /api/list/:id/': async ({ params, body, user }, app) => {
    const change = {
      ...(body.name !== undefined && { name: body.name }),
      ...(body.filter && { filter: serializeFilter(user, body.filter) }),
      ...(body.is_shared !== undefined && { isShared: body.is_shared ? (1 as const) : (0 as const) }),
    };
    const list = await oneOf(app, user, params.id);
    if (!list.is_own) throw forbidden('error.list-owner');
    refuseSharedTag(body.filter ?? list.filter, body.is_shared ?? list.is_shared);
    await updateList(app.db, user.id, params.id, change);
    app.announce('list');
    return oneOf(app, user, params.id);
  },

  'DELETE /api/list/:id/': async ({ params, user }, { db, announce }) => {
    if (!(await deleteList(db, user.id, params.id))) throw notFound('error.smart-list');
    announce('list');
  },

  'POST /api/list/:id/visit/': async ({ params, user }, { db, now, events }) => {
    if (!(await findList(db, viewerOf(user), params.id))) throw notFound('error.smart-list');
    await recordVisit(db, user.id, params.id, now());
    events.announceTo(user.id, 'list');
  },
});
