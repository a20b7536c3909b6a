import { readdir } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { entriesOfMetube, pagesOfMetube } from './import-metube.ts';
import { NoNotes, placeBelow, type Note, type NoteEntry } from './import-note.ts';
import { textOf } from './import-text.ts';
import { entriesOfYtdlSub, ytdlSubFile } from './import-ytdl-sub.ts';
import { mediaEndings } from './walk-media.ts';

/** Where MeTube keeps its lists, in the folder of what it fetched. */
export const metubeFolder = '.metube';

/** What other programs noted of files, by where these stand below the import folder. */
export type Notes = Map<string, Note>;

interface Reading {
  /** The import folder. */
  folder: string;
  signal: AbortSignal;
  skip(what: string, why: unknown): void;
  /** Somebody only looks, and wants to know everything. */
  isDry: boolean;
}

const mostLinks = 700; // characters: a line of a report has an end

/** The same name, whichever way its letters were composed. */
const key = (path: string) => path.normalize('NFC');

/** What is noted of a file; null when nothing. */
export const noteFor = (notes: Notes, path: string): Note | null => notes.get(key(path)) ?? null;

/** Adds what a list tells of the files below its folder. */
function addNotes(
  notes: Notes,
  { list, under, skip }: { list: string; under: string; skip: Reading['skip'] },
  entries: Iterable<NoteEntry>,
) {
  const count = { strange: 0, outside: 0 };
  const doubtful = new Set<string>();
  for (const entry of entries) {
    if (entry === 'strange') {
      count.strange++;
      continue;
    }
    for (const name of entry.names) {
      const place = placeBelow(name);
      if (place === null) count.outside++;
      else if (mediaEndings.has(extname(place).toLowerCase())) {
        const path = key(join(under, place));
        const other = notes.get(path);
        if (other && (other.id !== entry.note.id || other.url !== entry.note.url)) doubtful.add(path);
        notes.set(path, entry.note);
      }
    }
  }
  for (const path of doubtful) notes.delete(path);
  if (count.strange > 0) skip(list, `Entries of it that cannot be understood, and were passed over: ${count.strange}.`);
  if (count.outside > 0) skip(list, `Files that it names outside of its folder, which are not touched: ${count.outside}.`);
  if (doubtful.size > 0)
    skip(list, `Files that it names for more than one video, which are recognised by other signs alone: ${doubtful.size}.`);
}

/** Reads a list; what is wrong with it is one line, and the import goes on without. */
async function attempt({ folder, signal, skip }: Reading, list: string, program: string, use: (json: unknown) => void) {
  try {
    use(JSON.parse(await textOf(join(folder, list))) as unknown);
  } catch (problem) {
    signal.throwIfAborted();
    const isDamaged = problem instanceof SyntaxError || problem instanceof NoNotes;
    skip(list, isDamaged ? `What ${program} noted there cannot be read, so files are recognised by other signs alone.` : problem);
  }
}

/** Which pages MeTube looks at is told to who only looks: an import subscribes to nothing. */
function tellPages({ skip }: Reading, list: string, pages: string[]) {
  if (pages.length === 0) return;
  let links = '';
  for (const page of pages) {
    if (links.length + page.length > mostLinks) {
      links += ' …';
      break;
    }
    links += `${links && ' '}${page}`;
  }
  skip(
    list,
    `MeTube looks at ${pages.length} page(s). An import subscribes to nothing; subscribe here to those you want: ${links}`,
  );
}

async function readMetube(reading: Reading, notes: Notes, state: string) {
  const { folder, skip, isDry } = reading;
  let names: string[];
  try {
    names = await readdir(join(folder, state));
  } catch (problem) {
    return skip(state, problem);
  }
  const [list, old, pages] = ['completed.json', 'completed', 'subscriptions.json'].map((name) => join(state, name)) as [
    string,
    string,
    string,
  ];
  if (names.includes('completed.json'))
    await attempt(reading, list, 'MeTube', (json) =>
      addNotes(notes, { list, under: dirname(state), skip }, entriesOfMetube(json)),
    );
  else if (names.some((name) => /^completed(\.(db|dat|dir|bak|pag))?$/.test(name)))
    skip(
      old,
      'It is a list as old versions of MeTube wrote it, which is never opened here. Start a current MeTube once, then import again.',
    );
  if (isDry && names.includes('subscriptions.json'))
    await attempt(reading, pages, 'MeTube', (json) => tellPages(reading, pages, pagesOfMetube(json)));
}

/** Reads what other programs noted in the import folder of the files they fetched. */
export async function readNotes(states: string[], reading: Reading): Promise<Notes> {
  const notes: Notes = new Map();
  for (const state of states) {
    reading.signal.throwIfAborted();
    const subscription = ytdlSubFile.exec(basename(state))?.[1];
    if (subscription === undefined) await readMetube(reading, notes, state);
    else
      await attempt(reading, state, 'ytdl-sub', (json) =>
        addNotes(notes, { list: state, under: dirname(state), skip: reading.skip }, entriesOfYtdlSub(json, subscription)),
      );
  }
  return notes;
}
