import { message, messages, type Message } from '#contract/messages.ts';
import { join } from 'node:path';
import { placeChat } from '../../archive/chat/place-chat.ts';
import { mayStillCome, nextReplayAttempt } from '../../archive/chat/replay-time.ts';
import { dueChats, findChat, setNextFetch } from '../../archive/chat/store.ts';
import { writeChat, type ChatInput } from '../../archive/chat/write-chat.ts';
import { stageReport } from '../../archive/publish/download-report.ts';
import { readSettings } from '../../archive/settings/store.ts';
import { makeLookupFolder } from '../../archive/sites/lookup-folder.ts';
import { ytdlpSession } from '../../archive/sites/ytdlp-session.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import type { TaskWork } from '../../platform/context/task.ts';
import { removeFolder } from '../../platform/files/files.ts';
import { MessageError } from '../../platform/messages/message-error.ts';
import { localPathOrNull } from '../../platform/storage/file-store.ts';
import { YtdlpFailed } from '../../platform/ytdlp/failure.ts';
import { fetchChat } from '../../platform/ytdlp/fetch-chat.ts';
import { addressOf } from '../download/requeue-archived.ts';
import { askSources } from './ask-sources.ts';

const findVideo = ({ db }: AppContext, id: string) =>
  db
    .selectFrom('video')
    .select(['id', 'title', 'site', 'siteId', 'url', 'channelId', 'mediaPath', 'publishedAt'])
    .where('id', '=', id)
    .executeTakeFirst();
type Video = NonNullable<Awaited<ReturnType<typeof findVideo>>>;

/** Fetches the replay of a chat and merges it with the present one. Returns why it is incomplete; null if it is not. */
async function fetchAndMerge(app: AppContext, video: Video, { signal, report }: TaskWork<unknown>): Promise<Message | null> {
  const chat = await findChat(app.db, video.id);
  const attempts = (chat?.attempts ?? 0) + 1;
  const { downloads } = await readSettings(app.db);
  const folder = await makeLookupFolder(app);
  try {
    const fetched = await fetchChat(await ytdlpSession(app), {
      url: addressOf(video)!,
      folder,
      settings: downloads,
      signal,
      onProgress: ({ downloadedBytes }) =>
        report(stageReport(video, message('chat.fetching', { megabytes: Math.round(downloadedBytes / 100_000) / 10 }))),
    });
    if (!fetched) throw new MessageError(message('chat.none'));
    const present = chat?.path ? await localPathOrNull(app.files, chat.path, signal) : null;
    const replay: ChatInput = { path: fetched.path, format: 'raw', startMs: null };
    const inputs: ChatInput[] = present === null ? [replay] : [{ path: present, format: 'stored' }, replay];
    const target = join(folder, 'chat.gz');
    const written = await writeChat(inputs, { target, folder, signal });
    if (!written) throw new MessageError(message('chat.none'));
    const { failure } = fetched;
    const source = present === null || chat?.source === 'replay' ? 'replay' : 'merged';
    const nextAt = failure ? nextReplayAttempt(attempts, app.now()) : null;
    // What the present one lacked is in the replay.
    const isComplete = failure === null && written.isComplete;
    await placeChat(app, video, target, { source, written: { ...written, isComplete }, attempts, nextAt }, signal);
    return failure?.message ?? null;
  } finally {
    await removeFolder(folder);
  }
}

/** Notes a failure: when the site is asked again. A replay that it does not have is only expected while it may still come. */
async function noteFailure({ db, now }: AppContext, video: Video, problem: unknown): Promise<void> {
  const attempts = ((await findChat(db, video.id))?.attempts ?? 0) + 1;
  const isMissing = problem instanceof MessageError && problem.messages.some(({ id }) => id === 'chat.none');
  // Videos that are not there any more, or only for some, are no failures of the moment.
  const isFinal =
    (isMissing && !mayStillCome(video.publishedAt, now())) ||
    (problem instanceof YtdlpFailed && ['gone', 'private', 'members-only', 'geo', 'paid'].includes(problem.failure.kind));
  await setNextFetch(db, video.id, { attempts, nextAt: isFinal ? null : nextReplayAttempt(attempts, now()) });
}

async function fetchFor(app: AppContext, video: Video, work: TaskWork<unknown>) {
  try {
    const why = await fetchAndMerge(app, video, work);
    if (why) work.skip(video.title, why, { videoId: video.id });
    app.announce('video');
    return { isAsked: true, isAdded: true };
  } catch (problem) {
    work.signal.throwIfAborted();
    await noteFailure(app, video, problem);
    throw problem;
  }
}

/** The work of the task: until nothing is due that was not tried, also what becomes due meanwhile. */
export async function fetchDueChats(work: TaskWork<object>, app: AppContext): Promise<Message | undefined> {
  const tried = new Set<string>();
  let count = 0;
  for (;;) {
    const due = await dueChats(app.db, app.now()).execute();
    const next = due.find(({ videoId }) => !tried.has(videoId));
    if (!next) break;
    tried.add(next.videoId);
    count += await askSources<Video>(app, [next.videoId], work, {
      title: messages['task.fetch_chats'],
      find: (id) => findVideo(app, id),
      fetch: (video, now) => fetchFor(app, video, now),
    });
  }
  return count > 0 ? message('chat.done', { count }) : undefined;
}
