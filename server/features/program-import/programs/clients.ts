import { message } from '#contract/messages.ts';
import { isJsonObject, type JsonObject } from '../../../platform/lib/untrusted.ts';
import { MessageError } from '../../../platform/messages/message-error.ts';
import {
  channelIdOfUrl,
  channelSubscription,
  countOf,
  idOfUrl,
  isChannelId,
  isVideoId,
  numberOf,
  playlistSubscription,
  textOf,
  timeOf,
  youtubeVideo,
  type ForeignVideo,
  type Item,
} from '../item/item.ts';
import { isSqlite, openForeignDatabase } from '../source/foreign-database.ts';
import { readJson, readLines } from '../source/read.ts';
import type { SourceFile } from '../source/source.ts';
import { problem, readEach, unreadable, type Program, type Reading } from './program.ts';

// Exports of apps and websites that play YouTube: NewPipe, LibreTube, FreeTube, Invidious.

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Reads an object from a JSON file. @throws MessageError */
async function readDoc(file: SourceFile, { signal }: Reading): Promise<JsonObject> {
  const doc = await readJson(file, signal);
  if (!isJsonObject(doc)) throw new MessageError(message('migrate.no-json', { file: file.name, why: 'it is no object' }));
  return doc;
}

const idIn = (doc: JsonObject, ...names: string[]): string | null => {
  for (const name of names) {
    const value = doc[name];
    if (isVideoId(value)) return value;
    const id = idOfUrl(value);
    if (id) return id;
  }
  return null;
};

/** Reads a video of any of these programs; null without an id. */
function videoIn(doc: JsonObject): ForeignVideo | null {
  const id = idIn(doc, 'videoId', 'id', 'url');
  if (!id) return null;
  return youtubeVideo(id, {
    title: textOf(doc['title']) ?? id,
    channelId: isChannelId(doc['authorId'])
      ? doc['authorId']
      : (channelIdOfUrl(`https://www.youtube.com${textOf(doc['uploaderUrl']) ?? ''}`) ?? ''),
    channelName: textOf(doc['author'] ?? doc['uploader'], 500) ?? '',
    durationSeconds: countOf(doc['lengthSeconds'] ?? doc['duration']),
    publishedAt: timeOf(doc['published'] ?? doc['uploadDate']),
  });
}

const listItem = (name: string, description: unknown, videos: unknown[]): Item => ({
  what: 'list',
  name: name.slice(0, 200),
  description: textOf(description),
  entries: videos.flatMap((one) => {
    const video = isVideoId(one) ? youtubeVideo(one) : isJsonObject(one) ? videoIn(one) : null;
    return video ? [{ videoId: video.id, title: video.title, uploader: video.channelName || null }] : [];
  }),
});

/** A subscription in the JSON that NewPipe made common: `{service_id, url, name}`. Service 0 is YouTube. */
function subscriptionIn(value: unknown): Item {
  if (!isJsonObject(value)) return problem('subscriptions', unreadable);
  const name = textOf(value['name'], 500);
  if ((numberOf(value['service_id']) ?? 0) !== 0) return problem(name ?? 'subscriptions', message('migrate.other-service'));
  const found = channelSubscription({ id: value['channelId'] ?? value['id'], url: value['url'], name });
  return found ?? problem(name ?? 'subscriptions', message('migrate.no-id'));
}

/** Newer than this share of its length a video counts as watched to the end. */
const finishedShare = 0.95;

/** Position in seconds; null if the video was watched to the end, or the position is unknown. */
function positionOf(seconds: number | null, duration: number | null): number | null {
  if (seconds === null || seconds < 1) return null;
  return duration !== null && seconds >= duration * finishedShare ? null : seconds;
}

/** NewPipe's whole database, as in its ZIP export. */
async function* readNewpipeDatabase(file: SourceFile, { signal }: Reading): AsyncGenerator<Item> {
  const database = await openForeignDatabase(file, signal);
  try {
    if (!database.tables.has('subscriptions') || !database.tables.has('streams'))
      throw new MessageError(message('migrate.database-other', { file: file.name, program: 'NewPipe', table: 'streams' }));
    for (const row of database.rows('subscriptions', { required: ['service_id', 'url'], optional: ['name'] }))
      yield subscriptionIn(row);
    const streams = {
      required: ['uid', 'service_id', 'url'],
      optional: ['title', 'duration', 'uploader', 'uploader_url', 'upload_date'],
    };
    const isTable = (name: string) => database.tables.has(name);
    // Small columns of all streams; titles are read with the rows themselves.
    const history = new Map<string, number>();
    if (isTable('stream_history'))
      for (const row of database.rows('stream_history', { required: ['stream_id', 'access_date'] })) {
        const key = String(row['stream_id']);
        history.set(key, Math.max(history.get(key) ?? 0, timeOf(row['access_date']) ?? 0));
      }
    const positions = new Map<string, number>();
    if (isTable('stream_state'))
      for (const row of database.rows('stream_state', { required: ['stream_id', 'progress_time'] }))
        positions.set(String(row['stream_id']), (numberOf(row['progress_time']) ?? 0) / 1000);
    const lists = new Map<string, { name: string; entries: string[] }>();
    const listsOf = new Map<string, { list: string; index: number }[]>();
    if (isTable('playlists') && isTable('playlist_stream_join')) {
      for (const row of database.rows('playlists', { required: ['uid'], optional: ['name'] }))
        lists.set(String(row['uid']), { name: textOf(row['name'], 200) ?? 'Playlist', entries: [] });
      const join = { required: ['playlist_id', 'stream_id', 'join_index'] };
      for (const row of database.rows('playlist_stream_join', join, '"playlist_id", "join_index"')) {
        const index = lists.get(String(row['playlist_id']))?.entries.push('') ?? 0;
        const places = listsOf.getOrInsertComputed(String(row['stream_id']), () => []);
        if (index > 0 && places.length < 1000) places.push({ list: String(row['playlist_id']), index: index - 1 });
      }
    }
    const titles = new Map<string, string>();
    for (const row of database.rows('streams', streams)) {
      const key = String(row['uid']);
      const places = listsOf.get(key);
      if (!history.has(key) && !positions.has(key) && !places) continue;
      const id = row['service_id'] === 0n ? idOfUrl(row['url']) : null;
      const title = textOf(row['title']) ?? id ?? '';
      if (!id) {
        yield problem(title || String(row['url']), message('migrate.other-service'));
        continue;
      }
      for (const { list, index } of places ?? []) {
        lists.get(list)!.entries[index] = id;
        titles.set(id, title);
      }
      const duration = countOf(row['duration']);
      if (history.has(key) || positions.has(key))
        yield {
          what: 'watched',
          video: youtubeVideo(id, {
            title,
            channelId: channelIdOfUrl(row['uploader_url']) ?? '',
            channelName: textOf(row['uploader'], 500) ?? '',
            durationSeconds: duration,
            publishedAt: timeOf(numberOf(row['upload_date'])),
          }),
          watchedAt: history.get(key) || null,
          positionSeconds: positionOf(positions.get(key) ?? null, duration),
        };
    }
    for (const { name, entries } of lists.values())
      yield {
        what: 'list',
        name,
        description: null,
        entries: entries.filter(Boolean).map((id) => ({ videoId: id, title: titles.get(id) ?? id, uploader: null })),
      };
    if (isTable('remote_playlists'))
      for (const row of database.rows('remote_playlists', { required: ['service_id', 'url'], optional: ['name'] }))
        yield (
          (row['service_id'] === 0n && playlistSubscription({ url: row['url'], name: row['name'] })) ||
            problem(textOf(row['name']) ?? String(row['url']), message('migrate.other-service'))
        );
  } finally {
    await database.close();
  }
}

export const newpipe: Program = {
  name: 'NewPipe',
  takes: ['subscriptions', 'watched', 'playlists', 'queue'],
  standard: ['subscriptions', 'watched', 'playlists'],
  isWanted: (name) => /(^|\/)(newpipe\.db|[^/]+\.json)$/i.test(name) && !/(^|\/)preferences\.json$/i.test(name),
  read: (reading) =>
    readEach(reading.source.files, reading, async function* (file) {
      if (await isSqlite(file)) yield* readNewpipeDatabase(file, reading);
      else for (const one of listOf((await readDoc(file, reading))['subscriptions'])) yield subscriptionIn(one);
    }),
};

export const libretube: Program = {
  name: 'LibreTube',
  takes: ['subscriptions', 'watched', 'playlists', 'queue'],
  standard: ['subscriptions', 'watched', 'playlists'],
  isWanted: (name) => /\.json$/i.test(name),
  read: (reading) =>
    readEach(reading.source.files, reading, async function* (file) {
      const doc = await readDoc(file, reading);
      const subscriptions = [...listOf(doc['localSubscriptions']), ...listOf(doc['subscriptions'])];
      for (const one of subscriptions) yield subscriptionIn(one);
      const positions = new Map<string, number>();
      for (const one of listOf(doc['watchPositions']))
        if (isJsonObject(one) && isVideoId(one['videoId']))
          positions.set(one['videoId'], (numberOf(one['position']) ?? 0) / 1000);
      for (const one of listOf(doc['watchHistory'])) {
        const video = isJsonObject(one) ? videoIn(one) : null;
        if (!video) yield problem('watchHistory', message('migrate.no-id'));
        else {
          const positionSeconds = positionOf(positions.get(video.id) ?? null, video.durationSeconds);
          yield { what: 'watched', video, watchedAt: null, positionSeconds };
        }
      }
      for (const one of [...listOf(doc['localPlaylists']), ...listOf(doc['playlists'])]) {
        if (!isJsonObject(one)) continue;
        const about = isJsonObject(one['playlist']) ? one['playlist'] : one;
        yield listItem(textOf(about['name'], 200) ?? 'Playlist', about['description'], listOf(one['videos']));
      }
      for (const one of listOf(doc['playlistBookmarks']))
        if (isJsonObject(one)) {
          const found = playlistSubscription({ id: one['playlistId'], name: one['playlistName'] });
          if (found) yield found;
        }
    }),
};

const maxDocuments = 2_000_000;

/**
 * Yields the documents of a FreeTube file: one per line, of which the last with an `_id` counts, or a JSON array. Only the number
 * of the last line of each id is in memory.
 */
async function* documentsOf(file: SourceFile, { signal }: Reading): AsyncGenerator<JsonObject | null> {
  const parse = (line: string | null): JsonObject | null => {
    try {
      const value: unknown = JSON.parse(line ?? '');
      return isJsonObject(value) ? value : null;
    } catch {
      return null;
    }
  };
  const last = new Map<string, number>();
  let number = 0;
  for await (const line of readLines(file, signal)) {
    number++;
    if (number === 1 && line?.trimStart().startsWith('[')) {
      for (const one of listOf(await readJson(file, signal))) yield isJsonObject(one) ? one : null;
      return;
    }
    const id = line?.trim() ? parse(line)?.['_id'] : undefined;
    if (typeof id === 'string' && last.size < maxDocuments) last.set(id.slice(0, 100), number);
  }
  number = 0;
  for await (const line of readLines(file, signal)) {
    number++;
    if (line?.trim() === '') continue;
    const doc = parse(line);
    const id = doc?.['_id'];
    if (doc && typeof id === 'string' && last.get(id.slice(0, 100)) !== number) continue; // replaced by a later line
    if (doc?.['$$deleted'] === true || doc?.['$$indexCreated']) continue;
    yield doc;
  }
}

function* itemsOfFreetube(doc: JsonObject): Generator<Item> {
  if (Array.isArray(doc['subscriptions'])) for (const one of doc['subscriptions']) yield subscriptionIn(one);
  else if (Array.isArray(doc['videos'])) {
    const name = textOf(doc['playlistName'], 200) ?? 'Playlist';
    // The list to watch later and the favourites always exist.
    if (doc['videos'].length > 0) yield listItem(name, doc['description'], doc['videos']);
  } else {
    const video = videoIn(doc);
    if (!video) yield problem(textOf(doc['title']) ?? 'history', message('migrate.no-id'));
    else
      yield {
        what: 'watched',
        video,
        watchedAt: timeOf(doc['timeWatched']),
        positionSeconds: positionOf(numberOf(doc['watchProgress']), video.durationSeconds),
      };
  }
}

export const freetube: Program = {
  name: 'FreeTube',
  takes: ['subscriptions', 'watched', 'playlists', 'queue'],
  standard: ['subscriptions', 'watched', 'playlists'],
  isWanted: (name) => /(^|\/)(profiles|history|playlists|freetube-[^/]+)\.(db|json)$/i.test(name),
  read: (reading) =>
    readEach(reading.source.files, reading, async function* (file) {
      for await (const doc of documentsOf(file, reading)) {
        if (doc === null) yield problem(file.name, unreadable);
        else yield* itemsOfFreetube(doc);
      }
    }),
};

export const invidious: Program = {
  name: 'Invidious',
  takes: ['subscriptions', 'watched', 'playlists', 'queue'],
  standard: ['subscriptions', 'watched', 'playlists'],
  isWanted: (name) => /\.json$/i.test(name),
  read: (reading) =>
    readEach(reading.source.files, reading, async function* (file) {
      const doc = await readDoc(file, reading);
      for (const one of listOf(doc['subscriptions']))
        yield (
          (isChannelId(one) && channelSubscription({ id: one })) || problem(String(one).slice(0, 100), message('migrate.no-id'))
        );
      for (const one of listOf(doc['watch_history'])) {
        if (isVideoId(one)) yield { what: 'watched', video: youtubeVideo(one), watchedAt: null, positionSeconds: null };
        else yield problem(String(one).slice(0, 100), message('migrate.no-id'));
      }
      for (const one of listOf(doc['playlists']))
        if (isJsonObject(one)) yield listItem(textOf(one['title'], 200) ?? 'Playlist', one['description'], listOf(one['videos']));
    }),
};
