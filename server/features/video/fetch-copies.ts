import { message, messages, type Message } from '#contract/messages.ts';
import { addSmallCopyOf, usualCopyHeight } from '../../archive/publish/add-small-copy.ts';
import { readOverridesOf, readSettings } from '../../archive/settings/store.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import type { TaskWork } from '../../platform/context/task.ts';
import { MessageError } from '../../platform/messages/message-error.ts';
import { addressOf } from '../download/requeue-archived.ts';
import { askSources } from './ask-sources.ts';
import type { CopiesWanted } from './fetch-copies-task.ts';

const findVideo = ({ db }: AppContext, id: string) =>
  db.selectFrom('video').select(['id', 'title', 'site', 'siteId', 'url', 'channelId']).where('id', '=', id).executeTakeFirst();
type Video = NonNullable<Awaited<ReturnType<typeof findVideo>>>;

async function fetchFor(app: AppContext, video: Video, work: TaskWork<unknown>) {
  const url = addressOf(video);
  if (!url) throw new MessageError(message('sounds.no-address'));
  const { downloads } = await readSettings(app.db);
  const wanted = (await readOverridesOf(app.db, video.channelId)).small_copy ?? downloads.small_copy;
  const height = wanted === 'off' ? usualCopyHeight : Number(wanted);
  const isAdded = await addSmallCopyOf(app, video.id, { url, height, isFresh: false, settings: downloads }, work);
  return { isAsked: isAdded, isAdded };
}

/** The work of the task. */
export async function fetchCopiesOfVideos(work: TaskWork<CopiesWanted>, app: AppContext): Promise<Message> {
  const count = await askSources<Video>(app, work.input.ids, work, {
    title: messages['task.fetch_copies'],
    find: (id) => findVideo(app, id),
    fetch: (video, now) => fetchFor(app, video, now),
  });
  return message('copy.done', { count });
}
