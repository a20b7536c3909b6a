import { ProcessError, type ProcessFailure } from './process-error.ts';
import { killGroup } from './process-group.ts';
import { lineSplitter } from './split-lines.ts';
import { startProcess, type SpawnEnvironment } from './spawn.ts';

export { ProcessError } from './process-error.ts';

export interface ChildOptions extends SpawnEnvironment {
  signal: AbortSignal;
  /** Timeout without output on stdout or stderr. Default: ten minutes. */
  silenceMs?: number;
  /** Timeout in total. Default: none. */
  timeMs?: number;
  /** Longer lines are dropped. Default: one million characters. */
  lineLength?: number;
  /** Lines with another beginning are dropped early, so that noisy output costs no time and memory. */
  beginnings?: string[];
  /** Called with each chunk of stderr. */
  onStderr?: (text: string) => void;
}

const tenMinutes = 600_000;
const lastWordsLength = 16_000;

/**
 * Runs a program and yields the lines of its stdout. When it ends, also when the caller stops iterating, its whole process group
 * is dead.
 * @throws ProcessError if it fails, hangs, times out or cannot be started; the reason of the signal when that fires
 */
export async function* lines(program: string, args: string[], options: ChildOptions): AsyncGenerator<string> {
  const { signal, silenceMs = tenMinutes, timeMs, lineLength = 1_000_000, beginnings = [''], onStderr } = options;
  signal.throwIfAborted();
  const { child, groupId, closed } = await startProcess(program, args, options);

  let stopped: ProcessFailure | 'aborted' | undefined;
  let ended: Promise<void> | undefined;
  const stop = (why: ProcessFailure | 'aborted') => {
    stopped ??= why;
    ended ??= killGroup(groupId);
  };
  const onAbort = () => stop('aborted');
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  let isListening = true; // while the caller processes a line, the child may be blocked by a full pipe
  const silence = setTimeout(() => (isListening ? stop('silent') : silence.refresh()), silenceMs);
  const time = timeMs === undefined ? undefined : setTimeout(stop, timeMs, 'time');

  let lastWords = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    silence.refresh();
    lastWords = (lastWords + text).slice(-lastWordsLength);
    onStderr?.(text);
  });
  // A grandchild that survives its parent would keep the pipes open.
  child.once('exit', () => (ended ??= killGroup(groupId)));

  try {
    const { feed, end } = lineSplitter(lineLength);
    const isRelevant = (line: string) => beginnings.some((beginning) => line.startsWith(beginning));
    for await (const text of child.stdout.setEncoding('utf8') as AsyncIterable<string>) {
      isListening = false;
      for (const line of feed(text)) if (isRelevant(line)) yield line;
      isListening = true;
      silence.refresh();
    }
    for (const line of end()) if (isRelevant(line)) yield line;
    const { code, signal: killedBy } = await closed;
    await ended;
    if (stopped === 'aborted') signal.throwIfAborted();
    const reason = stopped === undefined || stopped === 'aborted' ? 'exit' : stopped;
    if (code !== 0 || stopped)
      throw new ProcessError(program, { code, signal: killedBy, lastWords, reason: reasonOf(reason, code, lastWords) });
  } finally {
    clearTimeout(silence);
    clearTimeout(time);
    signal.removeEventListener('abort', onAbort);
    await (ended ?? killGroup(groupId));
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

// The wrapper exists, but the program could not be executed (missing interpreter, wrong architecture).
const reasonOf = (reason: ProcessFailure, code: number | null, lastWords: string): ProcessFailure =>
  (code === 126 || code === 127 || code === 1) && /^(ionice|prlimit|chrt): failed to execute/m.test(lastWords)
    ? 'missing'
    : reason;

/** Runs a program to its end. Returns the first `keep` characters of each output (default: one million). Throws like `lines`. */
export async function run(
  program: string,
  args: string[],
  { keep = 1_000_000, onStderr, ...options }: ChildOptions & { keep?: number },
): Promise<{ stdout: string; stderr: string }> {
  let stdout = '';
  let stderr = '';
  const collect = (text: string) => {
    onStderr?.(text);
    if (stderr.length < keep) stderr = (stderr + text).slice(0, keep);
  };
  for await (const line of lines(program, args, { lineLength: keep, ...options, onStderr: collect })) {
    if (stdout.length < keep) stdout = `${stdout}${line}\n`.slice(0, keep);
  }
  return { stdout, stderr };
}
