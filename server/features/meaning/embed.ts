import { message, type Message } from '#contract/messages.ts';
import { readSettings } from '../../archive/settings/store.ts';
import { nextBackgroundTime } from '../../archive/settings/background-hours.ts';
import { watchBackgroundHours } from '../../archive/settings/watch-background-hours.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import type { TaskWork } from '../../platform/context/task.ts';
import { removeFolder } from '../../platform/files/files.ts';
import { MessageError } from '../../platform/messages/message-error.ts';
import { createTempDir } from '../../platform/process/temp-dir.ts';
import { cutPassages } from './cut-passages.ts';
import { startEmbedder, type Embedder } from './embedder.ts';
import { meaningEngine } from './engine.ts';
import { understands } from './model.ts';
import { syncMeaningFiles } from './sync-files.ts';
import {
  countOutdated,
  deleteAbandoned,
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

/** Whether passages may be embedded now. */
export async function isTimeToEmbed({ db, now }: AppContext): Promise<boolean> {
  const { meaning, background } = await readSettings(db);
  return meaning.enabled && nextBackgroundTime(background.hours, now()) <= now();
}

/** Cuts a transcript and embeds the passages whose text is new. */
async function embedVideo(
  { db }: AppContext,
  { id, newest }: OutdatedVideo,
  embedder: () => Promise<Embedder>,
  signal: AbortSignal,
): Promise<EmbeddedVideo | null> {
  const lang = await languageToEmbed(db, id);
  if (lang === null) return null;
  const passages = understands(lang) ? cutPassages(await linesOf(db, id, lang)) : [];
  const vectors = await knownVectors(db, id);
  const fresh = [...new Map(passages.filter(({ mark }) => !vectors.has(mark)).map((one) => [one.mark, one])).values()];
  for (let from = 0; from < fresh.length; from += textsAtOnce) {
    signal.throwIfAborted();
    const some = fresh.slice(from, from + textsAtOnce);
    const found = await (await embedder()).embed(some.map(({ text }) => text));
    for (const [place, { mark }] of some.entries()) vectors.set(mark, found[place]!);
  }
  return { id, newest, lang, passages: passages.map((one) => ({ ...one, vector: vectors.get(one.mark)! })) };
}

/** Embeds the transcripts of all videos that need it. A stop or a crash loses what is not saved yet: about 200 passages, or one video. */
export async function embedPassages({ signal, report }: TaskWork<unknown>, app: AppContext): Promise<Message | void> {
  const { db, announce } = app;
  const engine = await meaningEngine.find(app);
  if (!engine) throw new MessageError(meaningEngine.whyMissing(app));
  while (await deleteAbandoned(db)) signal.throwIfAborted();
  const folder = await createTempDir();
  const hours = watchBackgroundHours(app);
  const both = AbortSignal.any([signal, hours.signal]);
  let running: Promise<Embedder> | undefined;
  const embedder = () => (running ??= startEmbedder(engine, { cwd: folder, signal: both, isIdle: true }));
  const total = await countOutdated(db);
  let { passages } = await indexTotals(db);
  let done = 0;
  let ready: EmbeddedVideo[] = [];
  const save = async () => {
    await savePassages(db, ready);
    ready = [];
    report({ messages: [message('meaning.running', { done, total })], progress: Math.min(1, done / Math.max(1, total)) });
  };
  try {
    embedding: while (await isTimeToEmbed(app)) {
      const videos = await nextVideos(db, videosAtOnce);
      if (videos.length === 0) break;
      const before = done;
      for (const video of videos) {
        both.throwIfAborted();
        if (passages >= maxPassages) break embedding;
        const embedded = await embedVideo(app, video, embedder, both);
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
