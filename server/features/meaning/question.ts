import type { MeaningModel } from '#contract/meaning-models.ts';
import { message } from '#contract/messages.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { MessageError } from '../../platform/messages/message-error.ts';
import { createTempDir } from '../../platform/process/temp-dir.ts';
import { removeFolder } from '../../platform/files/files.ts';
import { startEmbedder, type Embedder } from './embedder.ts';
import { meaningEngines } from './engine.ts';

const idleMs = 600_000;
const longestMs = 10_000;
/** A longer question is cut. */
const maxCharacters = 512;

/** The process that turns questions into vectors. It stays for a while, because it takes a second or two to start. */
export interface QuestionProcess {
  model: MeaningModel;
  embedder: Promise<Embedder>;
  /** Resolves when the last question is done; they wait for each other. */
  last: Promise<unknown>;
  idle: NodeJS.Timeout | undefined;
  end(): Promise<void>;
}

declare module '../../platform/context/app-state.ts' {
  interface AppState {
    questionProcess: QuestionProcess | null;
  }
}

async function startQuestions(app: AppContext, model: MeaningModel): Promise<QuestionProcess> {
  const engine = await meaningEngines[model].find(app);
  if (!engine) throw new MessageError(meaningEngines[model].whyMissing(app));
  const cwd = await createTempDir();
  const ending = new AbortController();
  const embedder = startEmbedder(engine, model, { cwd, signal: ending.signal, isIdle: false });
  const questions: QuestionProcess = {
    model,
    embedder,
    last: Promise.resolve(),
    idle: undefined,
    async end() {
      clearTimeout(questions.idle);
      if (app.state.questionProcess === questions) app.state.questionProcess = null;
      ending.abort();
      await embedder.then(
        (started) => started.close(),
        () => undefined,
      );
      await removeFolder(cwd);
    },
  };
  embedder.catch(() => undefined);
  return questions;
}

/**
 * Returns the vector of a question. There is one process at a time: that of another model ends after its last question.
 * @throws MessageError if the engine is missing, ends, or takes longer than ten seconds
 */
export async function embedQuestion(app: AppContext, model: MeaningModel, text: string): Promise<Int8Array> {
  const { state } = app;
  const former = state.questionProcess;
  if (former && former.model !== model) {
    state.questionProcess = null;
    void former.last.then(() => former.end());
  }
  const questions = state.questionProcess ?? (await startQuestions(app, model));
  // Another question may have started one meanwhile.
  if (state.questionProcess && state.questionProcess !== questions) {
    await questions.end();
    return embedQuestion(app, model, text);
  }
  state.questionProcess = questions;
  clearTimeout(questions.idle);
  const answer = questions.last.then(async () => {
    const [vector] = await (await questions.embedder).embed([text.slice(0, maxCharacters)], 'question');
    return new Int8Array(vector!.buffer, vector!.byteOffset, vector!.length);
  });
  questions.last = answer.catch(() => undefined);
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('The model did not answer in time.')), longestMs);
  try {
    return await Promise.race([answer, late.promise]);
  } catch (error) {
    app.log.warn({ err: error }, 'cannot embed a question');
    await questions.end();
    throw error instanceof MessageError ? error : new MessageError(message('search.meaning-late'), { cause: error });
  } finally {
    clearTimeout(timer);
    questions.idle = setTimeout(() => void questions.end(), idleMs).unref();
  }
}
