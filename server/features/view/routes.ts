import { randomUUID } from 'node:crypto';
import { message, type Message } from '#contract/messages.ts';
import { viewCalls, type View, type ViewBody, type ViewContent } from '#contract/view.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import type { Db } from '../../platform/db/db.ts';
import { inTransaction } from '../../platform/db/db.ts';
import { badRequest, HttpError, notFound } from '../../platform/http/http-error.ts';
import { routes, type User } from '../../platform/http/route.ts';
import { renderMessages } from '../../platform/messages/render.ts';
import { parseMessages } from '../../platform/messages/stored.ts';
import { setWatchSharing } from '../user/account/store.ts';
import { isVisibleTo } from '../../platform/db/schema/playlist-access.ts';
import { findList } from '../smart-list/store.ts';
import { buildView, whyNoViews } from './build-view.ts';
import { schemeOf } from './content.ts';
import { presetTemplates, templateTextOf } from './presets.ts';
import { previewPaths } from './preview.ts';
import { overlaps, resolveRoot } from './root-folder.ts';
import { countPending, findView, listViews, updateView, type ViewRow } from './store.ts';

const maxViews = 50;

const textOf = (messages: Message[] | null) => messages && renderMessages(messages);

const refusedPreview = (why: Message) => ({ files: [], problem: renderMessages(why), problem_messages: [why] });

/** @throws 409 if there can be no views */
function refuseWithBucket(app: AppContext): void {
  const why = whyNoViews(app);
  if (why) throw new HttpError(409, why);
}

/** Running and queued work of each view. */
interface Work {
  pending: Map<number, number>;
  building: Set<number>;
}

const activeBuilds = async ({ tasks }: AppContext) =>
  new Set(((await tasks.activeInputs('build_view')) as { view: number }[]).map(({ view }) => view));

const readWork = async (app: AppContext): Promise<Work> => ({
  pending: await countPending(app.db),
  building: await activeBuilds(app),
});

/** Returns the name of the content of a view; null if it no longer exists, or was made private. */
async function contentName(db: Db, { contentType, contentId, chosenBy }: ViewRow): Promise<string | null> {
  if (contentType === 'all') return null;
  const row =
    contentType === 'smart-list'
      ? await db.selectFrom('smartList').select('name').where('number', '=', Number(contentId)).executeTakeFirst()
      : contentType === 'channel'
        ? await db.selectFrom('channel').select('name').where('id', '=', contentId!).executeTakeFirst()
        : await db
            .selectFrom('playlist')
            .select('name')
            .where('id', '=', contentId!)
            .where(isVisibleTo({ id: chosenBy ?? 0, isStaff: true }))
            .executeTakeFirst();
  return row?.name ?? null;
}

async function shape(app: AppContext, row: ViewRow, { pending, building }: Work): Promise<View> {
  const { template, preset } = row;
  return {
    id: row.number,
    name: row.name,
    root: row.root,
    preset,
    template,
    pattern: templateTextOf({ preset, template }),
    content: { type: row.contentType, id: row.contentId, name: await contentName(app.db, row) },
    link: row.link,
    link_used: row.linkUsed,
    link_reason: textOf(parseMessages(row.linkReason)),
    link_reason_messages: parseMessages(row.linkReason),
    nfo: row.hasNfo === 1,
    artwork: row.hasArtwork === 1,
    subtitles: row.subtitles,
    chapters: row.hasChapters === 1,
    person: row.personId,
    state: row.state !== 'deleting' && building.has(row.number) ? 'building' : row.state,
    problem: textOf(parseMessages(row.problem)),
    problem_messages: parseMessages(row.problem),
    built: row.builtAt,
    videos: row.videos,
    files: row.files,
    pending: pending.get(row.number) ?? 0,
  };
}

async function oneOf(app: AppContext, number: number): Promise<View> {
  const row = await findView(app.db, number);
  if (!row) throw notFound('view.none');
  return shape(app, row, await readWork(app));
}

/** @throws 400 if the content does not exist or the user may not see it */
async function checkContent(db: Db, user: User, { type, id }: ViewContent): Promise<void> {
  if (type === 'all') return;
  if (id === undefined) throw badRequest('view.content-id');
  const found =
    type === 'smart-list'
      ? /^\d{1,15}$/.test(id) && (await findList(db, user.id, Number(id)))
      : type === 'channel'
        ? await db.selectFrom('channel').select('id').where('id', '=', id).executeTakeFirst()
        : await db.selectFrom('playlist').select('id').where('id', '=', id).where(isVisibleTo(user)).executeTakeFirst();
  if (!found) throw badRequest('view.content-gone');
}

const namingOf = ({ preset, template, content }: Pick<ViewBody, 'preset' | 'template' | 'content'>) => ({
  preset,
  template: preset === 'custom' ? (template ?? null) : null,
  contentType: content.type,
  contentId: content.type === 'all' ? null : (content.id ?? null),
});

const columnsOf = (body: ViewBody) => ({
  name: body.name,
  ...namingOf(body),
  link: body.link,
  hasNfo: body.nfo ? (1 as const) : (0 as const),
  hasArtwork: body.artwork ? (1 as const) : (0 as const),
  subtitles: body.subtitles,
  hasChapters: body.chapters ? (1 as const) : (0 as const),
  personId: body.person ?? null,
});

/** @throws 400 with the first reason why a view cannot have these settings */
async function checkBody({ db }: AppContext, user: User, body: ViewBody, others: ViewRow[]): Promise<void> {
  const scheme = schemeOf({ preset: body.preset, template: body.template ?? null });
  if ('id' in scheme) throw new HttpError(400, scheme);
  await checkContent(db, user, body.content);
  if (others.some(({ name }) => name === body.name)) throw badRequest('view.name-taken');
  if (typeof body.person === 'number') {
    const person = await db.selectFrom('account').select('id').where('id', '=', body.person).executeTakeFirst();
    if (!person) throw badRequest('view.person');
  }
}

const bodyOf = (row: ViewRow): ViewBody => ({
  name: row.name,
  root: row.root,
  preset: row.preset,
  template: row.template,
  content: { type: row.contentType, ...(row.contentId !== null && { id: row.contentId }) },
  link: row.link,
  nfo: row.hasNfo === 1,
  artwork: row.hasArtwork === 1,
  subtitles: row.subtitles,
  chapters: row.hasChapters === 1,
  person: row.personId,
});

export const viewRoutes = routes(viewCalls, {
  'GET /api/view/': async (_, app) => {
    const work = await readWork(app);
    const data = [];
    for (const row of await listViews(app.db)) data.push(await shape(app, row, work));
    const why = whyNoViews(app);
    const unavailable = { unavailable: why && renderMessages(why), unavailable_messages: why && [why] };
    return { data, folder: app.config.viewsFolder, presets: presetTemplates, ...unavailable };
  },

  'POST /api/view/': async ({ body, user }, app) => {
    const { db } = app;
    refuseWithBucket(app);
    const views = await listViews(db);
    if (views.length >= maxViews) throw badRequest('view.too-many', { count: maxViews });
    await checkBody(app, user, body, views);
    const root = await resolveRoot(app, body.root);
    if (typeof root !== 'string') throw new HttpError(400, root);
    const other = views.find((view) => overlaps(view.root, root));
    if (other) throw badRequest('view.root-overlap', { name: other.name });
    if (body.person === user.id) await setWatchSharing(db, user.id, true);
    const { number } = await db
      .insertInto('libraryView')
      .values({ ...columnsOf(body), chosenBy: user.id, root, marker: randomUUID() })
      .returning('number')
      .executeTakeFirstOrThrow();
    app.announce('view');
    return oneOf(app, number);
  },

  'POST /api/view/preview/': async ({ body, user }, app) => {
    const naming = { ...namingOf(body), chosenBy: user.id };
    const scheme = schemeOf({ preset: body.preset, template: body.template ?? null });
    if ('id' in scheme) return refusedPreview(scheme);
    if (typeof body.root === 'string') {
      const root = await resolveRoot(app, body.root);
      if (typeof root !== 'string') return refusedPreview(root);
    }
    await checkContent(app.db, user, body.content);
    return { files: await previewPaths(app, naming, scheme), problem: null, problem_messages: null };
  },

  'POST /api/view/:id/': async ({ params, body, user }, app) => {
    const { db, tasks } = app;
    const views = await listViews(db);
    const row = views.find(({ number }) => number === params.id);
    if (!row) throw notFound('view.none');
    if (row.state === 'deleting') throw new HttpError(409, message('view.busy'));
    refuseWithBucket(app);
    const sent = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
    const next: ViewBody = { ...bodyOf(row), ...sent };
    if (next.preset !== 'custom') next.template = null;
    const root = await resolveRoot(app, next.root);
    if (next.root !== row.root && root !== row.root) throw badRequest('view.root-fixed');
    await checkBody(
      app,
      user,
      next,
      views.filter((view) => view !== row),
    );
    const started = await inTransaction(db, async (tx) => {
      // Users who choose themselves agree. Saving other settings does not agree again.
      if (next.person === user.id && row.personId !== user.id) await setWatchSharing(tx, user.id, true);
      const isSame = next.content.type === row.contentType && (next.content.id ?? null) === row.contentId;
      await updateView(tx, row.number, { ...columnsOf(next), ...(!isSame && { chosenBy: user.id }) });
      return row.builtAt !== null && tasks.queue(tx, buildView, { view: row.number, startOver: false });
    });
    if (started) await tasks.begun();
    app.announce('view');
    return oneOf(app, row.number);
  },

  'DELETE /api/view/:id/': async ({ params, query }, app) => {
    const { db, tasks } = app;
    const row = await findView(db, params.id);
    if (!row) throw notFound('view.none');
    const hasFiles = await db
      .selectFrom('viewFile')
      .select('key')
      .where('viewNumber', '=', row.number)
      .limit(1)
      .executeTakeFirst();
    if (query.forget || !hasFiles) await db.deleteFrom('libraryView').where('number', '=', row.number).execute();
    else {
      await inTransaction(db, async (tx) => {
        await updateView(tx, row.number, { state: 'deleting', problem: null });
        await tasks.queue(tx, buildView, { view: row.number, startOver: false });
      });
      await tasks.begun();
    }
    app.announce('view');
  },

  'POST /api/view/:id/build/': async ({ params, body }, app) => {
    const view = await findView(app.db, params.id);
    if (!view) throw notFound('view.none');
    if (view.state !== 'deleting') refuseWithBucket(app);
    if ((await activeBuilds(app)).has(view.number))
      throw new HttpError(409, message('run.already-running', { title: view.name }));
    const { id } = await app.tasks.start(buildView, { view: view.number, startOver: body?.start_over ?? false });
    return { message: 'task started', task_id: id };
  },
});
