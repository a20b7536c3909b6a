import { classify } from '../download/classify.ts';
import { asObject, asText, NoNotes, type Note, type NoteEntry } from './import-note.ts';

// Which version wrote it decides how an item looks; what counts is that it has an address and the name of a file somewhere.
const addresses = ['url', 'webpage_url', 'original_url'];
const fileNames = ['filename', 'file_name', 'file'];

const firstText = (item: Record<string, unknown>, names: string[]) =>
  names.map((name) => asText(item[name])).find((text) => text !== null) ?? null;

function noteOf(address: string, title: string | null): Note | null {
  const page = classify(address);
  if (page?.what !== 'video' && page?.what !== 'page') return null; // of a whole channel nothing tells which of its videos
  return {
    by: 'metube',
    extractor: page.id ? 'Youtube' : new URL(page.url).hostname,
    id: page.id ?? null,
    url: page.url,
    said: title ? { title } : {},
    isWhole: false,
  };
}

/** A name as MeTube has it, in the folder that was chosen for it; its own folder is `/downloads` in its container. */
function nameIn(folder: string | null, name: string): string {
  const own = name.replace(/^\/downloads\//, '');
  const chosen = folder?.replace(/\/+$/, '');
  return !chosen || own.startsWith('/') || own.startsWith(`${chosen}/`) ? own : `${chosen}/${own}`;
}

function entryOf(key: string, value: unknown): NoteEntry | null {
  // An item, or something with the item in it.
  const inside = typeof value === 'object' && value !== null ? Object.values(value) : [];
  const objects = [value, ...inside].map(asObject).filter((one) => one !== null);
  const item = objects.find((one) => firstText(one, fileNames) !== null);
  const address = [item, ...objects].map((one) => one && firstText(one, addresses)).find(Boolean) ?? key;
  if (!/^https?:\/\//i.test(address)) return 'strange';
  const name = item && firstText(item, fileNames);
  const note = noteOf(address, item ? asText(item['title']) : null);
  return name && note ? { note, names: [nameIn(asText(item['folder']), name)] } : null; // nothing came of it
}

/** The items of one of MeTube's lists by what they are called there. */
function itemsOf(json: unknown): [string, unknown][] {
  const items = Array.isArray(json) ? json : asObject(json)?.['items'];
  if (typeof items !== 'object' || items === null) throw new NoNotes();
  return Object.entries(items);
}

/** What stands in the list of what MeTube fetched. */
export function* entriesOfMetube(json: unknown): Generator<NoteEntry> {
  for (const [key, value] of itemsOf(json)) {
    const entry = entryOf(key, value);
    if (entry) yield entry;
  }
}

/** The addresses that MeTube looks at again and again. */
export function pagesOfMetube(json: unknown): string[] {
  const pages = itemsOf(json).map(([key, value]) => {
    const item = asObject(value);
    return (item && firstText(item, addresses)) ?? key;
  });
  return pages.filter((address) => classify(address) !== null && /^https?:/i.test(address));
}
