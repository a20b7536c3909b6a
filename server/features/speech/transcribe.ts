import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { message, type Message } from '#contract/messages.ts';
import { deletePendingFiles, scheduleDeletion } from '../../archive/storage/pending-deletions.ts';
import { beginUpload, commitUpload, putFiles, stemOf, uniquePart } from '../../archive/storage/upload.ts';
import { whyMediaUnavailable } from '../../archive/storage/mount-check.ts';
import { readOverridesOf, readSettings } from '../../archive/settings/store.ts';
import { saveTranscriptOf, transcriptLines } from '../../archive/video/save-transcript.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import type { TaskWork } from '../../platform/context/task.ts';
import { inTransaction } from '../../platform/db/db.ts';
import {
  exists,
  fingerprint,
  moveUnlessTaken,
  PathTakenError,
  removeFolder,
  writeAtomically,
} from '../../platform/files/files.ts';
import { decodeSound, soundBytesPerSecond } from '../../platform/media/decode-sound.ts';
import { IncompleteFileError } from '../../platform/media/probe.ts';
import { generatedNote, vttOf, type Cue } from '../../platform/media/subtitle.ts';
import { MessageError } from '../../platform/messages/message-error.ts';
import { ProcessError } from '../../platform/process/run.ts';
import { createTempDir } from '../../platform/process/temp-dir.ts';
import { localPathOrNull, StorageError } from '../../platform/storage/file-store.ts';
import { audioTracksOf } from '../rendition/audio-tracks-of-video.ts';
import { watchBackgroundHours } from '../../archive/settings/watch-background-hours.ts';
import { cuesOfSegments, withoutRepetitions } from './cues.ts';
import { chooseModel } from './choose-model.ts';
import { speechEngine } from './engine.ts';
import { nextAllowed } from './due.ts';
import type { ModelFolder } from './models.ts';
import {
  beginTranscription,
  captionsOf,
  finishTranscription,
  interruptTranscription,
  maxAttempts,
  parseCues,
  saveProgress,
  type TranscriptionRow,
  type WantedVideo,
} from './store.ts';
import { ModelProblem, startSpeechWorker, type SpeechWorker } from './worker.ts';

const sliceSeconds = 300;
const windowSeconds = 30;
const isSure = 0.7;
// A slice takes a minute or two on an idle machine.
const busyMs = 1_800_000;
const unknownLanguage = 'und';

/** A video cannot be transcribed; the message is for the user. */
class CannotBe extends MessageError {}

const englishName = (lang: string) =>
  lang === unknownLanguage ? 'Unknown language' : (new Intl.DisplayNames(['en'], { type: 'language' }).of(lang) ?? lang);

/** A video whose transcript is being made. */
interface Work {
  app: AppContext;
  video: WantedVideo;
  /** The media file on this machine. */
  media: string;
  model: ModelFolder;
  worker: SpeechWorker;
  /** Folder of decoded sound. */
  folder: string;
  signal: AbortSignal;
}

async function decode(
  { app, media, folder, signal }: Work,
  start: number,
  seconds: number,
): Promise<{ path: string; seconds: number }> {
  const name = 'sound.raw';
  await decodeSound(app.tools.ffmpeg!, { media, start, seconds, folder, name }, signal).catch((error: unknown) => {
    throw error instanceof ProcessError ? new CannotBe(message('speech.unreadable'), { cause: error }) : error;
  });
  const path = join(folder, name);
  return { path, seconds: (await stat(path)).size / soundBytesPerSecond };
}

/** Returns a language that can be part of a file name: rows of a backup are untrusted. */
const plainLanguage = (lang: string | null | undefined) => (lang && /^[a-z]{2,3}$/.test(lang) ? lang : null);

/** Chooses from the languages of parts of a video. The label is certain if all agree or one is sure. */
function labelled(parts: { lang: string | null; probability: number }[]): { label: string; lang: string | null } {
  const found = parts.filter(({ lang }) => lang !== null);
  const best = found.toSorted((a, b) => b.probability - a.probability)[0];
  if (!best?.lang) return { label: unknownLanguage, lang: null };
  const isCertain = best.probability >= isSure || (found.length > 1 && found.every(({ lang }) => lang === best.lang));
  return { label: isCertain ? best.lang : unknownLanguage, lang: best.lang };
}

/** Recognizes the language in three windows spread over the video. */
async function recognizeLanguage(work: Work) {
  const { video, worker } = work;
  const parts = [];
  for (const part of [1 / 6, 1 / 2, 5 / 6]) {
    const start = Math.max(0, video.durationSeconds * part - windowSeconds / 2);
    const { path } = await decode(work, start, windowSeconds);
    parts.push(await worker.detect(path));
  }
  return labelled(parts);
}

/**
 * Returns the language of a video: the requested one, that of its channel, that of its audio track, or the recognized one.
 * @throws CannotBe if the model does not understand it
 */
async function languageOf(work: Work, wanted: string | null): Promise<{ label: string; lang: string | null }> {
  const { app, video, worker, model } = work;
  const { tracks } = (await audioTracksOf(app, video.id)).sounds;
  if (tracks.length === 0) throw new CannotBe(message('speech.no-sound'));
  const ofTrack = tracks[0]!.language?.split('-')[0];
  const { transcribe_lang: ofChannel } = await readOverridesOf(app.db, video.channelId);
  const ofRequest = wanted === unknownLanguage ? null : wanted;
  const known = plainLanguage(ofRequest) ?? plainLanguage(ofChannel) ?? plainLanguage(ofTrack);
  if (worker.isEnglishOnly) {
    if ((known ?? 'en') !== 'en') throw new CannotBe(message('speech.english-only', { model: model.name }));
    return { label: 'en', lang: 'en' };
  }
  return known === null ? recognizeLanguage(work) : { label: known, lang: known };
}

/** Writes the track of a video to its place. Another file there is not overwritten. Returns its stored path. */
async function placeTrack({ app, video, folder }: Work, lang: string, text: string) {
  const { db, files, config } = app;
  const before = await db
    .selectFrom('subtitle')
    .select(['lang', 'path'])
    .where('videoId', '=', video.id)
    .where('source', '=', 'generated')
    .execute();
  const stem = stemOf(video.mediaPath);
  const replaced = before.map(({ path }) => path);
  if (files.isRemote) {
    const path = `${stem}.${uniquePart()}.${lang}.vtt`;
    const local = join(folder, 'track.vtt');
    await writeAtomically(local, text);
    await beginUpload(app, { id: path, number: 0, paths: [path] });
    await putFiles(app, [{ local, path, ...(await fingerprint(local)) }]);
    return { path, upload: path, replaced };
  }
  const path = `${stem}.${lang}.vtt`;
  const full = join(config.mediaFolder, path);
  const isOurs =
    replaced.includes(path) || ((await exists(full)) && (await readFile(full, 'utf8')).includes(`NOTE ${generatedNote}`));
  if (isOurs) await writeAtomically(full, text);
  else {
    const part = `${full}.part`;
    await writeAtomically(part, text);
    if (!(await moveUnlessTaken(part, full))) throw new PathTakenError(path);
  }
  return { path, upload: null, replaced: replaced.filter((one) => one !== path) };
}

/** Publishes the transcript: its file, then its rows in one transaction. Captions that appeared meanwhile take precedence. */
async function publish(work: Work, lang: string, cues: Cue[]): Promise<void> {
  const { app, video, model } = work;
  const { db, files, now } = app;
  if (await captionsOf(db, video.id, lang)) {
    await finishTranscription(db, video.id, { state: 'done', now: now() });
    return;
  }
  const placed = await placeTrack(work, lang, vttOf(cues, lang, `${generatedNote} with whisper ${model.name}`));
  const discarded = await inTransaction(db, async (tx) => {
    if (placed.upload) await commitUpload(tx, placed.upload);
    const isThere = await tx.selectFrom('video').select('id').where('id', '=', video.id).executeTakeFirst();
    const taken = await tx
      .selectFrom('subtitle')
      .select('path')
      .where('videoId', '=', video.id)
      .where('lang', '=', lang)
      .where('source', '!=', 'generated')
      .executeTakeFirst();
    if (isThere) await finishTranscription(tx, video.id, { state: 'done', now: now() });
    if (!isThere || taken) {
      // A file of the site has the same name, and has replaced this one.
      const paths = taken?.path === placed.path ? [] : [placed.path];
      await scheduleDeletion(tx, paths);
      return paths;
    }
    const old = tx.selectFrom('subtitle').select('lang').where('videoId', '=', video.id).where('source', '=', 'generated');
    await tx.deleteFrom('transcriptLine').where('videoId', '=', video.id).where('lang', 'in', old).execute();
    await tx.deleteFrom('subtitle').where('videoId', '=', video.id).where('source', '=', 'generated').execute();
    const row = { videoId: video.id, lang, source: 'generated' as const, name: englishName(lang), path: placed.path };
    await tx.insertInto('subtitle').values(row).execute();
    await saveTranscriptOf(tx, video.id, { lang, lines: transcriptLines(lang, cues) });
    await scheduleDeletion(tx, placed.replaced);
    return placed.replaced;
  });
  await deletePendingFiles(app, discarded);
  if (!files.isRemote || discarded.length === 0) app.announce('video');
}

/** Transcribes a video slice by slice. Each slice is saved, so that the work continues where it was stopped. */
async function transcribe(
  work: Work,
  row: TranscriptionRow,
  on: { progress(doneSeconds: number): void; busy(): void },
): Promise<void> {
  const { app, video, worker, signal } = work;
  const { db, now } = app;
  if (row.attempts > maxAttempts) throw new CannotBe(message('speech.crashed', { count: maxAttempts }));
  let { label, lang } = await languageOf(work, row.lang);
  const known = parseCues(row.cues);
  let cues = known ?? [];
  let { doneMs, workMs } = known ? row : { doneMs: 0, workMs: 0 };
  for (;;) {
    signal.throwIfAborted();
    const start = doneMs / 1000;
    on.progress(start);
    const began = performance.now();
    const sound = await decode(work, start, sliceSeconds);
    if (sound.seconds < 0.1) break;
    const isLast = sound.seconds < sliceSeconds - 1;
    // There was no speech in the windows.
    if (lang === null) ({ label, lang } = labelled([await worker.detect(sound.path)]));
    const late = setTimeout(() => on.busy(), busyMs);
    const { consumed, segments } = await worker.transcribe(sound.path, { lang, isLast }).finally(() => clearTimeout(late));
    cues = withoutRepetitions([...cues, ...cuesOfSegments(segments, start)]);
    doneMs += Math.round(Math.max(consumed, 1) * 1000);
    workMs += Math.round(performance.now() - began);
    await saveProgress(db, video.id, { lang: label, doneMs, workMs, cues });
    if (isLast) break;
  }
  if (cues.length === 0) await finishTranscription(db, video.id, { state: 'no_speech', now: now() });
  else await publish(work, label, cues);
}

/** Returns the failure as messages for the user. The output of programs goes to the log. */
function whyFailed(problem: unknown): Message[] {
  if (problem instanceof MessageError) return problem.messages;
  if (problem instanceof IncompleteFileError) return problem.messages;
  return [message(problem instanceof ProcessError ? 'speech.program' : 'speech.failed')];
}

/** Transcribes what is due with one process. Returns the number of videos. */
async function transcribeDue({ signal, report, skip }: TaskWork<unknown>, app: AppContext): Promise<number> {
  const engine = await speechEngine.find(app);
  if (!engine) throw new MessageError(speechEngine.whyMissing(app));
  const model = await chooseModel(app);
  const { threads } = (await readSettings(app.db)).speech;
  const folder = await createTempDir();
  let current: WantedVideo | null = null;
  const hours = watchBackgroundHours(app, () => current?.isUrgent ?? false);
  const both = AbortSignal.any([signal, hours.signal]);
  let worker: SpeechWorker | undefined;
  let count = 0;
  try {
    for (current = await nextAllowed(app); current; current = await nextAllowed(app)) {
      const video: WantedVideo = current;
      // Of an unmounted disk every video would fail.
      const whyNoMedia = await whyMediaUnavailable(app);
      if (whyNoMedia) throw new MessageError(whyNoMedia);
      try {
        const row = await beginTranscription(app, video, model.name);
        const media = await localPathOrNull(app.files, video.mediaPath, both);
        if (!media) throw new CannotBe(message('speech.no-file'));
        await mkdir(folder, { recursive: true });
        worker ??= await startSpeechWorker(engine, model, { threads, cwd: folder, signal: both });
        await transcribe({ app, video, media, model, worker, folder, signal: both }, row, {
          progress: (done) =>
            report({
              messages: [message('speech.running', { title: video.title })],
              progress: Math.min(1, done / Math.max(1, video.durationSeconds)),
            }),
          busy: () => report({ messages: [message('speech.busy')] }),
        });
        count++;
      } catch (problem) {
        if (both.aborted) {
          await interruptTranscription(app.db, video.id);
          break;
        }
        if (problem instanceof ModelProblem) {
          await interruptTranscription(app.db, video.id);
          app.log.warn({ err: problem }, 'cannot load the speech model');
          throw new MessageError(message('speech.model-damaged', { name: model.name }), { cause: problem });
        }
        if (problem instanceof StorageError) {
          await interruptTranscription(app.db, video.id);
          throw problem;
        }
        // The next video gets another process.
        await worker?.close();
        worker = undefined;
        const why = whyFailed(problem);
        await finishTranscription(app.db, video.id, { state: 'failed', why, now: app.now() });
        skip(video.title, why, { videoId: video.id, cause: problem });
      }
    }
  } finally {
    hours.stop();
    await worker?.close();
    await removeFolder(folder);
  }
  signal.throwIfAborted();
  return count;
}

/** Transcribes requested videos, then with that setting all without captions, one after the other. */
export async function transcribeVideos(work: TaskWork<unknown>, app: AppContext): Promise<Message | void> {
  let count = 0;
  // A request may arrive while the process ends.
  do count += await transcribeDue(work, app);
  while (await nextAllowed(app));
  return count > 0 ? message('speech.done', { count }) : undefined;
}
