import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { message } from '#contract/messages.ts';
import { MessageError } from '../messages/message-error.ts';
import { killGroup } from '../process/process-group.ts';
import { run } from '../process/run.ts';
import { startProcess } from '../process/spawn.ts';
import { lineSplitter } from '../process/split-lines.ts';
import { parseJson } from './token-source.ts';
import type { BotguardCommand, BotguardReply } from './botguard-child.ts';

/** Limits of the process. */
export interface BotguardLimits {
  /** Time of one command in milliseconds. */
  timeMs: number;
  residentBytes: number;
}

// V8 reserves more addresses than it uses, so the kernel limits data instead of addresses. Measured when idle: 620 MB.
const dataBytes = 900_000_000;
const cpuSeconds = 120;
const heapMegabytes = 40;
const lookEveryMs = 50;
const startMs = 30_000;
const maxReply = 100_000;

// In the sources the packages are separate files; scripts/bundle.mjs makes one file of them, which the commands use too.
const here = import.meta.dirname;
const isSource = import.meta.filename.endsWith('.ts');
const [file, ...readable] = isSource
  ? [join(here, 'botguard-child.ts'), here, join(here, '../../../node_modules'), join(here, '../../../package.json')]
  : [join(here, '../dist-server/botguard-child.mjs'), join(here, '../dist-server/botguard-child.mjs')];

// Separate files take 25 MB more than the bundle, which needs less than 80 MB.
const defaultLimits: BotguardLimits = { timeMs: 15_000, residentBytes: isSource ? 160_000_000 : 110_000_000 };

const options = [
  '--permission',
  ...readable.map((path) => `--allow-fs-read=${path}`),
  '--no-warnings',
  '--max-semi-space-size=1',
  '--optimize-for-size',
  '--single-threaded',
  `--max-old-space-size=${heapMegabytes}`,
];

const outOfMemory = /out of memory|allocation failed/i;

async function residentBytesOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}

/** A sandboxed process that runs the challenge program of YouTube. */
export interface Botguard {
  /**
   * Performs one command at a time.
   * @throws MessageError; the process is ended if it exceeded a limit
   */
  send(command: BotguardCommand): Promise<string>;
  end(): Promise<void>;
  /** Whether the process has ended. */
  hasEnded(): boolean;
  pid: number;
}

/** Starts the process. Commands are sent one after the other. */
export async function startBotguard(userAgent: string, limits: BotguardLimits = defaultLimits): Promise<Botguard> {
  const { child, groupId, closed } = await startProcess(process.execPath, [...options, file!, userAgent], {
    cwd: '/',
    hasOpenInput: true,
    limits: { dataBytes, cpuSeconds, fileBytes: 1 },
  });
  let hasEnded = false;
  let why = message('pot.program-ended');
  let lastWords = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (lastWords = (lastWords + text).slice(-4000)));
  const look = setInterval(async () => {
    if ((await residentBytesOf(groupId)) > limits.residentBytes) stop(message('pot.program-memory'));
  }, lookEveryMs).unref();
  const ended = closed.then(() => {
    hasEnded = true;
    clearInterval(look);
    if (outOfMemory.test(lastWords)) why = message('pot.program-memory');
  });
  const end = async () => {
    await killGroup(groupId);
    await ended;
  };
  const stop = (reason: typeof why) => {
    why = reason;
    void end();
  };

  let waiting: PromiseWithResolvers<BotguardReply> | null = null;
  const { feed } = lineSplitter(maxReply);
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    for (const line of feed(text)) waiting?.resolve(asReply(line));
  });

  /** Waits for the next reply, within the limits. */
  async function reply(command?: BotguardCommand): Promise<string> {
    waiting = Promise.withResolvers();
    const time = setTimeout(stop, command ? limits.timeMs : startMs, message('pot.program-time'));
    try {
      const { result, failure } = await Promise.race([waiting.promise, ended.then(() => Promise.reject(new MessageError(why)))]);
      if (result !== undefined) return result;
      if (outOfMemory.test(failure ?? '')) throw new MessageError(message('pot.program-memory'));
      // The program knows the content binding when it creates tokens, so its words are not passed on.
      const reason = command && 'mint' in command ? '' : failure?.replace(/[^\w .:-]/g, '').slice(0, 60);
      throw new MessageError(message('pot.program-failed', { reason: reason || 'no token' }));
    } finally {
      waiting = null;
      clearTimeout(time);
    }
  }

  await reply();
  await closeFiles(groupId);
  let previous: Promise<unknown> = Promise.resolve();
  return {
    pid: groupId,
    end,
    hasEnded: () => hasEnded,
    send(command) {
      const sent = previous.then(async () => {
        if (hasEnded) throw new MessageError(why);
        child.stdin!.write(`${JSON.stringify(command)}\n`);
        return reply(command);
      });
      previous = sent.catch(() => undefined);
      return sent;
    },
  };
}

/** Prevents a process from opening any more files or sockets, where prlimit of util-linux is available. */
const closeFiles = (pid: number) =>
  run('prlimit', [`--pid=${pid}`, '--nofile=3:3'], { cwd: '/', signal: new AbortController().signal }).catch(() => undefined);

function asReply(line: string): BotguardReply {
  const found = parseJson(line);
  const { result, failure } = (typeof found === 'object' && found !== null ? found : {}) as Record<string, unknown>;
  if (typeof result === 'string') return { result };
  return { failure: typeof failure === 'string' ? failure : '' };
}
