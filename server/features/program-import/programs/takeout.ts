import { message } from '#contract/messages.ts';
import { basename } from 'node:path';
import {
  channelIdOfUrl,
  channelSubscription,
  idOfUrl,
  isChannelId,
  isVideoId,
  textOf,
  timeOf,
  youtubeVideo,
  type Item,
} from '../item/item.ts';
import { objectOrEmpty } from '../../../platform/lib/untrusted.ts';
import { parseCsv, readJsonArray, readText } from '../source/read.ts';
import type { SourceFile } from '../source/source.ts';
import { problem, readEach, unreadable, type Program, type Reading } from './program.ts';

// Google Takeout. Names of files and folders, headers and dates in HTML are in the language of the account, so files are
// recognized by their content.

const maxCsvBytes = 32 * 1024 * 1024;

interface Tables {
  playlists: { name: string; ids: string[] }[];
  /** Titles of playlists. */
  titles: Set<string>;
}

const hasTime = (text: string | undefined) => /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d/.test(text?.trim() ?? '');

/** Yields the subscriptions of a CSV file, or collects the videos of a playlist or the list of playlists. Other files are ignored. */
function* readCsv(file: SourceFile, text: string, tables: Tables): Generator<Item> {
  const rows = [...parseCsv(text.replace(/^\uFEFF/, ''))];
  const isChannel = ([id, url]: string[]) => isChannelId(id?.trim()) && channelIdOfUrl(url) !== null;
  const videos = rows.filter(([id, time]) => isVideoId(id?.trim()) && hasTime(time));
  if (rows.some(isChannel)) {
    // The first row is the header, unless it is a channel too.
    for (const row of isChannel(rows[0]!) ? rows : rows.slice(1)) {
      const [id = '', url, name] = row;
      yield (
        (isChannel(row) && channelSubscription({ id: id.trim(), url, name })) ||
          problem(`${file.name}: ${id}`, message('migrate.no-id'))
      );
    }
  } else if (videos.length > 0 && videos.length >= rows.length / 2 - 8)
    tables.playlists.push({ name: basename(file.name).replace(/\.csv$/i, ''), ids: videos.map(([id]) => id!.trim()) });
  else
    for (const [id, ...cells] of rows)
      if (/^(PL|FL|LL|WL)[-\w]{11,50}$/.test(id?.trim() ?? ''))
        for (const cell of cells) if (cell.trim() && cell.length <= 200) tables.titles.add(cell.trim());
}

/** The title of a playlist from the name of its file, which ends with `-videos` in the language of the account. */
function titleOf(name: string, { titles }: Tables): string {
  if (titles.has(name)) return name;
  const cut = name.replace(/-[^-]+$/, '');
  return titles.has(cut) || /-videos$/i.test(name) ? cut : name;
}

/** Yields the watch history in JSON. Advertisements have details. */
async function* historyOfJson(file: SourceFile, { signal }: Reading): AsyncGenerator<Item> {
  for await (const entry of readJsonArray(file, signal)) {
    if (entry === null) yield problem(file.name, unreadable);
    else if (!entry['details'] && /\/watch\?|\/shorts\//.test(String(entry['titleUrl'] ?? ''))) {
      const id = idOfUrl(entry['titleUrl']);
      if (!id) yield problem(String(entry['titleUrl']).slice(0, 200), message('migrate.no-id'));
      else {
        const [channel] = Array.isArray(entry['subtitles']) ? (entry['subtitles'] as unknown[]) : [];
        const { name, url } = objectOrEmpty(channel);
        // The title starts with the verb "Watched" in the language of the account, and may be only the URL.
        const title = textOf(entry['title']);
        yield {
          what: 'watched',
          video: youtubeVideo(id, {
            ...(title && !title.includes('://') && { title }),
            channelId: channelIdOfUrl(url) ?? '',
            channelName: textOf(name, 500) ?? '',
          }),
          watchedAt: timeOf(entry['time']),
          positionSeconds: null,
        };
      }
    }
  }
}

const link = /<a href="([^"]{1,500})">([^<]{0,2000})<\/a>/g;
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#39': "'", nbsp: ' ' };
const decode = (text: string) => text.replace(/&(amp|lt|gt|quot|apos|#39|nbsp);/g, (_, name: string) => entities[name]!);
const longestEntry = 64 * 1024;

/** Yields the watch history in HTML: one cell per entry, of which one at a time is in memory. */
async function* historyOfHtml(file: SourceFile, { signal }: Reading): AsyncGenerator<Item> {
  const decoder = new TextDecoder('utf-8');
  let rest = '';
  let undated = 0;
  const entryOf = (cell: string): Item | null => {
    const [first, second] = [...cell.matchAll(link)];
    const id = idOfUrl(decode(first?.[1] ?? ''));
    if (!first || !id) return null;
    const after = cell.slice((second ?? first).index + (second ?? first)[0].length);
    const [, date = ''] = /^(?:\s*<br>)*\s*([^<]{4,80})/.exec(after) ?? [];
    const watchedAt = timeOf(decode(date).replaceAll('\u202f', ' '));
    if (watchedAt === null) undated++;
    const title = textOf(decode(first[2] ?? ''));
    return {
      what: 'watched',
      video: youtubeVideo(id, {
        ...(title && !title.includes('://') && { title }),
        channelId: channelIdOfUrl(decode(second?.[1] ?? '')) ?? '',
        channelName: textOf(decode(second?.[2] ?? ''), 500) ?? '',
      }),
      watchedAt,
      positionSeconds: null,
    };
  };
  const isCell = /class="content-cell[^"]*mdl-typography--body-1"|class="content-cell/;
  for await (const piece of file.read(signal)) {
    rest += decoder.decode(piece, { stream: true });
    const cells = rest.split(/<div (?=class="outer-cell)/);
    rest = (cells.pop() ?? '').slice(-longestEntry);
    for (const cell of cells) {
      const item = isCell.test(cell) ? entryOf(cell) : null;
      if (item) yield item;
    }
  }
  const last = entryOf(rest);
  if (last) yield last;
  if (undated > 0) yield { what: 'note', subject: file.name, why: message('migrate.no-date', { count: undated }) };
}

async function* read(reading: Reading): AsyncGenerator<Item> {
  const { source, signal } = reading;
  const is = (ending: RegExp) => source.files.filter(({ name }) => ending.test(name));
  const tables: Tables = { playlists: [], titles: new Set() };
  yield* readEach(is(/\.csv$/i), reading, async function* (file) {
    yield* readCsv(file, await readText(file, signal, maxCsvBytes), tables);
  });
  // Search history and comments are JSON and HTML too; they contain no links to videos with a time.
  yield* readEach(is(/\.json$/i), reading, (file) => historyOfJson(file, reading));
  yield* readEach(is(/\.html?$/i), reading, (file) => historyOfHtml(file, reading));
  for (const { name, ids } of tables.playlists)
    yield {
      what: 'list',
      name: titleOf(name, tables).slice(0, 200),
      description: null,
      entries: ids.map((id) => ({ videoId: id, title: id, uploader: null })),
    };
}

/** Google Takeout of YouTube: a ZIP, its unpacked folder, or one of its files. */
export const takeout: Program = {
  name: 'Google Takeout',
  takes: ['subscriptions', 'watched', 'playlists', 'queue'],
  standard: ['subscriptions', 'watched', 'playlists'],
  // A whole Takeout has thousands of files of other services; the folder of YouTube has its name in every language.
  isWanted: (name) =>
    /\.(csv|json|html?)$/i.test(name) &&
    !/archive_browser\.html$/i.test(name) &&
    (/youtube/i.test(name) || name.split('/').length <= 2),
  read,
};
