import { isMainThread, parentPort, workerData, Worker, type MessagePort } from 'node:worker_threads';
import { message, type Message } from '#contract/messages.ts';
import type { SourceProgram } from '#contract/program-import.ts';
import { MessageError, messagesOf } from '../../platform/messages/message-error.ts';
import type { Item } from './item/item.ts';

// A thread reads the files of other programs: they are untrusted and may take long to parse, and requests are answered meanwhile.

interface ReadOptions {
  program: SourceProgram;
  path: string;
  /** Epoch seconds. */
  now: number;
}

type Reply = { items: Item[]; isEnd: boolean } | { failed: Message[] };

const batchSize = 200;
const resourceLimits = { maxOldGenerationSizeMb: 1024 };
/** Longest time between two batches. The first one waits for the copy and the check of a database of up to 8 GB. */
const maxSilenceMs = 20 * 60_000;
// A thread that parses without a break does not notice that it shall end.
const stopMs = 2_000;

async function* itemsOf({ program, path, now }: ReadOptions, signal: AbortSignal): AsyncGenerator<Item> {
  const [{ programs }, { openSource }] = await Promise.all([import('./programs/programs.ts'), import('./source/source.ts')]);
  const { isWanted, read } = programs[program];
  const source = await openSource(path, isWanted);
  try {
    yield* read({ source, signal, now, live: null });
  } finally {
    source.close();
  }
}

/** Sends a batch for each `next`. On `stop` it closes the source and ends. */
function serveItems(port: MessagePort, options: ReadOptions) {
  const controller = new AbortController();
  const items = itemsOf(options, controller.signal);
  const nextBatch = async (): Promise<Reply> => {
    const batch: Item[] = [];
    try {
      while (batch.length < batchSize) {
        const { value, done } = await items.next();
        if (done) return { items: batch, isEnd: true };
        batch.push(value);
      }
      return { items: batch, isEnd: false };
    } catch (error) {
      return { failed: messagesOf(error) };
    }
  };
  port.on('message', (request: 'next' | 'stop') => {
    if (request === 'next') return void nextBatch().then((reply) => port.postMessage(reply));
    controller.abort();
    void items.return(undefined).finally(() => port.close());
  });
}

const options = isMainThread ? undefined : (workerData as { readItems?: ReadOptions } | null)?.readItems;
if (parentPort && options) serveItems(parentPort, options);

/** Requests a batch. @throws MessageError if the thread fails or is silent for too long */
function requestBatch(thread: Worker, signal: AbortSignal): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const onError = (error: NodeJS.ErrnoException) =>
    reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new MessageError(message('migrate.out-of-memory')) : error);
  const onAbort = () => reject(signal.reason as Error);
  const onExit = () => reject(new Error('The thread that reads the files has ended.'));
  const timer = setTimeout(() => reject(new MessageError(message('migrate.too-slow'))), maxSilenceMs);
  thread.once('message', resolve).once('error', onError).once('exit', onExit);
  signal.addEventListener('abort', onAbort, { once: true });
  thread.postMessage('next');
  return promise.finally(() => {
    clearTimeout(timer);
    thread.off('message', resolve).off('error', onError).off('exit', onExit);
    signal.removeEventListener('abort', onAbort);
  });
}

/**
 * Yields the data of a folder or file of another program, which a thread reads.
 * @throws MessageError if it cannot be read
 */
export async function* readItems(readOptions: ReadOptions, signal: AbortSignal): AsyncGenerator<Item> {
  signal.throwIfAborted();
  const thread = new Worker(new URL(import.meta.url), { workerData: { readItems: readOptions }, resourceLimits });
  const ended = new Promise<void>((resolve) => thread.once('exit', () => resolve()));
  thread.on('error', () => undefined); // reported by the request
  try {
    for (;;) {
      const reply = await requestBatch(thread, signal);
      if ('failed' in reply) throw new MessageError(reply.failed);
      yield* reply.items;
      if (reply.isEnd) return;
    }
  } finally {
    thread.postMessage('stop');
    const timer = setTimeout(() => void thread.terminate(), stopMs);
    await ended;
    clearTimeout(timer);
  }
}
