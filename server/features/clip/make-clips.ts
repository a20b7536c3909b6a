import { message, type Message } from '#contract/messages.ts';
import { clipFileName, renditionPrefixOf } from '../../archive/storage/rendition-files.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { Stopped, type TaskWork } from '../../platform/context/task.ts';
import { audioPackingFor, encodedPacking } from '../../platform/media/audio-packing.ts';
import { copyClip, encodeClip } from '../../platform/media/clip.ts';
import type { MessageError } from '../../platform/messages/message-error.ts';
import { ProcessError } from '../../platform/process/run.ts';
import { audioTracksOf } from '../rendition/audio-tracks-of-video.ts';
import { CannotBe, whyFailed, writeRendition } from '../rendition/write-rendition.ts';
import { estimateBytes, failWaiting, isWanted, nextClip, removeClipFile, updateClip, type QueuedClip } from './store.ts';

/** Returns the streams of the file that a clip has: the picture and the audio track that players choose. */
async function streamsOf(app: AppContext, clip: QueuedClip) {
  if (!app.tools.ffmpeg) throw new CannotBe(message('clip.no-ffmpeg'));
  if (!(await app.files.stat(clip.mediaPath))) throw new CannotBe(message('clip.no-file'));
  const { why, stamp, sounds } = await audioTracksOf(app, clip.videoId);
  if (why) throw new CannotBe(why);
  const track = sounds.tracks.find(({ isDefault }) => isDefault) ?? null;
  if (!sounds.picture && !track) throw new CannotBe(message('files.no-media'));
  return { ffmpeg: app.tools.ffmpeg, stamp, track, picture: sounds.picture };
}

/** Makes a clip and saves where its file is. */
async function make(
  app: AppContext,
  clip: QueuedClip,
  signal: AbortSignal,
  onProgress: (progress: number) => void,
): Promise<void> {
  const { db } = app;
  const { number, videoId, mediaPath, mode, startMs, endMs, durationSeconds, title, artist } = clip;
  const { ffmpeg, stamp, track, picture } = await streamsOf(app, clip);
  const withPicture = picture !== null;
  const isExact = mode === 'exact';
  const packing = isExact ? encodedPacking(withPicture) : audioPackingFor(mediaPath, track ?? { codec: '' }, { withPicture });
  if (!packing) throw new CannotBe(message('clip.unsupported'));
  const name = clipFileName(stamp, { mode, hasPicture: withPicture, startMs, endMs, ending: packing.ending });
  // Files that no clip has are deleted.
  if (!(await updateClip(db, number, { state: 'running', path: `${renditionPrefixOf(videoId)}${name}` }))) return;
  const { bytes, maxBytes } = estimateBytes(clip, clip, withPicture);
  const content = {
    start: startMs / 1000,
    end: endMs / 1000,
    durationSeconds,
    track,
    picture,
    pixels: clip.width * clip.height,
    packing,
    tags: { title, artist },
    maxBytes,
  };
  let actualStart = content.start;
  const path = await writeRendition(
    app,
    {
      video: { id: videoId, mediaPath, stamp },
      name,
      bytes,
      whyNoSpace: (lacks) => message('clip.no-space', lacks),
      async write(files) {
        const options = { ...files, ...content };
        if (isExact) await encodeClip(ffmpeg, options, signal, onProgress);
        else actualStart = await copyClip(ffmpeg, options, signal);
      },
    },
    signal,
  );
  const made = (await app.files.stat(path))?.sizeBytes ?? bytes;
  const isDone = await updateClip(db, number, { state: 'done', bytes: made, actualStartMs: Math.round(actualStart * 1000) });
  if (!isDone) await removeClipFile(app, path);
}

/** A clip was deleted while it was made. */
class Unwanted extends Error {}

const lookEveryMs = 1000;

/** Calls `work` with a signal that also fires when the clip is deleted, with its video or account too. Returns whether it was not. */
async function whileWanted(
  app: AppContext,
  number: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<boolean> {
  const deleted = new AbortController();
  const look = () =>
    isWanted(app.db, number).then(
      (isStillWanted) => isStillWanted || deleted.abort(new Unwanted()),
      () => {}, // the database is away for a moment
    );
  const timer = setInterval(() => void look(), lookEveryMs);
  try {
    await work(AbortSignal.any([signal, deleted.signal]));
    return true;
  } catch (error) {
    if (!deleted.signal.aborted && (signal.aborted || (await isWanted(app.db, number)))) throw error;
    return false;
  } finally {
    clearInterval(timer);
  }
}

/** Returns the failure as messages for the user. */
function whyNotMade(problem: unknown): Message[] {
  const hasNoEncoder = problem instanceof ProcessError && /Unknown encoder 'libx264'/.test(problem.lastWords);
  return whyFailed(problem, {
    program: message(hasNoEncoder ? 'clip.no-encoder' : 'clip.ffmpeg'),
    other: message('clip.failed'),
  });
}

/** Makes the queued clips one after the other. After a restart the one that was begun is made again. */
export async function makeClips({ signal, report, skip }: TaskWork<object>, app: AppContext): Promise<Message | void> {
  const { db, events } = app;
  let made = 0;
  for (let clip = await nextClip(db); clip; clip = await nextClip(db)) {
    const { number, accountId } = clip;
    // The run is visible to everybody: what is cut is not.
    const onProgress = (progress?: number) =>
      report({ messages: [message('clip.running')], ...(progress !== undefined && { progress }) });
    onProgress();
    try {
      if (await updateClip(db, number, { state: 'running' })) events.announceTo(accountId, 'clip');
      if (await whileWanted(app, number, signal, (wanted) => make(app, clip!, wanted, onProgress))) made++;
    } catch (problem) {
      if (signal.reason instanceof Stopped)
        for (const id of await failWaiting(db, message('clip.stopped'))) events.announceTo(id, 'clip');
      signal.throwIfAborted();
      const why = whyNotMade(problem);
      await updateClip(db, number, { state: 'failed', why });
      skip(`Clip ${number}`, why, { cause: problem });
    }
    events.announceTo(accountId, 'clip');
  }
  return made > 0 ? message('clip.done', { count: made }) : undefined;
}

/** Lets the clip fail during which the server ended several times. */
export async function abandonClip({ db, events }: AppContext, why: MessageError): Promise<void> {
  const clip = await nextClip(db);
  if (!clip) return;
  await updateClip(db, clip.number, { state: 'failed', why: why.messages });
  events.announceTo(clip.accountId, 'clip');
}
