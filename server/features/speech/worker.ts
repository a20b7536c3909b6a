import { z } from 'zod';
import type { Engine } from '../../archive/binaries/python-engine.ts';
import { startJsonLinesChild } from '../../platform/process/json-lines-child.ts';
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
  /** Bytes that the process has used at most so far. */
  memory: z.int(),
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
  const { reply, ask, close } = await startJsonLinesChild(engine.python, ['-u', script, path, String(threads)], {
    cwd,
    signal,
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
  try {
    const ready = Ready.parse(await reply());
    if ('problem' in ready) throw new ModelProblem(ready.problem);
    return {
      isEnglishOnly: ready.is_english_only,
      detect: async (file) => Detected.parse(await ask({ detect: file })),
      transcribe: async (file, { lang, isLast }) => Transcribed.parse(await ask({ transcribe: file, lang, is_last: isLast })),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
