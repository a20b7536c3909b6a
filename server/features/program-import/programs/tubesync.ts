import { message } from '#contract/messages.ts';
import { MessageError } from '../../../platform/messages/message-error.ts';
import {
  channelSubscription,
  countOf,
  isVideoId,
  playlistSubscription,
  textOf,
  timeOf,
  youtubeVideo,
  type Item,
} from '../item/item.ts';
import { isTrue } from '../../../platform/lib/untrusted.ts';
import { isSqlite, openForeignDatabase } from '../source/foreign-database.ts';
import { readJsonArray } from '../source/read.ts';
import type { SourceFile } from '../source/source.ts';
import { problem, unreadable, type Program, type Reading } from './program.ts';
import { convertRules, formatOf, sizesOf } from './rules.ts';

// TubeSync: the SQLite database of its config folder, or a JSON file of Django's `dumpdata`. Both have the same fields.

type Row = Record<string, unknown>;
interface SourceRow {
  channelId: string;
  name: string;
}

const sourceColumns = [
  'source_type',
  'key',
  'name',
  'download_media',
  'download_cap',
  'days_to_keep',
  'delete_old_media',
  'filter_text',
  'filter_text_invert',
  'filter_seconds',
  'filter_seconds_min',
  'source_resolution',
  'enable_sponsorblock',
  'index_streams',
];
const mediaColumns = ['title', 'published', 'download_date', 'duration', 'media_file', 'skip', 'manual_skip', 'downloaded'];

const daySeconds = 86_400;

/** Rules and formats of a source. The download cap is an age in seconds. */
function optionsOf(name: string, row: Row, now: number) {
  const seconds = countOf(row['filter_seconds']);
  const cap = countOf(row['download_cap']);
  const keep = isTrue(row['delete_old_media']) ? row['days_to_keep'] : null;
  const filter = textOf(row['filter_text'], 490);
  const isInverted = isTrue(row['filter_text_invert']);
  const { rules, notes } = convertRules(name, {
    minSeconds: seconds !== null && isTrue(row['filter_seconds_min']) ? seconds : null,
    maxSeconds: seconds !== null && !isTrue(row['filter_seconds_min']) ? seconds : null,
    publishedAfter: cap === null ? null : now - Math.min(cap, 40 * 365 * daySeconds),
    titleRegex: isInverted ? null : filter,
    keepDays: keep,
  });
  if (isInverted && filter !== null) rules.title_exclude = `/${filter}/c`;
  const format = formatOf(row['source_resolution']);
  return {
    notes,
    options: {
      rules,
      overwrites: {
        ...(format && { download_format: format }),
        ...(isTrue(row['enable_sponsorblock']) && { integrate_sponsorblock: true }),
        ...sizesOf(null, row['index_streams'] === null || isTrue(row['index_streams']) ? null : 'exclude'),
      },
      autoStart: row['download_media'] === null || row['download_media'] === undefined ? null : isTrue(row['download_media']),
    },
  };
}

function* itemsOfSource(id: string, row: Row, sources: Map<string, SourceRow>, now: number): Generator<Item> {
  const key = textOf(row['key'], 200);
  const name = textOf(row['name'], 500) ?? key ?? id;
  const isPlaylist = row['source_type'] === 'p';
  const isId = !isPlaylist && /^UC[-\w]{22}$/.test(key ?? '');
  sources.set(id, { channelId: isId ? (key ?? '') : '', name });
  const { options, notes } = optionsOf(name, row, now);
  const path = key?.startsWith('@') ? key : `c/${encodeURIComponent(key ?? '')}`;
  const url = key === null ? null : `https://www.youtube.com/${path}`;
  yield (
    (isPlaylist ? playlistSubscription({ id: key, name }, options) : channelSubscription({ id: key, url, name }, options)) ??
      problem(name, message('migrate.no-id'))
  );
  yield* notes;
}

function itemOfMedia(row: Row, sources: Map<string, SourceRow>): Item | null {
  const source = sources.get(idText(row['source_id'] ?? row['source']));
  const id = row['key'];
  if (!isVideoId(id)) return problem(textOf(row['title']) ?? String(id), message('migrate.no-id'));
  const video = youtubeVideo(id, {
    title: textOf(row['title']) ?? id,
    channelId: source?.channelId ?? '',
    channelName: source?.name ?? '',
    durationSeconds: countOf(row['duration']),
    publishedAt: timeOf(row['published']),
  });
  const path = textOf(row['media_file'], 4096);
  if (path && (row['downloaded'] === null || row['downloaded'] === undefined || isTrue(row['downloaded'])))
    return {
      what: 'media',
      video,
      path: path.startsWith('/') ? path : `/downloads/${path}`,
      downloadedAt: timeOf(row['download_date']),
      description: null,
      infoPath: null,
    };
  if (isTrue(row['manual_skip'])) return { what: 'ignored', video };
  // Skipped by a filter: the rules skip it here too.
  return isTrue(row['skip']) ? null : { what: 'queue', video };
}

/** UUIDs are text with or without dashes. */
const idText = (value: unknown) =>
  String(value ?? '')
    .replaceAll('-', '')
    .toLowerCase();

async function* readDatabase(file: SourceFile, { signal, now }: Reading): AsyncGenerator<Item> {
  const database = await openForeignDatabase(file, signal);
  try {
    const missing = ['sync_source', 'sync_media'].find((table) => !database.tables.has(table));
    if (missing)
      throw new MessageError(message('migrate.database-other', { file: file.name, program: 'TubeSync', table: missing }));
    const sources = new Map<string, SourceRow>();
    const required = ['uuid', 'source_type', 'key'];
    const optional = sourceColumns.filter((name) => !required.includes(name));
    for (const row of database.rows('sync_source', { required, optional }))
      yield* itemsOfSource(idText(row['uuid']), row, sources, now);
    const order = `"key"${database.has('sync_media', 'media_file') ? `, coalesce("media_file", '') = ''` : ''}`;
    let last: unknown;
    for (const row of database.rows('sync_media', { required: ['key', 'source_id'], optional: mediaColumns }, order)) {
      if (row['key'] === last) continue; // the same video in another source
      last = row['key'];
      const item = itemOfMedia(row, sources);
      if (item) yield item;
    }
  } finally {
    await database.close();
  }
}

/** Reads a dump twice: sources can follow the media that refer to them. */
async function* readDump(file: SourceFile, { signal, now }: Reading): AsyncGenerator<Item> {
  const sources = new Map<string, SourceRow>();
  const of = async function* (model: string) {
    for await (const doc of readJsonArray(file, signal)) {
      if (doc === null) {
        if (model === 'sync.source') yield null;
      } else if (doc['model'] === model && typeof doc['fields'] === 'object' && doc['fields'] !== null)
        yield { id: idText(doc['pk']), row: doc['fields'] as Row };
    }
  };
  for await (const one of of('sync.source')) {
    if (one === null) yield problem(file.name, unreadable);
    else yield* itemsOfSource(one.id, one.row, sources, now);
  }
  for await (const one of of('sync.media')) {
    const item = one && itemOfMedia(one.row, sources);
    if (item) yield item;
  }
}

export const tubesync: Program = {
  name: 'TubeSync',
  takes: ['subscriptions', 'rules', 'videos', 'queue', 'ignored'],
  standard: ['subscriptions', 'rules', 'ignored'],
  isWanted: (name) => /(^|\/)(db\.sqlite3?|[^/]*(dump|tubesync)[^/]*\.json)$/i.test(name),
  async *read(reading) {
    const file = reading.source.files[0];
    if (!file) throw new MessageError(message('migrate.hint-tubesync'));
    yield* (await isSqlite(file)) ? readDatabase(file, reading) : readDump(file, reading);
  },
};
