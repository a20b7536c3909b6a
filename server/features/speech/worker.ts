import { createInterface } from 'node:readline';
import { z } from 'zod';
import { killGroup } from '../../platform/process/process-group.ts';
import { ProcessError } from '../../platform/process/run.ts';
import { startProcess } from '../../platform/process/spawn.ts';
import type { Engine } from './engine.ts';
import type { ModelFolder } from './models.ts';

const script = new URL('./speech-worker.py', import.meta.url).pathname;

const Ready = z.union([z.object({ problem: z.string() }), z.object({ is_english_only: z.boolean() })]);
const Detected = z.object({
  lang: z
    .string()
    .regex(/^[a-z]{2,3}$/)
    .nullable(),
  probability: z.number().default(0),
});
const Transcribed = z.object({
  consumed: z.number().min(0),
  segments: z.array(z.object({ start: z.number(), end: z.number(), text: z.string().max(5000) })).max(5000),
});
/** A sentence or a part of it. Times in seconds from the beginning of the slice. */
export type Segment = z.infer<typeof Transcribed>['segments'][number];

/** The model file cannot be used. */
export class ModelProblem extends Error {}

/** A process with a loaded speech model. */
export interface SpeechWorker {
  isEnglishOnly: boolean;
  /** Returns the language of a file with raw sound, and how sure that is; null without speech. */
  detect(path: string): Promise<{ lang: string | null; probability: number }>;
  /** Transcribes a file with raw sound, of which the next slice begins after `consumed` seconds. Without `lang` it is recognized. */
  transcribe(path: string, options: { lang: string | null; isLast: boolean }): Promise<z.infer<typeof Transcribed>>;
  /** Ends the process within a second. */
  close(): Promise<void>;
}

const lastWordsLength = 4000;

/**
 * Starts a process with a speech model: without network, with idle priority and bounded memory. It ends with `signal`.
 * @throws ModelProblem if the model cannot be loaded
 * @throws ProcessError if the process ends, also from its functions
 */
export async function startSpeechWorker(
  engine: Engine,
  { path, bytes }: ModelFolder,
  { threads, cwd, signal }: { threads: number; cwd: string; signal: AbortSignal },
): Promise<SpeechWorker> {
  signal.throwIfAborted();
  const { child, groupId, closed } = await startProcess(engine.python, ['-u', script, path, String(threads)], {
    cwd,
    hasOpenInput: true,
    isIdle: true,
    isOffline: true,
    // Weights are read as they are and converted to eight bits.
    limits: { dataBytes: 3 * bytes + 500_000_000 },
    env: {
      ...(engine.packages && { PYTHONPATH: engine.packages }),
      PYTHONDONTWRITEBYTECODE: '1',
      HF_HUB_OFFLINE: '1',
      OMP_NUM_THREADS: String(threads),
    },
  });
  const close = () => killGroup(groupId);
  const onAbort = () => void close();
  signal.addEventListener('abort', onAbort, { once: true });
  let lastWords = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (lastWords = (lastWords + text).slice(-lastWordsLength)));
  const replies = createInterface({ input: child.stdout, crlfDelay: Infinity })[Symbol.asyncIterator]();
  const reply = async (): Promise<unknown> => {
    const { done, value } = await replies.next();
    if (!done) return JSON.parse(value);
    signal.throwIfAborted();
    const { code, signal: killedBy } = await closed;
    throw new ProcessError('python3', { reason: 'exit', code, signal: killedBy, lastWords });
  };
  const ask = (request: object) => {
    child.stdin!.write(`${JSON.stringify(request)}\n`);
    return reply();
  };
  const end = async () => {
    signal.removeEventListener('abort', onAbort);
    await close();
  };
  try {
    const ready = Ready.parse(await reply());
    if ('problem' in ready) throw new ModelProblem(ready.problem);
    return {
      isEnglishOnly: ready.is_english_only,
      detect: async (file) => Detected.parse(await ask({ detect: file })),
      transcribe: async (file, { lang, isLast }) => Transcribed.parse(await ask({ transcribe: file, lang, is_last: isLast })),
      close: end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}
