import { message } from '#contract/messages.ts';
import type { SQLOutputValue } from 'node:sqlite';
import { MessageError } from '../../../platform/messages/message-error.ts';
import {
  channelSubscription,
  countOf,
  isChannelId,
  isVideoId,
  playlistSubscription,
  textOf,
  timeOf,
  youtubeVideo,
  type Item,
} from '../item/item.ts';
import { isTrue } from '../../../platform/lib/untrusted.ts';
import { openForeignDatabase, type ForeignDatabase } from '../source/foreign-database.ts';
import { problem, type Program, type Reading } from './program.ts';
import { convertRules, formatOf, sizesOf } from './rules.ts';

// Pinchflat: pinchflat.db in its config folder. metadata/media_items/<id>/metadata.json.gz is yt-dlp's info JSON of each item.

type Row = Record<string, SQLOutputValue>;

interface SourceRow {
  id: string;
  channelId: string;
  name: string;
}

function* readSources(database: ForeignDatabase, sources: Map<string, SourceRow>): Generator<Item> {
  const profiles = new Map<string, Row>();
  const profileColumns = ['preferred_resolution', 'sponsorblock_behaviour', 'shorts_behaviour', 'livestream_behaviour'];
  for (const row of database.rows('media_profiles', { required: ['id'], optional: profileColumns }))
    profiles.set(String(row['id']), row);
  const optional = [
    'collection_name',
    'custom_name',
    'original_url',
    'download_media',
    'download_cutoff_date',
    'retention_period_days',
    'title_filter_regex',
    'min_duration_seconds',
    'max_duration_seconds',
    'media_profile_id',
    'marked_for_deletion_at',
  ];
  for (const row of database.rows('sources', { required: ['id', 'collection_id', 'collection_type'], optional })) {
    const name = textOf(row['custom_name'], 500) ?? textOf(row['collection_name'], 500) ?? String(row['collection_id']);
    const isPlaylist = row['collection_type'] === 'playlist';
    const channelId = !isPlaylist && isChannelId(row['collection_id']) ? row['collection_id'] : '';
    sources.set(String(row['id']), { id: String(row['id']), channelId, name });
    if (row['marked_for_deletion_at'] !== null) continue;
    const { rules, notes } = convertRules(name, {
      minSeconds: row['min_duration_seconds'],
      maxSeconds: row['max_duration_seconds'],
      publishedAfter: row['download_cutoff_date'],
      titleRegex: row['title_filter_regex'],
      keepDays: row['retention_period_days'],
    });
    const profile = profiles.get(String(row['media_profile_id'])) ?? {};
    const format = formatOf(profile['preferred_resolution']);
    const options = {
      rules,
      overwrites: {
        ...(format && { download_format: format }),
        ...(/^(mark|remove)$/.test(String(profile['sponsorblock_behaviour'])) && { integrate_sponsorblock: true }),
        ...sizesOf(profile['shorts_behaviour'], profile['livestream_behaviour']),
      },
      autoStart: row['download_media'] === null ? null : isTrue(row['download_media']),
    };
    const about = { id: row['collection_id'], url: row['original_url'], name };
    yield (
      (isPlaylist ? playlistSubscription(about, options) : channelSubscription(about, options)) ??
        problem(name, message('migrate.no-id'))
    );
    yield* notes;
  }
}

/** Converts the rows of one video, which may be in several sources; those with a file come first. */
function itemOf(rows: Row[], sources: Map<string, SourceRow>, base: string): Item {
  const [row] = rows as [Row];
  const source = rows.map((one) => sources.get(String(one['source_id']))).find((one) => one?.channelId);
  const video = youtubeVideo(String(row['media_id']), {
    title: textOf(row['title']) ?? String(row['media_id']),
    channelId: source?.channelId ?? '',
    channelName: source?.name ?? '',
    kind: isTrue(row['short_form_content']) ? 'shorts' : isTrue(row['livestream']) ? 'streams' : 'unknown',
    durationSeconds: countOf(row['duration_seconds']),
    publishedAt: timeOf(row['uploaded_at'] ?? row['upload_date']),
  });
  const path = textOf(row['media_filepath'], 4096);
  if (path)
    return {
      what: 'media',
      video,
      path,
      downloadedAt: timeOf(row['media_downloaded_at']),
      description: textOf(row['description'], 50_000),
      infoPath: `${base}metadata/media_items/${row['id']}/metadata.json.gz`,
    };
  // Items deleted after their retention period must not return.
  const isUnwanted = rows.some((one) => isTrue(one['prevent_download']) || one['culled_at'] !== null);
  return { what: isUnwanted ? 'ignored' : 'queue', video };
}

function* readItems(database: ForeignDatabase, sources: Map<string, SourceRow>, base: string): Generator<Item> {
  const optional = [
    'title',
    'description',
    'uploaded_at',
    'upload_date',
    'media_downloaded_at',
    'media_filepath',
    'duration_seconds',
    'short_form_content',
    'livestream',
    'prevent_download',
    'culled_at',
  ];
  const hasPath = database.has('media_items', 'media_filepath');
  const order = `"media_id"${hasPath ? ', "media_filepath" is null' : ''}, "id"`;
  let same: Row[] = [];
  for (const row of database.rows('media_items', { required: ['id', 'media_id', 'source_id'], optional }, order)) {
    if (!isVideoId(row['media_id'])) {
      yield problem(textOf(row['title']) ?? String(row['media_id']), message('migrate.no-id'));
      continue;
    }
    if (same.length > 0 && same[0]!['media_id'] !== row['media_id']) {
      yield itemOf(same, sources, base);
      same = [];
    }
    if (same.length < 100) same.push(row);
  }
  if (same.length > 0) yield itemOf(same, sources, base);
}

async function* read({ source, signal }: Reading): AsyncGenerator<Item> {
  const file = source.files[0];
  if (!file) throw new MessageError(message('migrate.hint-pinchflat'));
  const database = await openForeignDatabase(file, signal);
  try {
    const missing = ['media_profiles', 'sources', 'media_items'].find((table) => !database.tables.has(table));
    if (missing)
      throw new MessageError(message('migrate.database-other', { file: file.name, program: 'Pinchflat', table: missing }));
    const sources = new Map<string, SourceRow>();
    yield* readSources(database, sources);
    yield* readItems(database, sources, file.name.replace(/(^|\/)(db\/)?[^/]+$/, '$1'));
  } finally {
    await database.close();
  }
}

export const pinchflat: Program = {
  name: 'Pinchflat',
  takes: ['subscriptions', 'rules', 'videos', 'queue', 'ignored'],
  standard: ['subscriptions', 'rules', 'ignored'],
  isWanted: (name) => /(^|\/)pinchflat\.(db|sqlite3?)$/i.test(name),
  read,
};
