import { message, messages } from '#contract/messages.ts';
import { sql } from 'kysely';
import { z } from 'zod';
import { whyMediaUnavailable } from '../../archive/storage/mount-check.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { defineTask } from '../../platform/context/task.ts';
import { notFound } from '../../platform/http/http-error.ts';
import type { Ffmpeg } from '../../platform/media/ffmpeg.ts';
import { measureLoudness, type Loudness } from '../../platform/media/loudness.ts';
import { MessageError } from '../../platform/messages/message-error.ts';
import { localPathOrNull, StorageError } from '../../platform/storage/file-store.ts';
import { isBusy, restAfter, untilQuiet } from './quiet-work.ts';

const Input = z.object({
  /** Includes tracks that could not be measured before. */
  isThorough: z.boolean().default(true),
  /** Only this video. */
  videoId: z.string().optional(),
});

interface Cursor {
  downloadedAt: number;
  id: string;
}

/** Returns the newest video after another one with a sound track that is not measured. */
const nextVideo = ({ db }: AppContext, { isThorough, videoId }: z.output<typeof Input>, after: Cursor | undefined) =>
  db
    .selectFrom('stream')
    .innerJoin('video', 'video.id', 'stream.videoId')
    .select(['video.id', 'video.title', 'video.mediaPath', 'video.sha256', 'video.downloadedAt'])
    .where('stream.type', '=', 'audio')
    .where((w) => (isThorough && videoId === undefined ? w('stream.lufs', 'is', null) : w('stream.isMeasured', '=', 0)))
    .$if(videoId !== undefined, (q) => q.where('video.id', '=', videoId!))
    .$if(after !== undefined, (q) =>
      q.where((w) =>
        w.or([
          w('video.downloadedAt', '<', after!.downloadedAt),
          w.and([w('video.downloadedAt', '=', after!.downloadedAt), w('video.id', '>', after!.id)]),
        ]),
      ),
    )
    .orderBy('video.downloadedAt', 'desc')
    .orderBy('video.id')
    .limit(1)
    .executeTakeFirst();
type Video = NonNullable<Awaited<ReturnType<typeof nextVideo>>>;

/** Saves the loudness of a track, unless the file was replaced meanwhile. */
const save = ({ db }: AppContext, { id, sha256 }: Video, position: number, found: Loudness | null) =>
  db
    .updateTable('stream')
    .set({ lufs: found?.lufs ?? null, truePeak: found?.truePeak ?? null, isMeasured: 1 })
    .where('videoId', '=', id)
    .where('position', '=', position)
    .where('videoId', 'in', (w) => w.selectFrom('video').select('id').where('id', '=', id).where('sha256', '=', sha256))
    .execute();

/** Measures all sound tracks of a video. */
async function measure(app: AppContext, ffmpeg: Ffmpeg, video: Video, signal: AbortSignal): Promise<void> {
  const tracks = await app.db
    .selectFrom('stream')
    .select('position')
    .where('videoId', '=', video.id)
    .where('type', '=', 'audio')
    .orderBy('position')
    .execute();
  try {
    const media = await localPathOrNull(app.files, video.mediaPath, signal);
    if (!media) throw new MessageError(message('files.missing'));
    for (const { position } of tracks) await save(app, video, position, await measureLoudness(ffmpeg, media, position, signal));
  } catch (problem) {
    signal.throwIfAborted();
    if (problem instanceof StorageError) throw problem;
    // Recorded, because a damaged or missing file would be tried for ever.
    for (const { position } of tracks) await save(app, video, position, null);
    throw problem;
  }
}

/** Measures the loudness of the sound tracks of the archive, those of the newest videos first. */
export const measureLoudnessTask = defineTask({
  name: 'measure_loudness',
  title: messages['task.measure_loudness'],
  group: 'setting:loudness',
  isStartable: true,
  isStoppable: true,
  isPausable: true,
  needs: ['ffmpeg'],
  input: Input,

  async run(work, app) {
    const { signal, report, skip } = work;
    const { isThorough } = work.input;
    const { ffmpeg } = app.tools;
    if (!ffmpeg) throw new MessageError(message('files.no-ffmpeg'));
    const why = await whyMediaUnavailable(app);
    if (why) throw new MessageError(why);
    let count = 0;
    for (let video: Video | undefined; (video = await nextVideo(app, work.input, video));) {
      await untilQuiet(app, work, isThorough);
      report({ messages: [message('loudness.running', { title: video.title })] });
      const begun = performance.now();
      try {
        await measure(app, ffmpeg, video, signal);
        count++;
      } catch (problem) {
        signal.throwIfAborted();
        if (problem instanceof StorageError) throw problem;
        skip(video.title, problem as Error, { videoId: video.id });
      }
      if (!isThorough) await restAfter(performance.now() - begun, signal);
    }
    return count > 0 ? message('loudness.done', { count }) : undefined;
  },
});

/**
 * Measures the sound tracks of a video again. If the task is running already, it or the next one does so.
 * @throws 404
 */
export async function measureAgain({ db, tasks }: AppContext, videoId: string) {
  const { numUpdatedRows } = await db
    .updateTable('stream')
    .set({ isMeasured: 0 })
    .where('videoId', '=', videoId)
    .where('type', '=', 'audio')
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw notFound('error.video');
  const { id } = await tasks.start(measureLoudnessTask, { isThorough: true, videoId });
  return { task_id: id, status: 'PENDING' };
}

/** Starts the task for new videos, unless a video is being played or downloaded. Files of a bucket would have to be fetched for it. */
export async function startLoudnessIfDue(app: AppContext): Promise<void> {
  const { db, files, tasks, tools } = app;
  if (!tools.ffmpeg || files.isRemote) return;
  const unmeasured = db
    .selectFrom('stream')
    .select('videoId')
    .where('type', '=', sql.lit('audio'))
    .where('isMeasured', '=', sql.lit(0));
  if (!(await unmeasured.limit(1).executeTakeFirst()) || (await isBusy(app)) || (await whyMediaUnavailable(app))) return;
  await tasks.start(measureLoudnessTask, { isThorough: false });
}
