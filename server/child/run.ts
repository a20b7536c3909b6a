import { ChildFailed, type ChildReason } from './child-failed.ts';
import { endGroup } from './group.ts';
import { lineSplitter } from './split-lines.ts';
import { start, type Surroundings } from './start.ts';

export { ChildFailed } from './child-failed.ts';

export interface ChildOptions extends Surroundings {
  signal: AbortSignal;
  /** Not a byte on either output for this long means that it hangs. Ten minutes unless told. */
  silenceMs?: number;
  /** The most that it may take in all. Without limit unless told. */
  timeMs?: number;
  /** Lines of more characters are left out. A million unless told. */
  lineLength?: number;
  /** Lines that begin otherwise are left out at once: what babbles then costs nobody else time and memory. */
  beginnings?: string[];
  /** Called with every piece of stderr as it comes. */
  onStderr?: (text: string) => void;
}

const tenMinutes = 600_000;
const lastWordsLength = 16_000;

/**
 * Runs a program and yields its stdout line by line as it comes. Throws ChildFailed when it ends with an error, hangs,
 * takes too long or cannot be started; throws the signal's reason when that fires. However it ends (also when the
 * caller stops listening), everything it started is dead before this is over.
 */
export async function* lines(program: string, args: string[], options: ChildOptions): AsyncGenerator<string> {
  const { signal, silenceMs = tenMinutes, timeMs, lineLength = 1_000_000, beginnings = [''], onStderr } = options;
  signal.throwIfAborted();
  const { child, groupId, closed } = await start(program, args, options);

  let stopped: ChildReason | 'asked' | undefined;
  let ended: Promise<void> | undefined;
  const stop = (why: ChildReason | 'asked') => {
    stopped ??= why;
    ended ??= endGroup(groupId);
  };
  const asked = () => stop('asked');
  signal.addEventListener('abort', asked, { once: true });
  if (signal.aborted) asked();
  let isListening = true; // while the reader chews on what it got, the child may well be stuck on a full pipe
  const silence = setTimeout(() => (isListening ? stop('silent') : silence.refresh()), silenceMs);
  const time = timeMs === undefined ? undefined : setTimeout(stop, timeMs, 'time');

  let lastWords = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    silence.refresh();
    lastWords = (lastWords + text).slice(-lastWordsLength);
    onStderr?.(text);
  });
  // A grandchild that outlives its parent would hold the outputs open for ever.
  child.once('exit', () => (ended ??= endGroup(groupId)));

  try {
    const { feed, end } = lineSplitter(lineLength);
    const isWanted = (line: string) => beginnings.some((beginning) => line.startsWith(beginning));
    for await (const text of child.stdout.setEncoding('utf8') as AsyncIterable<string>) {
      isListening = false;
      for (const line of feed(text)) if (isWanted(line)) yield line;
      isListening = true;
      silence.refresh();
    }
    for (const line of end()) if (isWanted(line)) yield line;
    const { code, signal: killedBy } = await closed;
    await ended;
    if (stopped === 'asked') signal.throwIfAborted();
    const reason = stopped === undefined || stopped === 'asked' ? 'exit' : stopped;
    if (code !== 0 || stopped)
      throw new ChildFailed(program, { code, signal: killedBy, lastWords, reason: reasonOf(reason, code, lastWords) });
  } finally {
    clearTimeout(silence);
    clearTimeout(time);
    signal.removeEventListener('abort', asked);
    await (ended ?? endGroup(groupId));
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

// The wrapper exists, the program behind it could not be executed (wrong interpreter, wrong processor).
const reasonOf = (reason: ChildReason, code: number | null, lastWords: string): ChildReason =>
  (code === 126 || code === 127 || code === 1) && /^(ionice|prlimit): failed to execute/m.test(lastWords) ? 'missing' : reason;

/** Runs a program to its end. Of each output the first megabyte (or `keep` characters) is kept. Throws like `lines`. */
export async function run(
  program: string,
  args: string[],
  { keep = 1_000_000, ...options }: ChildOptions & { keep?: number },
): Promise<{ stdout: string; stderr: string }> {
  let stdout = '';
  let stderr = '';
  const onStderr = (text: string) => {
    if (stderr.length < keep) stderr = (stderr + text).slice(0, keep);
  };
  for await (const line of lines(program, args, { lineLength: keep, ...options, onStderr })) {
    if (stdout.length < keep) stdout = `${stdout}${line}\n`.slice(0, keep);
  }
  return { stdout, stderr };
}
