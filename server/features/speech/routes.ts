import { message, type Message } from '#contract/messages.ts';
import { speechCalls, type Transcription } from '#contract/speech.ts';
import { backgroundHoursPerDay, nextBackgroundTime } from '../../archive/settings/background-hours.ts';
import { readSettings } from '../../archive/settings/store.ts';
import { deletePendingFiles } from '../../archive/storage/pending-deletions.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { forbidden, HttpError, notFound } from '../../platform/http/http-error.ts';
import { routes, type User } from '../../platform/http/route.ts';
import { messagesOf } from '../../platform/messages/message-error.ts';
import { renderMessages } from '../../platform/messages/render.ts';
import { parseMessages } from '../../platform/messages/stored.ts';
import { modelName, whyNotReady } from './choose-model.ts';
import { speechEngine } from './engine.ts';
import { findModels, speechModels } from './models.ts';
import {
  captionsOf,
  choiceOf,
  deleteGeneratedTrack,
  findTranscription,
  findVideo,
  hasSound,
  makeUrgent,
  mayRequestTranscripts,
  measuredSpeed,
  missingTranscripts,
  parseCues,
  requestTranscription,
  transcribeChoicesOf,
} from './store.ts';
import { downloadSpeechModelTask, installSpeechEngineTask, transcribeVideosTask } from './tasks.ts';

const withProblem = (why: Message[] | null) => ({ problem: why && renderMessages(why), problem_messages: why });
const withWhy = (why: Message[] | null) => ({ why: why && renderMessages(why), why_messages: why });
const conflict = (why: Message | Message[]) => new HttpError(409, why);

const videoOf = async ({ db }: AppContext, id: string) => {
  const video = await findVideo(db, id);
  if (!video) throw notFound('error.video');
  return video;
};

async function transcriptionOf(app: AppContext, id: string): Promise<Transcription> {
  const { db, now } = app;
  const video = await videoOf(app, id);
  const [row, captions, { background }, choices] = await Promise.all([
    findTranscription(db, id),
    captionsOf(db, id),
    readSettings(db),
    transcribeChoicesOf(db),
  ]);
  const speed = await measuredSpeed(db, await modelName(app));
  const result = {
    done: (row?.doneMs ?? 0) / 1000,
    ...withWhy(null),
    work: speed && video.durationSeconds / speed,
    starts_at: null,
    lines: [],
  };
  if (captions && row?.state !== 'queued') return { ...result, state: 'captions' };
  const why = choiceOf(choices, video.channelId) === 'off' ? [message('speech.off')] : await whyNotReady(app);
  if (!row || row.sha256 !== video.sha256 || row.state === 'deleted') return { ...result, ...withWhy(why), state: 'none' };
  if (row.state !== 'queued')
    return { ...result, ...withWhy(row.reason === null ? null : parseMessages(row.reason)), state: row.state };
  const isRunning = row.startedAt !== null && (await app.tasks.activeInputs(transcribeVideosTask.name)).length > 0;
  const next = row.isUrgent === 1 ? now() : nextBackgroundTime(background.hours, now());
  return {
    ...result,
    state: isRunning ? 'running' : 'queued',
    ...withWhy(why),
    starts_at: next > now() ? next : null,
    lines: parseCues(row.cues) ?? [],
  };
}

/** @throws 403 without the permission to request transcripts */
async function requirePermission({ db }: AppContext, { id, isStaff }: User): Promise<void> {
  if (!isStaff && !(await mayRequestTranscripts(db, id))) throw forbidden('error.permission');
}

export const speechRoutes = routes(speechCalls, {
  'GET /api/speech/': async (_, app) => {
    const { db } = app;
    const { background } = await readSettings(db);
    const model = await modelName(app);
    const [engine, models, { videos, seconds }, why, speed] = await Promise.all([
      speechEngine.versions(app),
      findModels(app),
      missingTranscripts(db, model),
      whyNotReady(app),
      measuredSpeed(db, model),
    ]);
    const secondsPerNight = backgroundHoursPerDay(background.hours) * 3600;
    return {
      engine,
      models: models.map(({ name, bytes, isEnglishOnly, problem }) => ({
        name,
        bytes,
        is_english_only: isEnglishOnly,
        ...withProblem(problem && [problem]),
      })),
      folder: speechModels(app),
      ...withProblem(why),
      videos,
      seconds,
      speed,
      nights: background.hours && speed ? Math.ceil(seconds / speed / secondsPerNight) : null,
    };
  },

  'POST /api/speech/engine/': async ({ body: { action } }, app) => {
    if (app.config.modelsPython !== undefined) throw conflict(message('speech.configured'));
    if (app.config.node !== undefined) throw conflict(speechEngine.whyMissing(app));
    if (action === 'install') return { task_id: (await app.tasks.start(installSpeechEngineTask, {})).id };
    if (!(await speechEngine.rollBack(app))) throw conflict(message('speech.no-previous'));
    return { task_id: null };
  },

  'POST /api/speech/model/': async ({ body }, app) => {
    if (app.config.node !== undefined && !app.config.isModelsFolderSet) throw conflict(message('speech.several-servers'));
    return { task_id: (await app.tasks.start(downloadSpeechModelTask, body)).id };
  },

  'POST /api/speech/test/': async ({ body: { name } }, app) => {
    const { testModel } = await import('./test-model.ts');
    return testModel(app, name).catch((error: unknown) => {
      throw conflict(messagesOf(error));
    });
  },

  'GET /api/video/:id/transcribe/': async ({ params, user }, app) => {
    await videoOf(app, params.id);
    await requirePermission(app, user);
    return transcriptionOf(app, params.id);
  },

  'POST /api/video/:id/transcribe/': async ({ params, body: { lang, now: isUrgent }, user }, app) => {
    const { db } = app;
    const video = await videoOf(app, params.id);
    await requirePermission(app, user);
    // The background hours are those of the administrators.
    if (isUrgent && !user.isStaff) throw forbidden('error.permission');
    if (choiceOf(await transcribeChoicesOf(db), video.channelId) === 'off') throw conflict(message('speech.off'));
    const why = await whyNotReady(app);
    if (why) throw conflict(why);
    if (!(await hasSound(db, video.id))) throw conflict(message('speech.no-sound'));
    const captions = await captionsOf(db, video.id, lang);
    if (captions) throw conflict(message('speech.captions', { name: captions.name }));
    if (!(await app.files.stat(video.mediaPath))) throw conflict(message('speech.no-file'));
    const row = await findTranscription(db, video.id);
    const isQueued = row?.state === 'queued' && row.sha256 === video.sha256 && row.isRequested === 1;
    if (isQueued && (!isUrgent || row.isUrgent === 1)) throw conflict(message('speech.queued'));
    if (isQueued) await makeUrgent(db, video.id);
    else await requestTranscription(app, video, { lang: lang ?? null, isUrgent });
    const state = await transcriptionOf(app, video.id);
    if (state.starts_at === null) await app.tasks.start(transcribeVideosTask, {});
    return state;
  },

  'DELETE /api/video/:id/transcript/:lang/': async ({ params: { id, lang } }, app) => {
    const path = await deleteGeneratedTrack(app.db, id, lang);
    if (path === null) throw notFound('error.transcript');
    await deletePendingFiles(app, [path]);
    app.announce('video');
  },
});
