import type { AppContext } from '../context/app-context.ts';
import type { Db } from '../db/db.ts';
import type { Note } from '../context/task.ts';
import type { Message } from '#contract/messages.ts';
import { mapTexts } from '../messages/map-texts.ts';
import { renderMessages } from '../messages/render.ts';
import { storeMessages } from '../messages/stored.ts';

// Limits per run and per line. Lines beyond them are only counted.
const maxNotes = 1000;
const maxSteps = 300;
const maxLengths = { what: 300, why: 600, words: 4000 };
const flushMs = 1000;

export type Counts = Partial<Record<Note['kind'], number>>;

// Masks secrets that yt-dlp received in its options and may print.
const clean = (text: string) =>
  text.replace(/(:\/\/[^\s"/:@]*:)[^\s"/@]+@/g, '$1…@').replace(/([?&](?:sig|signature|token|pot|key)=)[^\s&"]+/gi, '$1…');
const cut = (text: string | undefined, limit: number) => {
  if (text === undefined) return null;
  const safe = clean(text).replaceAll('\0', '').toWellFormed();
  return safe.length > limit ? `${safe.slice(0, limit - 1)}…` : safe;
};

const stored = (messages: Message[], limit: number) => storeMessages(mapTexts(messages, (text) => cut(text, limit)!));

/** Returns the last output of the failed program; undefined if there is none. */
export function lastOutputOf(why: unknown): string | undefined {
  const { lastWords, cause } = (why ?? {}) as { lastWords?: unknown; cause?: unknown };
  if (typeof lastWords === 'string' && lastWords.trim() !== '') return lastWords.trim();
  return cause ? lastOutputOf(cause) : undefined;
}

/** Collects log lines of a run and writes them once per second. Lines beyond the limits are only counted. */
export function createRunLog({ db, now, log }: Pick<AppContext, 'db' | 'now' | 'log'>, taskId: string) {
  const counts: Counts = {};
  let noteCount = 0;
  let lastStep = '';
  let waiting: Parameters<typeof insert>[1] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<unknown> = Promise.resolve();

  function flush() {
    clearTimeout(timer);
    timer = undefined;
    const rows = waiting;
    waiting = [];
    if (rows.length > 0)
      writing = writing
        .then(() => insert(db, rows))
        .catch((error: unknown) => log.warn({ err: error }, 'cannot write the log of a task'));
    return writing;
  }

  function note({ kind, what, why, words, videoId }: Note) {
    counts[kind] = (counts[kind] ?? 0) + 1;
    if (kind === 'step' ? (counts.step ?? 0) > maxSteps : noteCount >= maxNotes) return;
    if (kind !== 'step') noteCount++;
    waiting.push({
      taskId,
      kind,
      subject: typeof what === 'string' ? cut(what, maxLengths.what)! : stored([what], maxLengths.what),
      reason: why === undefined ? null : stored([why].flat(), maxLengths.why),
      output: cut(words, maxLengths.words),
      videoId: videoId ?? null,
      loggedAt: now(),
    });
    timer ??= setTimeout(() => void flush(), flushMs);
  }

  return {
    note,
    counts,
    /** Records a step if it differs from the last one. */
    step(what: Message | undefined) {
      const text = what && renderMessages(what);
      if (!text || text === lastStep) return;
      lastStep = text;
      note({ kind: 'step', what });
    },
    /** Resolves when all lines are written. Returns the number of lines of each kind. */
    async close(): Promise<Counts> {
      await flush();
      return counts;
    },
  };
}

const insert = async (
  db: Db,
  rows: {
    taskId: string;
    kind: Note['kind'];
    subject: string;
    reason: string | null;
    output: string | null;
    videoId: string | null;
    loggedAt: number;
  }[],
) => {
  for (let from = 0; from < rows.length; from += 100)
    await db
      .insertInto('runLog')
      .values(rows.slice(from, from + 100))
      .execute();
};
