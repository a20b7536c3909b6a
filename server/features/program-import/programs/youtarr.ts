import { message } from '#contract/messages.ts';
import { MessageError } from '../../../platform/messages/message-error.ts';
import {
  channelSubscription,
  countOf,
  isChannelId,
  isVideoId,
  numberOf,
  textOf,
  timeOf,
  videoOf,
  youtubeVideo,
  type ForeignVideo,
  type Item,
} from '../item/item.ts';
import { isTrue } from '../../../platform/lib/untrusted.ts';
import { readLines } from '../source/read.ts';
import type { SourceFile } from '../source/source.ts';
import { readSqlDump, type DumpedRow } from '../source/sql-dump.ts';
import { gunzipFile, readTarEntry } from '../source/tar.ts';
import { problem, unreadable, type Program, type Reading } from './program.ts';
import { convertRules, formatOf } from './rules.ts';

// Youtarr: an SQL dump of its MariaDB database, alone or in a backup archive. jobs/info/<id>.info.json in its folder is yt-dlp's
// metadata, config/complete.list its download archive.

type Row = DumpedRow['row'];

const isArchive = (name: string) => /(^|\/)youtarr-backup-[^/]*\.tar\.gz$/i.test(name);
const isDump = (name: string) => /\.sql(\.gz)?$/i.test(name);

/** Streams the dump of a file; it is read once per kind of rows. */
function dumpOf(file: SourceFile, signal: AbortSignal): AsyncIterable<Buffer> {
  if (/\.tar\.gz$|\.tgz$/i.test(file.name)) return readTarEntry(file, (name) => /\.sql$/i.test(name), signal);
  return /\.gz$/i.test(file.name) ? gunzipFile(file, signal) : file.read(signal);
}

const isTable = (name: string, table: string) => table.toLowerCase() === name;
const columnIn = (columns: readonly string[], ...names: string[]) => names.find((name) => columns.includes(name));

function* itemsOfChannel(row: Row): Generator<Item> {
  const id = row['channel_id'] ?? null;
  const name = textOf(row['title'] ?? row['uploader'], 500) ?? id ?? '';
  if (row['terminated_at']) return;
  const { rules, notes } = convertRules(name, {
    minSeconds: row['min_duration'],
    maxSeconds: row['max_duration'],
    titleRegex: row['title_filter_regex'],
  });
  const format = formatOf(row['audio_format'] ? 'audio' : row['video_quality']);
  const tabs = row['auto_download_enabled_tabs'];
  const options = {
    rules,
    overwrites: { ...(format && { download_format: format }) },
    autoStart: tabs === null || tabs === undefined ? null : /video|short|stream|live/i.test(tabs),
  };
  // Channels that are switched off were subscribed earlier, or belong to single downloads.
  if ('enabled' in row && !isTrue(row['enabled'])) return;
  yield channelSubscription({ id, url: row['url'], name }, options) ?? problem(name, message('migrate.no-id'));
  yield* notes;
}

function videoOfRow(row: Row): ForeignVideo | null {
  const id = row['youtubeId'];
  if (!isVideoId(id)) return null;
  return youtubeVideo(id, {
    title: textOf(row['youTubeVideoName']) ?? id,
    channelId: isChannelId(row['channel_id']) ? row['channel_id'] : '',
    channelName: textOf(row['youTubeChannelName'], 500) ?? '',
    durationSeconds: countOf(row['duration']),
    publishedAt: timeOf(row['originalDate']),
  });
}

function itemOfVideo(row: Row, base: string | null): Item {
  const video = videoOfRow(row);
  if (!video) return problem(textOf(row['youTubeVideoName']) ?? String(row['youtubeId']), message('migrate.no-id'));
  const path = textOf(row['filePath'], 4096) ?? textOf(row['audioFilePath'], 4096);
  // Its file was deleted.
  if (isTrue(row['removed'])) return { what: 'ignored', video };
  if (!path) return { what: 'queue', video };
  return {
    what: 'media',
    video,
    path,
    downloadedAt: timeOf(row['last_downloaded_at'] ?? row['timeCreated']),
    description: textOf(row['description'], 50_000),
    infoPath: base === null ? null : `${base}jobs/info/${video.id}.info.json`,
  };
}

/** Watched marks and ignored videos of any table that has them, by the id of the site or the number in `Videos`. */
function itemOfState(row: Row, numbers: ReadonlyMap<string, string>): Item | null {
  const key = row['youtube_id'] ?? row['youtubeId'] ?? row['video_id'] ?? null;
  const id = isVideoId(key) ? key : numbers.get(key ?? '');
  if (!id) return null;
  const video = youtubeVideo(id, { title: textOf(row['title']) ?? id });
  if (isTrue(row['ignored'])) return { what: 'ignored', video };
  const watchedAt = timeOf(
    row['watched_at'] ?? row['last_watched_at'] ?? row['last_played_at'] ?? row['updatedAt'] ?? row['updated_at'],
  );
  if (isTrue(row['watched']) || isTrue(row['is_watched']) || (row['watched_at'] && row['watched'] === undefined))
    return { what: 'watched', video, watchedAt, positionSeconds: null };
  const position = numberOf(row['position_seconds'] ?? row['progress_seconds'] ?? row['position']);
  return position !== null && position >= 1 ? { what: 'watched', video, watchedAt, positionSeconds: position } : null;
}

const stateColumns = ['watched', 'is_watched', 'watched_at', 'position_seconds', 'progress_seconds', 'ignored'];
const isStateTable = (table: string, columns: readonly string[]) =>
  !isTable('videos', table) &&
  columnIn(columns, 'youtube_id', 'youtubeId', 'video_id') !== undefined &&
  columnIn(columns, ...stateColumns) !== undefined;

async function* readDatabase(file: SourceFile, base: string | null, { signal }: Reading): AsyncGenerator<Item> {
  const rows = (isWanted: (table: string, columns: string[]) => boolean) =>
    readSqlDump(file.name, dumpOf(file, signal), isWanted);
  const found = new Set<string>();
  for await (const { row } of rows((table, columns) => {
    found.add(table.toLowerCase());
    if (isTable('videos', table) && !columns.includes('youtubeId'))
      throw new MessageError(message('migrate.database-column', { file: file.name, table, column: 'youtubeId' }));
    return isTable('channels', table);
  }))
    yield* itemsOfChannel(row);
  if (!found.has('videos') && !found.has('channels'))
    throw new MessageError(message('migrate.database-other', { file: file.name, program: 'Youtarr', table: 'Videos' }));
  const numbers = new Map<string, string>();
  for await (const { row } of rows((table) => isTable('videos', table))) {
    if (row['id'] && isVideoId(row['youtubeId'])) numbers.set(row['id'], row['youtubeId']);
    yield itemOfVideo(row, base);
  }
  for await (const { row } of rows(isStateTable)) {
    const item = itemOfState(row, numbers);
    if (item) yield item;
  }
}

/** Youtarr's download archive, if there is no database. */
async function* readList(file: SourceFile, { signal }: Reading): AsyncGenerator<Item> {
  for await (const line of readLines(file, signal)) {
    if (line?.trim() === '') continue;
    const [extractor = '', id = ''] = (line ?? '').trim().split(/\s+/);
    const video = videoOf(extractor, id);
    yield video ? { what: 'ignored', video } : problem(line?.slice(0, 100) ?? file.name, unreadable);
  }
}

async function* read(reading: Reading): AsyncGenerator<Item> {
  const { files } = reading.source;
  const newestFirst = (a: SourceFile, b: SourceFile) => (a.name < b.name ? 1 : -1);
  const dump =
    files.find(({ name }) => isDump(name)) ??
    files.filter(({ name }) => isArchive(name) || reading.source.folder === null).toSorted(newestFirst)[0];
  const list = files.find(({ name }) => /(^|\/)complete\.list$/.test(name));
  if (dump && dump !== list) yield* readDatabase(dump, reading.source.folder === null ? null : '', reading);
  else if (list) yield* readList(list, reading);
  else throw new MessageError(message('migrate.hint-youtarr'));
}

export const youtarr: Program = {
  name: 'Youtarr',
  takes: ['subscriptions', 'rules', 'videos', 'queue', 'ignored', 'watched'],
  standard: ['subscriptions', 'rules', 'ignored', 'watched'],
  isWanted: (name) => isArchive(name) || isDump(name) || /(^|\/)complete\.list$/.test(name),
  read,
};
