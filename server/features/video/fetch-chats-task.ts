import { message, messages } from '#contract/messages.ts';
import { z } from 'zod';
import { dueChats, setNextFetch } from '../../archive/chat/store.ts';
import { isCoolingDown } from '../../archive/sites/site-cooldowns.ts';
import { whyMediaUnavailable } from '../../archive/storage/mount-check.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { defineTask } from '../../platform/context/task.ts';
import { HttpError, notFound } from '../../platform/http/http-error.ts';

/** Fetches the replays of chats that are due. A failure is reported, and tried again later. */
export const fetchChatsTask = defineTask<object>({
  name: 'fetch_chats',
  title: messages['task.fetch_chats'],
  group: 'download:chats',
  isStartable: false,
  isStoppable: true,
  needs: ['ytdlp'],
  input: z.object({}),
  run: async (work, app) => (await import('./fetch-chats.ts')).fetchDueChats(work, app),
});

/** Starts the task if chats are due, unless the site demands a pause. */
export async function startChatsIfDue(app: AppContext): Promise<void> {
  const due = await dueChats(app.db, app.now()).limit(1).executeTakeFirst();
  if (!due || (await isCoolingDown(app, 'youtube')) || (await whyMediaUnavailable(app))) return;
  await app.tasks.start(fetchChatsTask, {});
}

/** Has the chat of an archived video fetched now. @throws 404, or 400 if it is not of YouTube */
export async function startFetchingChat(app: AppContext, videoId: string) {
  const video = await app.db.selectFrom('video').select('site').where('id', '=', videoId).executeTakeFirst();
  if (!video) throw notFound('error.video');
  if (video.site !== 'youtube') throw new HttpError(400, message('chat.not-youtube'));
  // Before the others: a person waits for it.
  await setNextFetch(app.db, videoId, { nextAt: 0, attempts: 0 });
  const { id } = await app.tasks.start(fetchChatsTask, {});
  return { task_id: id, status: 'PENDING' };
}
