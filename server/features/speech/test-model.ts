import { message } from '#contract/messages.ts';
import type { SpeechTest } from '#contract/speech.ts';
import { readSettings } from '../../archive/settings/store.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { removeFolder } from '../../platform/files/files.ts';
import { decodeSound } from '../../platform/media/decode-sound.ts';
import { MessageError } from '../../platform/messages/message-error.ts';
import { createTempDir } from '../../platform/process/temp-dir.ts';
import { speechEngine } from './engine.ts';
import { findModels } from './models.ts';
import { ModelProblem, startSpeechWorker } from './worker.ts';
import { join } from 'node:path';

// Two sentences of "Sense and Sensibility" by a reader of LibriVox, in the public domain.
const recording = new URL('./test-clip.opus', import.meta.url).pathname;
const seconds = 10.1;
// The largest model needs half a minute on an old processor.
const longestMs = 300_000;

/**
 * Transcribes ten seconds of English with a model.
 * @throws MessageError if the engine or the model cannot be used
 */
export async function testModel(app: AppContext, name: string): Promise<SpeechTest> {
  const engine = await speechEngine.find(app);
  if (!engine) throw new MessageError(speechEngine.whyMissing(app));
  const model = (await findModels(app)).find((one) => one.name === name);
  if (!model) throw new MessageError(message('speech.model-missing', { name }));
  if (model.problem) throw new MessageError(model.problem);
  if (!app.tools.ffmpeg) throw new MessageError(message('download.missing-tool', { tool: 'ffmpeg' }));
  const { threads } = (await readSettings(app.db)).speech;
  const folder = await createTempDir();
  const signal = AbortSignal.timeout(longestMs);
  try {
    await decodeSound(app.tools.ffmpeg, { media: recording, start: 0, seconds: 30, folder, name: 'sound.raw' }, signal);
    const worker = await startSpeechWorker(engine, model, { threads, cwd: folder, signal });
    try {
      const begun = performance.now();
      const { segments, memory } = await worker.transcribe(join(folder, 'sound.raw'), { lang: 'en', isLast: true });
      const text = segments.map((one) => one.text).join(' ');
      return { text, speed: seconds / ((performance.now() - begun) / 1000), memory };
    } finally {
      await worker.close();
    }
  } catch (error) {
    app.log.warn({ err: error, model: name }, 'the test of a speech model failed');
    throw error instanceof ModelProblem
      ? new MessageError(message('speech.model-damaged', { name }), { cause: error })
      : new MessageError(message('speech.test-failed', { name }), { cause: error });
  } finally {
    await removeFolder(folder);
  }
}
