import { randomUUID } from 'node:crypto';
import { message } from '#contract/messages.ts';
import type { ViewBody, ViewContent } from '#contract/view.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { inTransaction, type Db } from '../../platform/db/db.ts';
import { badRequest, HttpError, notFound } from '../../platform/http/http-error.ts';
import type { User } from '../../platform/http/route.ts';
import { findVideoSource } from '../smart-list/video-source.ts';
import { accountExists, setWatchSharing } from '../user/account/store.ts';
import { buildView, whyNoViews } from './build-view.ts';
import { schemeOf } from './content.ts';
import { overlaps, resolveRoot } from './root-folder.ts';
import { findView, hasFiles, listViews, updateView, type ViewRow } from './store.ts';

// Creates, changes and deletes views. Their files are written and removed by the task `build_view`.

const maxViews = 50;

/** @throws 409 if there can be no views */
export function refuseWithBucket(app: AppContext): void {
  const why = whyNoViews(app);
  if (why) throw new HttpError(409, why);
}

/** @throws 400 if the content does not exist or the user may not see it */
export async function checkContent(db: Db, user: User, { type, id }: ViewContent): Promise<void> {
  if (type === 'all') return;
  if (id === undefined) throw badRequest('view.content-id');
  if (!(await findVideoSource(db, user, type, id))) throw badRequest('view.content-gone');
}

export const namingOf = ({ preset, template, content }: Pick<ViewBody, 'preset' | 'template' | 'content'>) => ({
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
  if (typeof body.person === 'number' && !(await accountExists(db, body.person))) throw badRequest('view.person');
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

/** Adds a view and returns its number. @throws 400 or 409 */
export async function createView(app: AppContext, user: User, body: ViewBody): Promise<number> {
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
  return number;
}

/** Changes what `body` has of a view, and starts to update its files if it was built. @throws 400, 404 or 409 */
export async function changeView(app: AppContext, user: User, number: number, body: Partial<ViewBody>): Promise<void> {
  const { db, tasks } = app;
  const views = await listViews(db);
  const row = views.find((view) => view.number === number);
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
}

/** Deletes a view: its files first, unless there are none or `keepsFiles`. @throws 404 */
export async function deleteView(
  { db, tasks }: AppContext,
  number: number,
  { keepsFiles }: { keepsFiles: boolean },
): Promise<void> {
  if (!(await findView(db, number))) throw notFound('view.none');
  if (keepsFiles || !(await hasFiles(db, number))) {
    await db.deleteFrom('libraryView').where('number', '=', number).execute();
    return;
  }
  await inTransaction(db, async (tx) => {
    await updateView(tx, number, { state: 'deleting', problem: null });
    await tasks.queue(tx, buildView, { view: number, startOver: false });
  });
  await tasks.begun();
}
