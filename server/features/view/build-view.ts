import { message, messages, type Message } from '#contract/messages.ts';
import { rmdir } from 'node:fs/promises';
import { z } from 'zod';
import type { AppContext } from '../../platform/context/app-context.ts';
import { defineTask, type TaskWork } from '../../platform/context/task.ts';
import { inTransaction } from '../../platform/db/db.ts';
import { removeFile } from '../../platform/files/files.ts';
import { MessageError, messagesOf } from '../../platform/messages/message-error.ts';
import { storeMessages } from '../../platform/messages/stored.ts';
import { mediaMarkerPath } from '../../archive/storage/mount-check.ts';
import { removeUnusedCopies } from './chapter-copies.ts';
import { chooseLink } from './links.ts';
import { checkRoot, createRoot, markerPath, ViewUnavailableError } from './root-folder.ts';
import { enqueueAll, findView, hasFiles, updateView, type ViewRow } from './store.ts';
import { removeView, updateQueued } from './update-view.ts';

const Input = z.object({ view: z.int(), startOver: z.boolean().default(false) });

/** Runs work on a view after other work on it has ended. */
export async function withView<T>({ state }: AppContext, number: number, work: () => Promise<T>): Promise<T> {
  const { viewUpdates } = state;
  while (viewUpdates.has(number)) await viewUpdates.get(number);
  const running = work();
  const done = running.then(
    () => {},
    () => {},
  );
  viewUpdates.set(number, done);
  try {
    return await running;
  } finally {
    viewUpdates.delete(number);
  }
}

/** Returns why no view can be created or updated, or null. Nothing can link to files in a bucket. Existing views stay as they are. */
export const whyNoViews = ({ files }: Pick<AppContext, 'files'>): Message | null =>
  files.isRemote ? message('view.bucket') : null;

const isUpdating = ({ state }: AppContext, number: number) => state.viewUpdates.has(number);

/** Records why a view cannot be updated. */
async function recordFailure(app: AppContext, view: ViewRow, error: unknown): Promise<void> {
  await updateView(app.db, view.number, {
    problem: storeMessages(messagesOf(error)),
    failedAt: app.now(),
    ...(view.state !== 'deleting' && { state: 'failed' }),
  });
  app.announce('view');
}

async function prepare(app: AppContext, view: ViewRow, startOver: boolean): Promise<ViewRow> {
  const { db } = app;
  if (startOver)
    await inTransaction(db, async (tx) => {
      await tx.deleteFrom('viewFile').where('viewNumber', '=', view.number).execute();
      await updateView(tx, view.number, { videos: 0, files: 0 });
    });
  if (await hasFiles(db, view.number)) await checkRoot(app, view);
  else await createRoot(app, view);
  const { kind, why } = await chooseLink(view.link, mediaMarkerPath(app), view.root);
  const chosen = { linkUsed: kind, linkReason: storeMessages([why]) };
  await updateView(db, view.number, chosen);
  return { ...view, ...chosen };
}

// Counting what is left takes milliseconds.
const reportMs = 1_000;

async function build(
  app: AppContext,
  found: ViewRow,
  { id, input, againSince, signal, report, skip }: TaskWork<z.output<typeof Input>>,
) {
  const { db } = app;
  let reportedAt = Number.NEGATIVE_INFINITY;
  const progress = async () => {
    if (performance.now() - reportedAt < reportMs) return;
    reportedAt = performance.now();
    const { left } = await db
      .selectFrom('viewPending')
      .select((e) => e.fn.countAll<number>().as('left'))
      .where('viewNumber', '=', found.number)
      .executeTakeFirstOrThrow();
    total = Math.max(total, left);
    if ((await findView(db, found.number))?.state === 'deleting') throw new MessageError(message('view.busy'));
    report({
      messages: [message('view.updating', { name: found.name }), message('view.remaining', { count: left })],
      ...(total > 0 && { progress: 1 - left / total }),
    });
  };
  let total = 0;
  const view = await prepare(app, found, input.startOver && againSince === null);
  // A run that was interrupted continues with what it left in the queue.
  if (view.queuedBy !== id) {
    await enqueueAll(db, view, signal);
    await updateView(db, view.number, { queuedBy: id });
  }
  await progress();
  await updateQueued(app, view, { verifies: true, signal, progress, problem: skip });
  await updateView(db, view.number, { state: 'ready', problem: null, failedAt: null, builtAt: app.now() });
  await removeUnusedCopies(app);
  const { videos, files } = (await findView(db, view.number))!;
  return message('view.built', { name: view.name, videos, files });
}

async function remove(app: AppContext, view: ViewRow, { signal, report, skip }: TaskWork<unknown>): Promise<Message> {
  report({ messages: [message('view.updating', { name: view.name })] });
  await removeView(app, view, { verifies: true, signal, problem: skip });
  await removeUnusedCopies(app);
  await removeFile(markerPath(view.root));
  // Files of others stay, and so does their folder.
  await rmdir(view.root).catch(() => undefined);
  return message('view.removed', { name: view.name });
}

/** Creates, repairs and removes the links of a view; removes a view that was deleted. */
export const buildView = defineTask({
  name: 'build_view',
  title: messages['task.build_view'],
  group: 'setting:views',
  isStartable: false,
  isStoppable: true,
  isParallel: true,
  input: Input,

  run: (work, app) =>
    withView(app, work.input.view, async () => {
      const view = await findView(app.db, work.input.view);
      if (!view) return undefined; // removed by an earlier run
      const why = view.state === 'deleting' ? null : whyNoViews(app);
      if (why) throw new MessageError(why);
      try {
        return await (view.state === 'deleting' ? remove : build)(app, view, work);
      } catch (error) {
        if (!work.signal.aborted) await recordFailure(app, view, error);
        throw error;
      } finally {
        app.announce('view');
      }
    }),
});

// Changes are applied a moment after they were made, and never by what made them.
const batchPerJob = 500;
const retrySeconds = 60;

/** Applies queued changes to views whose first build has begun. A view that failed is tried again every minute. */
export async function updateViews(app: AppContext): Promise<void> {
  const { db, log } = app;
  if (whyNoViews(app)) return;
  const views = await db
    .selectFrom('libraryView')
    .selectAll()
    .where('linkUsed', 'is not', null)
    .where('state', 'in', ['ready', 'failed'])
    .where((w) =>
      w.exists(w.selectFrom('viewPending').select('viewPending.id').whereRef('viewNumber', '=', 'libraryView.number')),
    )
    .execute();
  for (const { number, failedAt } of views) {
    if (isUpdating(app, number)) continue;
    if (failedAt !== null && Math.abs(app.now() - failedAt) < retrySeconds) continue;
    await withView(app, number, async () => {
      const view = await findView(db, number);
      if (!view || view.state === 'deleting') return;
      try {
        const isComplete = await updateQueued(app, view, {
          verifies: false,
          limit: batchPerJob,
          problem: (what, why) => log.warn({ view: view.name, what, why }, 'cannot create a file of a view'),
        });
        if (view.state === 'failed' && isComplete)
          await updateView(db, number, { state: 'ready', problem: null, failedAt: null, builtAt: view.builtAt ?? app.now() });
        app.announce('view');
      } catch (error) {
        if (!(error instanceof ViewUnavailableError)) log.error({ view: view.name, err: error }, 'cannot update a view');
        await recordFailure(app, view, error);
      }
    });
  }
}
