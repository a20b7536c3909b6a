import { message, messages } from '#contract/messages.ts';
import { z } from 'zod';
import { jitteredDelay } from '../../../archive/sites/jittered-delay.ts';
import { readSettings, readStored, writeStored } from '../../../archive/settings/store.ts';
import { refreshBranding, wantsBranding } from '../../../archive/video/dearrow.ts';
import { fetchSegments, sponsorblockOf, wantsSegments } from '../../../archive/sites/sponsorblock-and-votes.ts';
import type { AppContext } from '../../../platform/context/app-context.ts';
import { defineTask } from '../../../platform/context/task.ts';
import type { Db } from '../../../platform/db/db.ts';
import { MessageError } from '../../../platform/messages/message-error.ts';

// Most segments and titles are submitted in the days after a video was published, which is when it is archived.

const day = 86_400;
/** Seconds after the download of a video when its segments are fetched again. Later ones come with the refresh of its metadata. */
const ages = [3600, day, 7 * day, 30 * day];
const pauseSeconds = 1;
const maxFailures = 3;

const name = 'service.segments';
const Checked = z.object({ until: z.int() });

/** Returns the time until which videos were looked at. */
async function readChecked(db: Db): Promise<number | null> {
  return Checked.safeParse(await readStored(db, name)).data?.until ?? null;
}

const saveChecked = (db: Db, until: number) => writeStored(db, name, { until });

/** Videos that reached one of the ages between two times. */
const dueVideos = (db: Db, after: number, until: number) =>
  db
    .selectFrom('video')
    .select(['id', 'siteId', 'channelId', 'durationSeconds', 'title'])
    .where('site', '=', 'youtube')
    .where((w) => w.or(ages.map((age) => w.and([w('downloadedAt', '>', after - age), w('downloadedAt', '<=', until - age)]))))
    .orderBy('id');

/** Fetches and stores the segments of a video, unless it was edited at its site. Returns false if the service did not respond. */
async function updateSegments(
  app: AppContext,
  video: { id: string; siteId: string; durationSeconds: number },
  signal: AbortSignal,
): Promise<boolean> {
  const found = await fetchSegments(app, video, signal);
  if (!found) return false;
  if (!found.isEdited)
    await app.db
      .updateTable('video')
      .set({ sponsorblock: JSON.stringify(sponsorblockOf(found, app.now())) })
      .where('id', '=', video.id)
      .where('durationSeconds', '=', video.durationSeconds)
      .execute();
  return true;
}

/** Fetches the segments, titles and pictures of the videos again that are due. A run that is interrupted is repeated. */
export const refreshSegments = defineTask<object>({
  name: 'refresh_segments',
  title: messages['task.refresh_segments'],
  group: 'reindex:segments',
  isStartable: false,
  isStoppable: true,
  input: z.object({}),

  async run({ signal, report }, app) {
    const { db } = app;
    const until = app.now();
    const videos = await dueVideos(db, (await readChecked(db)) ?? until, until).execute();
    let [count, failures] = [0, 0];
    for (const [place, video] of videos.entries()) {
      signal.throwIfAborted();
      const wants = { segments: await wantsSegments(app, video.channelId), branding: await wantsBranding(app, video.channelId) };
      if (!wants.segments && !wants.branding) continue;
      report({ messages: [message('segments.running', { title: video.title })], progress: place / videos.length });
      // Segments first: frames are not taken from sponsored ones.
      const isAnswered =
        (!wants.segments || (await updateSegments(app, video, signal))) &&
        (!wants.branding || (await refreshBranding(app, video.id, signal)));
      failures = isAnswered ? 0 : failures + 1;
      if (failures === maxFailures) throw new MessageError(message('segments.unavailable'));
      if (isAnswered) count++;
      await jitteredDelay(pauseSeconds, signal);
    }
    await saveChecked(db, until);
    app.announce('video');
    return count > 0 ? message('segments.done', { count }) : undefined;
  },
});

/** Whether the segments, or titles and pictures, of any videos are wanted. */
async function isAnyWanted(db: Db): Promise<boolean> {
  const { downloads } = await readSettings(db);
  if (downloads.integrate_sponsorblock || downloads.integrate_dearrow) return true;
  const wanted = db.lookups
    .selectFrom('channel')
    .select('id')
    .where((w) =>
      w.or((['integrate_sponsorblock', 'integrate_dearrow'] as const).map((key) => w('overwrites', 'like', `%"${key}":true%`))),
    );
  return (await wanted.limit(1).executeTakeFirst()) !== undefined;
}

const leastSeconds = 3600;

/** Starts the task if videos are due, at most once an hour. */
export async function startSegmentsIfDue(app: AppContext): Promise<void> {
  const { db, now, state } = app;
  const checked = await readChecked(db);
  if (!(await isAnyWanted(db))) {
    // When they are turned on later, the videos of this time are not all due at once.
    if (checked !== null && checked < now() - day) await saveChecked(db, now());
    return;
  }
  if (checked === null) return saveChecked(db, now());
  if (state.segmentsStartedAt !== null && now() < state.segmentsStartedAt + leastSeconds) return;
  if (!(await dueVideos(db, checked, now()).limit(1).executeTakeFirst())) return;
  state.segmentsStartedAt = now();
  await app.tasks.start(refreshSegments, {});
}

declare module '../../../platform/context/app-state.ts' {
  interface AppState {
    /** When the segments were last fetched again, epoch seconds; null: not since the start. */
    segmentsStartedAt: number | null;
  }
}
