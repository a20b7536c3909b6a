import type { MeaningModel } from '#contract/meaning-models.ts';
import { message, type Message } from '#contract/messages.ts';
import { readSettings } from '../../archive/settings/store.ts';
import { nextBackgroundTime } from '../../archive/settings/background-hours.ts';
import { watchBackgroundHours } from '../../archive/settings/watch-background-hours.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import type { TaskWork } from '../../platform/context/task.ts';
import { removeFolder } from '../../platform/files/files.ts';
import { MessageError } from '../../platform/messages/message-error.ts';
import { createTempDir } from '../../platform/process/temp-dir.ts';
import { hasOtherModels, setActiveModel } from './active-model.ts';
import { cutPassages } from './cut-passages.ts';
import { startEmbedder, type Embedder } from './embedder.ts';
import { meaningEngines } from './engine.ts';
import { understands } from './model.ts';
import { syncMeaningFiles } from './sync-files.ts';
import {
  countOutdated,
  deleteAbandoned,
  deleteOtherModels,
  hasPassagesToAdd,
  indexTotals,
  knownVectors,
  languageToEmbed,
  linesOf,
  maxPassages,
  nextVideos,
  savePassages,
  type EmbeddedVideo,
  type OutdatedVideo,
} from './store.ts';

const videosAtOnce = 100;
const passagesPerTransaction = 200;
// About a third of a second on one core, so that a stop takes effect soon.
const textsAtOnce = 32;

/** Whether passages may be embedded now. `model`: also whether it is still the chosen one. */
export async function isTimeToEmbed({ db, now }: AppContext, model?: MeaningModel): Promise<boolean> {
  const { meaning, background } = await readSettings(db);
  const isChosen = model === undefined || meaning.model === model;
  return meaning.enabled && isChosen && nextBackgroundTime(background.hours, now()) <= now();
}

/** Cuts a transcript and embeds the passages whose text is new. */
async function embedVideo(
  { db }: AppContext,
  model: MeaningModel,
  { id, newest }: OutdatedVideo,
  embedder: () => Promise<Embedder>,
  signal: AbortSignal,
): Promise<EmbeddedVideo | null> {
  const lang = await languageToEmbed(db, model, id);
  if (lang === null) return null;
  const passages = understands(model, lang) ? cutPassages(await linesOf(db, id, lang)) : [];
  const vectors = await knownVectors(db, model, id);
  const fresh = [...new Map(passages.filter(({ mark }) => !vectors.has(mark)).map((one) => [one.mark, one])).values()];
  for (let from = 0; from < fresh.length; from += textsAtOnce) {
    signal.throwIfAborted();
    const some = fresh.slice(from, from + textsAtOnce);
    const found = await (
      await embedder()
    ).embed(
      some.map(({ text }) => text),
      'passage',
    );
    for (const [place, { mark }] of some.entries()) vectors.set(mark, found[place]!);
  }
  return { id, newest, lang, passages: passages.map((one) => ({ ...one, vector: vectors.get(one.mark)! })) };
}

/** If the index of a model is complete, it answers from now on, and the passages of other models are deleted. */
async function replaceOtherModels(app: AppContext, model: MeaningModel, signal: AbortSignal) {
  const { db } = app;
  const isDue = async () => (await isTimeToEmbed(app, model)) && (await hasOtherModels(db, model));
  if (!(await isDue()) || (await hasPassagesToAdd(db, model))) return;
  // Before it answers, so that no question meets missing files.
  await syncMeaningFiles(app);
  await setActiveModel(db, model);
  while ((await isDue()) && (await deleteOtherModels(db, model))) signal.throwIfAborted();
  await syncMeaningFiles(app);
}

/** Embeds the transcripts of all videos that need it. A stop or a crash loses what is not saved yet: about 200 passages, or one video. */
export async function embedPassages({ signal, report }: TaskWork<unknown>, app: AppContext): Promise<Message | void> {
  const { db, announce } = app;
  const { model } = (await readSettings(db)).meaning;
  const engine = await meaningEngines[model].find(app);
  if (!engine) throw new MessageError(meaningEngines[model].whyMissing(app));
  while (await deleteAbandoned(db)) signal.throwIfAborted();
  const folder = await createTempDir();
  const hours = watchBackgroundHours(app);
  const both = AbortSignal.any([signal, hours.signal]);
  let running: Promise<Embedder> | undefined;
  const embedder = () => (running ??= startEmbedder(engine, model, { cwd: folder, signal: both, isIdle: true }));
  const total = await countOutdated(db, model);
  let { passages } = await indexTotals(db, model);
  let done = 0;
  let ready: EmbeddedVideo[] = [];
  const save = async () => {
    await savePassages(db, model, ready);
    ready = [];
    report({ messages: [message('meaning.running', { done, total })], progress: Math.min(1, done / Math.max(1, total)) });
  };
  try {
    embedding: while (await isTimeToEmbed(app, model)) {
      const videos = await nextVideos(db, model, videosAtOnce);
      if (videos.length === 0) break;
      const before = done;
      for (const video of videos) {
        both.throwIfAborted();
        // Another model may have been chosen.
        if (!(await isTimeToEmbed(app, model))) break;
        if (passages >= maxPassages) break embedding;
        const embedded = await embedVideo(app, model, video, embedder, both);
        if (!embedded) continue;
        ready.push(embedded);
        passages += embedded.passages.length;
        done++;
        if (ready.reduce((sum, one) => sum + one.passages.length, 0) >= passagesPerTransaction) await save();
      }
      await save();
      // Their tracks disappeared meanwhile.
      if (done === before) break;
      // So that new videos are found when the task ends; of a long run, about every minute.
      await syncMeaningFiles(app);
    }
    await replaceOtherModels(app, model, both);
  } catch (error) {
    if (hours.signal.aborted && !signal.aborted) return;
    app.state.passagesFailedAt = app.now();
    throw error;
  } finally {
    hours.stop();
    await running?.then(
      (started) => started.close(),
      () => undefined,
    );
    await removeFolder(folder);
    announce('settings');
  }
  if (done > 0) return message('meaning.done', { count: done });
}
