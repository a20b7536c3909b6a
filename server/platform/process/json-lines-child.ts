import { createInterface } from 'node:readline';
import { killGroup } from './process-group.ts';
import { ProcessError } from './process-error.ts';
import { startProcess, type SpawnEnvironment } from './spawn.ts';

/** A program that reads a JSON object per line from stdin and writes one per line to stdout. */
export interface JsonLinesChild {
  /** Returns the next line. */
  reply(): Promise<unknown>;
  /** Sends a request and returns the next line. One at a time. */
  ask(request: object): Promise<unknown>;
  /** Ends the process within a second. */
  close(): Promise<void>;
}

const lastWordsLength = 4000;

/**
 * Starts such a program. It ends with `signal`.
 * @throws ProcessError if the process ends, also from its functions
 */
export async function startJsonLinesChild(
  program: string,
  args: string[],
  { signal, ...options }: Omit<SpawnEnvironment, 'input' | 'hasOpenInput'> & { signal: AbortSignal },
): Promise<JsonLinesChild> {
  signal.throwIfAborted();
  const { child, groupId, closed } = await startProcess(program, args, { ...options, hasOpenInput: true });
  const onAbort = () => void killGroup(groupId);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
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
  return {
    reply,
    ask(request) {
      child.stdin!.write(`${JSON.stringify(request)}\n`);
      return reply();
    },
    async close() {
      signal.removeEventListener('abort', onAbort);
      await killGroup(groupId);
    },
  };
}
