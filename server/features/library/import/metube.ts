import { parseInput } from '../../../archive/sites/parse-input.ts';
import { InvalidMetadataError, type ForeignMetadata, type ForeignEntry } from './foreign-metadata.ts';
import { nonBlank, objectOrNull } from '../../../platform/lib/untrusted.ts';

// The layout of an item depends on the version; it must contain a URL and a file name somewhere.
const addresses = ['url', 'webpage_url', 'original_url'];
const fileNames = ['filename', 'file_name', 'file'];

const firstText = (item: Record<string, unknown>, names: string[]) =>
  names.map((name) => nonBlank(item[name])).find((text) => text !== null) ?? null;

function noteOf(address: string, title: string | null): ForeignMetadata | null {
  const page = parseInput(address);
  if (page?.what !== 'video' && page?.what !== 'page') return null; // the URL of a channel does not identify the video
  return {
    by: 'metube',
    extractor: page.site ?? new URL(page.url).hostname,
    id: (page.what === 'video' && page.siteId) || null,
    url: page.url,
    fields: title ? { title } : {},
    isWhole: false,
  };
}

/** Returns a file name below the folder selected for it. MeTube's own folder is `/downloads` in its container. */
function nameIn(folder: string | null, name: string): string {
  const own = name.replace(/^\/downloads\//, '');
  const chosen = folder?.replace(/\/+$/, '');
  return !chosen || own.startsWith('/') || own.startsWith(`${chosen}/`) ? own : `${chosen}/${own}`;
}

function entryOf(key: string, value: unknown): ForeignEntry | null {
  // An item, or an object that contains it.
  const inside = typeof value === 'object' && value !== null ? Object.values(value) : [];
  const objects = [value, ...inside].map(objectOrNull).filter((one) => one !== null);
  const item = objects.find((one) => firstText(one, fileNames) !== null);
  const address = [item, ...objects].map((one) => one && firstText(one, addresses)).find(Boolean) ?? key;
  if (!/^https?:\/\//i.test(address)) return 'strange';
  const name = item && firstText(item, fileNames);
  const note = noteOf(address, item ? nonBlank(item['title']) : null);
  return name && note ? { note, names: [nameIn(nonBlank(item['folder']), name)] } : null; // failed downloads have no file
}

/** Lists the items of a MeTube list with their keys. */
function itemsOf(json: unknown): [string, unknown][] {
  const items = Array.isArray(json) ? json : objectOrNull(json)?.['items'];
  if (typeof items !== 'object' || items === null) throw new InvalidMetadataError();
  return Object.entries(items);
}

/** Lists the entries of MeTube's completed downloads. */
export function* entriesOfMetube(json: unknown): Generator<ForeignEntry> {
  for (const [key, value] of itemsOf(json)) {
    const entry = entryOf(key, value);
    if (entry) yield entry;
  }
}

/** Lists the URLs of MeTube's subscriptions. */
export function pagesOfMetube(json: unknown): string[] {
  const pages = itemsOf(json).map(([key, value]) => {
    const item = objectOrNull(value);
    return (item && firstText(item, addresses)) ?? key;
  });
  return pages.filter((address) => parseInput(address) !== null && /^https?:/i.test(address));
}
