import { message } from '#contract/messages.ts';
import { readdir } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { entriesOfMetube, pagesOfMetube } from './metube.ts';
import { InvalidMetadataError, relativeFolder, type ForeignMetadata, type ForeignEntry } from './foreign-metadata.ts';
import type { TaskWork } from '../../../platform/context/task.ts';
import { textOf } from './read-text.ts';
import { entriesOfYtdlSub, ytdlSubFile } from './ytdl-sub.ts';
import { mediaEndings } from '../../../archive/storage/walk.ts';

/** MeTube's state folder inside its download folder. */
export const metubeFolder = '.metube';

/** Metadata of other programs by path relative to the import folder. */
export type MetadataIndex = Map<string, ForeignMetadata>;

interface Reading {
  /** The import folder. */
  folder: string;
  signal: AbortSignal;
  skip: TaskWork<unknown>['skip'];
  /** A dry run, which reports everything. */
  isDry: boolean;
}

const maxLinks = 700; // characters, so that a line of the report stays readable

/** Normalizes a path to NFC, so that composed and decomposed names match. */
const key = (path: string) => path.normalize('NFC');

/** Returns the metadata of a file; null if there is none. */
export const metadataFor = (notes: MetadataIndex, path: string): ForeignMetadata | null => notes.get(key(path)) ?? null;

/** Adds the entries of a list for files below its folder. */
function addNotes(
  notes: MetadataIndex,
  { list, under, skip }: { list: string; under: string; skip: Reading['skip'] },
  entries: Iterable<ForeignEntry>,
) {
  const count = { strange: 0, outside: 0 };
  const doubtful = new Set<string>();
  for (const entry of entries) {
    if (entry === 'strange') {
      count.strange++;
      continue;
    }
    for (const name of entry.names) {
      const place = relativeFolder(name);
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
  if (count.strange > 0) skip(list, message('import.metadata-entries-unreadable', { count: count.strange }));
  if (count.outside > 0) skip(list, message('import.metadata-files-outside', { count: count.outside }));
  if (doubtful.size > 0) skip(list, message('import.metadata-files-ambiguous', { count: doubtful.size }));
}

/** Reads a list. A faulty list is reported, and the import continues without it. */
async function attempt({ folder, signal, skip }: Reading, list: string, program: string, use: (json: unknown) => void) {
  try {
    use(JSON.parse(await textOf(join(folder, list))) as unknown);
  } catch (problem) {
    signal.throwIfAborted();
    const isDamaged = problem instanceof SyntaxError || problem instanceof InvalidMetadataError;
    skip(list, isDamaged ? message('import.metadata-damaged', { program }) : (problem as Error));
  }
}

/** Reports MeTube's subscriptions in a dry run; an import does not subscribe to anything. */
function tellPages({ skip }: Reading, list: string, pages: string[]) {
  if (pages.length === 0) return;
  let links = '';
  for (const page of pages) {
    if (links.length + page.length > maxLinks) {
      links += ' …';
      break;
    }
    links += `${links && ' '}${page}`;
  }
  skip(list, message('import.subscriptions', { count: pages.length, links }));
}

async function readMetube(reading: Reading, notes: MetadataIndex, state: string) {
  const { folder, skip, isDry } = reading;
  let names: string[];
  try {
    names = await readdir(join(folder, state));
  } catch (problem) {
    return skip(state, problem as Error);
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
  else if (names.some((name) => /^completed(\.(db|dat|dir|bak|pag))?$/.test(name))) skip(old, message('import.metadata-old'));
  if (isDry && names.includes('subscriptions.json'))
    await attempt(reading, pages, 'MeTube', (json) => tellPages(reading, pages, pagesOfMetube(json)));
}

/** Reads the metadata that other programs stored in the import folder. */
export async function readForeignMetadata(states: string[], reading: Reading): Promise<MetadataIndex> {
  const notes: MetadataIndex = new Map();
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
