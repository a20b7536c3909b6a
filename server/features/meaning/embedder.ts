import { z } from 'zod';
import type { MeaningModel } from '#contract/meaning-models.ts';
import type { Engine } from '../../archive/binaries/python-engine.ts';
import { startJsonLinesChild } from '../../platform/process/json-lines-child.ts';
import { models } from './model.ts';

const script = new URL('./meaning-worker.py', import.meta.url).pathname;

const Ready = z.object({ dimensions: z.int() });
const Embedded = z.object({ vectors: z.array(z.base64()) });

/** A process with the loaded model. */
export interface Embedder {
  /** Returns the vectors of texts of eight-bit numbers. One call at a time. */
  embed(texts: readonly string[], kind: 'question' | 'passage'): Promise<Uint8Array[]>;
  close(): Promise<void>;
}

/**
 * Starts a process with the model, without network and with bounded memory. It ends with `signal`. `isIdle`: it gets only idle processor time.
 * @throws ProcessError if the process ends, also from its functions
 */
export async function startEmbedder(
  engine: Engine,
  model: MeaningModel,
  { cwd, signal, isIdle }: { cwd: string; signal: AbortSignal; isIdle: boolean },
): Promise<Embedder> {
  const { dimensions } = models[model];
  const { reply, ask, close } = await startJsonLinesChild(engine.python, ['-u', script, model], {
    cwd,
    signal,
    isIdle,
    isOffline: true,
    limits: { dataBytes: 1_000_000_000 },
    env: {
      ...(engine.packages && { PYTHONPATH: engine.packages }),
      PYTHONDONTWRITEBYTECODE: '1',
      // One thread: the libraries of numpy would start one for each processor.
      OMP_NUM_THREADS: '1',
      OPENBLAS_NUM_THREADS: '1',
    },
  });
  try {
    if (Ready.parse(await reply()).dimensions !== dimensions) throw new Error('The model has vectors of another form.');
  } catch (error) {
    await close();
    throw error;
  }
  return {
    async embed(texts, kind) {
      const { vectors } = Embedded.parse(await ask({ texts, kind }));
      const found = vectors.map((text) => new Uint8Array(Buffer.from(text, 'base64')));
      if (found.length !== texts.length || found.some(({ length }) => length !== dimensions))
        throw new Error('The model returned vectors of another form.');
      return found;
    },
    close,
  };
}
