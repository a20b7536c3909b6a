import type { Archive } from '../archive.ts';
import type { Db } from '../db/db.ts';
import type { Note } from './task.ts';

// A run that goes wrong ten thousand times says so in its counts; of its lines so many are kept, and of each so much.
const mostNotes = 1000;
const mostSteps = 300;
const longest = { what: 300, why: 600, words: 4000 };
const flushMs = 1000;

export type Counts = Partial<Record<Note['kind'], number>>;

// yt-dlp may be told secrets, and may say them again.
const clean = (text: string) =>
  text.replace(/(:\/\/[^\s"/:@]*:)[^\s"/@]+@/g, '$1…@').replace(/([?&](?:sig|signature|token|pot|key)=)[^\s&"]+/gi, '$1…');
const cut = (text: string | undefined, most: number) => {
  if (text === undefined) return null;
  const safe = clean(text).replaceAll('\0', '').toWellFormed();
  return safe.length > most ? `${safe.slice(0, most - 1)}…` : safe;
};

/** The last words of the program whose failure this is; undefined when none failed. */
export function wordsOf(why: unknown): string | undefined {
  const { lastWords, cause } = (why ?? {}) as { lastWords?: unknown; cause?: unknown };
  if (typeof lastWords === 'string' && lastWords.trim() !== '') return lastWords.trim();
  return cause ? wordsOf(cause) : undefined;
}

/** Writes down what a run does, a second's worth at a time; counts what no longer fits. */
export function noteKeeper({ db, now, log }: Pick<Archive, 'db' | 'now' | 'log'>, taskId: string) {
  const counts: Counts = {};
  let kept = 0;
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
        .catch((error: unknown) => log.warn({ err: error }, 'what a task did could not be written down'));
    return writing;
  }

  function note({ kind, what, why, words, videoId }: Note) {
    counts[kind] = (counts[kind] ?? 0) + 1;
    if (kind === 'step' ? (counts.step ?? 0) > mostSteps : kept >= mostNotes) return;
    if (kind !== 'step') kept++;
    waiting.push({
      taskId,
      kind,
      what: cut(what, longest.what) ?? '',
      why: cut(why, longest.why),
      words: cut(words, longest.words),
      videoId: videoId ?? null,
      at: now(),
    });
    timer ??= setTimeout(() => void flush(), flushMs);
  }

  return {
    note,
    /** What it is at now, when that is something else than before. */
    step(what: string | undefined) {
      if (!what || what === lastStep) return;
      lastStep = what;
      note({ kind: 'step', what });
    },
    /** Everything is written once this resolves. Answers how much there was of each kind. */
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
    what: string;
    why: string | null;
    words: string | null;
    videoId: string | null;
    at: number;
  }[],
) => {
  for (let from = 0; from < rows.length; from += 100)
    await db
      .insertInto('runNote')
      .values(rows.slice(from, from + 100))
      .execute();
};
