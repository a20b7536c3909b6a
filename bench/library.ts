/**
 * Generates a large library: 100,000 videos, 1,000 channels, 500 playlists (one of 5,000), 5,000,000 subtitle lines, 1,000,000
 * comments, ten users with watch states, 50,000 queue items; with REELKEEP_BENCH_SCALE=5, five times as many of each. The output
 * is deterministic. `npm run bench -- library <data folder>` creates one to try out; log in as demo / demo.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '#server/app/open-database.ts';
import { readConfig } from '#server/platform/config/config.ts';
import { indexPending } from '#server/features/search/index/index-pending.ts';
import { mergeFtsSegments } from '#server/features/search/index/merge-fts-segments.ts';
import { refreshPending } from '#server/archive/video-json/refresh-response-cache.ts';
import { hashPassword } from '#server/features/user/login/password.ts';
import { addAccount } from '#server/features/user/account/store.ts';
import { bulkIntoFile, bulkIntoPostgres, type Bulk } from './bulk.ts';
import { makeWords, randomFrom } from './random-words.ts';

const scale = Number(process.env.REELKEEP_BENCH_SCALE || 1);
export const sizes = {
  videos: 100_000 * scale,
  channels: 1_000 * scale,
  playlists: 500 * scale,
  longestPlaylist: 5_000,
  /** Lines per video; REELKEEP_BENCH_LINES overrides it. */
  lines: Number(process.env.REELKEEP_BENCH_LINES || 50),
  /** Comments per video; REELKEEP_BENCH_COMMENTS overrides it. */
  comments: Number(process.env.REELKEEP_BENCH_COMMENTS || 10),
  queue: 50_000 * scale,
};
export const people = ['demo', 'anna', 'ben', 'carla', 'dario', 'elif', 'farid', 'gwen', 'hana', 'ivo'];
// Share of the videos that each user has watched.
const shares = [0.5, 0.3, 0.9, 0.1, 0.05, 0.02, 0.01, 0.005, 0.001, 0];

const now = Math.floor(Date.UTC(2026, 10, 1) / 1000);
const year = 31_536_000;
const padded = (n: number, length: number) => String(n).padStart(length, '0');
export const channelId = (n: number) => `UCbench${padded(n, 17)}`;
export const videoId = (n: number) => `bench${padded(n, 6)}`;
export const playlistId = (n: number) => `PLbench${padded(n, 27)}`;

const heights = [1080, 1080, 1080, 720, 720, 480, 1440, 2160];
const kindOf = (n: number) => (n % 10 < 7 ? 'videos' : n % 10 < 9 ? 'shorts' : 'streams');
// Skewed: few channels have many videos, most have few.
const channelOf = (n: number, random: () => number) => Math.floor(random() ** 2.5 * sizes.channels * 0.999 + (n % 1));

function* channels(random: () => number, words: ReturnType<typeof makeWords>) {
  for (let n = 0; n < sizes.channels; n++) {
    const name = `${words.title(2)} ${n}`;
    const id = channelId(n);
    yield [
      id,
      'youtube',
      id,
      name,
      name.toLowerCase(),
      words.text(40),
      '["videos","shorts","streams"]',
      n * 1000,
      1,
      Math.floor(random() * 2),
      1,
      now,
      now,
    ];
  }
}

const checksum = '0'.repeat(64);

function* videos(random: () => number, words: ReturnType<typeof makeWords>) {
  for (let n = 0; n < sizes.videos; n++) {
    const id = videoId(n);
    const title = words.title(4 + (n % 5));
    const channel = channelId(channelOf(n, random));
    const height = heights[n % heights.length]!;
    const published = now - Math.floor(random() * 10 * year);
    yield [
      id, 'youtube', id, channel, title, title.toLowerCase(), words.text(30 + (n % 50)), kindOf(n), published, now - (sizes.videos - n) * 300, now,
      n % 50 === 0 ? 0 : 1, 20 + Math.floor(random() ** 3 * 7200), Math.floor(random() * 2e9), checksum, `${channel}/${id}.mp4`,
      Math.round((height * 16) / 9), height, '["Education"]', JSON.stringify([words.word(), words.word(), words.word()]),
      Math.floor(random() ** 6 * 1e8), Math.floor(random() ** 6 * 1e6), sizes.comments,
    ]; // prettier-ignore
  }
}

function* streams() {
  for (let n = 0; n < sizes.videos; n++) {
    const height = heights[n % heights.length]!;
    yield [videoId(n), 0, 'video', 'h264', 2_000_000, Math.round((height * 16) / 9), height];
    yield [videoId(n), 1, 'audio', 'aac', 128_000, null, null];
  }
}

/** Marks storyboards as existing, as in any older library. Otherwise they would be rendered during the measurements. */
function* storyboards() {
  for (let n = 0; n < sizes.videos; n++) yield [videoId(n), 1, checksum];
}

function* lines(words: ReturnType<typeof makeWords>) {
  for (let n = 0; n < sizes.videos; n++)
    for (let line = 0; line < sizes.lines; line++) yield [videoId(n), 'en', line, line * 4, line * 4 + 4, words.text(9)];
}

function* subtitles() {
  for (let n = 0; n < sizes.videos; n++) yield [videoId(n), 'en', 'auto', 'English', `bench/${videoId(n)}.en.vtt`];
}

function* comments(words: ReturnType<typeof makeWords>) {
  for (let n = 0; n < sizes.videos; n++)
    for (let index = 0; index < sizes.comments; index++) {
      const parent = index % 3 === 0 ? 'root' : `c${index - (index % 3)}`;
      yield [videoId(n), `c${index}`, index, parent, words.word(), 'UCauthor', '', words.text(15), now, index, 0, 0];
    }
}

function* playlists(words: ReturnType<typeof makeWords>) {
  for (let n = 0; n < sizes.playlists; n++) {
    const name = `${words.title(3)} ${n}`;
    yield [playlistId(n), 'regular', name, name.toLowerCase(), channelId(n), words.word(), now];
  }
}

function* entries(random: () => number, words: ReturnType<typeof makeWords>) {
  for (let n = 0; n < sizes.playlists; n++) {
    const length = n === 0 ? sizes.longestPlaylist : 10 + (n % 90);
    for (let index = 0; index < length; index++)
      yield [playlistId(n), index, videoId(Math.floor(random() * sizes.videos)), words.title(5), words.word()];
  }
}

function* watches(accounts: number[], random: () => number) {
  for (const [index, account] of accounts.entries())
    for (let n = 0; n < sizes.videos; n++) {
      if (random() < shares[index]!) yield [account, videoId(n), now - Math.floor(random() * year), null, now];
      else if (random() < 0.002) yield [account, videoId(n), null, 100 + random() * 200, now - Math.floor(random() * year)];
    }
}

function* queue(random: () => number, words: ReturnType<typeof makeWords>) {
  for (let n = 0; n < sizes.queue; n++) {
    const id = `queue${padded(n, 6)}`;
    const title = words.title(5);
    const channel = channelOf(n, random);
    const failure = n % 20 === 0 ? 'private' : null;
    yield [id, 'youtube', id, `https://www.youtube.com/watch?v=${id}`, title, title, channelId(channel), `Channel ${channel}`, kindOf(n), 300, now, n % 5 === 0 ? 'ignore' : 'pending', 0, failure, failure && 'Private video.', now + n]; // prettier-ignore
  }
}

const t = 't' as const;
const i = 'i' as const;

async function fill(bulk: Bulk, accounts: number[]) {
  await bulk.skipTriggers();
  const random = randomFrom(1);
  const words = makeWords(2);
  const write = async (name: string, columns: Record<string, 't' | 'i' | 'r'>, rows: Iterable<(string | number | null)[]>) => {
    const began = performance.now();
    const count = await bulk.write({ name, columns, rows });
    console.log(`${name}: ${count} rows in ${((performance.now() - began) / 1000).toFixed(1)} s`);
  };
  await write('channel', { id: t, site: t, site_id: t, name: t, sort_name: t, description: t, tabs: t, subscriber_count: i, is_active: i, is_subscribed: i, has_thumb: i, added_at: i, refreshed_at: i }, channels(random, words)); // prettier-ignore
  await write('video', { id: t, site: t, site_id: t, channel_id: t, title: t, sort_title: t, description: t, kind: t, published_at: i, downloaded_at: i, refreshed_at: i, is_active: i, duration_seconds: i, size_bytes: i, sha256: t, media_path: t, width: i, height: i, categories: t, tags: t, view_count: i, like_count: i, comment_count: i }, videos(random, words)); // prettier-ignore
  await write('stream', { video_id: t, position: i, type: t, codec: t, bitrate: i, width: i, height: i }, streams());
  await write('subtitle', { video_id: t, lang: t, source: t, name: t, path: t }, subtitles());
  await write('storyboard', { video_id: t, sheets: i, source_sha256: t }, storyboards());
  await write('comment', { video_id: t, id: t, position: i, parent: t, author: t, author_id: t, author_thumbnail: t, text: t, written_at: i, like_count: i, is_favorited: i, is_by_uploader: i }, comments(words)); // prettier-ignore
  await write('playlist', { id: t, kind: t, name: t, sort_name: t, channel_id: t, channel_name: t, refreshed_at: i }, playlists(words)); // prettier-ignore
  await write('playlist_entry', { playlist_id: t, position: i, video_id: t, title: t, uploader: t }, entries(random, words));
  await write('watch', { account_id: i, video_id: t, watched_at: i, position_seconds: 'r', updated_at: i }, watches(accounts, random)); // prettier-ignore
  await write('download', { id: t, site: t, site_id: t, url: t, title: t, normalized_title: t, channel_id: t, channel_name: t, kind: t, duration_seconds: i, published_at: i, status: t, auto_start: i, failure: t, message: t, queued_at: i }, queue(random, words)); // prettier-ignore
  await write(
    'transcript_line',
    { video_id: t, lang: t, position: i, start_seconds: 'r', end_seconds: 'r', text: t },
    lines(words),
  );
}

/** Fills a new database in a data folder, or the PostgreSQL database at a URL, with the large library. */
export async function makeLargeLibrary(dataFolder: string, databaseUrl?: string): Promise<void> {
  const media = join(dataFolder, 'media');
  await mkdir(media, { recursive: true });
  // Nearly all media files are missing. Without the marker, the server would assume an unmounted disk and download nothing.
  await writeFile(join(media, '.reelkeep'), '');
  const db = await openDatabase({ ...readConfig({}), dataFolder, databaseUrl });
  const passwordHash = await hashPassword('demo');
  const accounts: number[] = [];
  for (const name of people) accounts.push((await addAccount(db, { name, passwordHash, isStaff: name === 'demo' }, now))!.id);
  await db.destroy();
  const bulk = databaseUrl ? await bulkIntoPostgres(databaseUrl) : bulkIntoFile(join(dataFolder, 'reelkeep.db'));
  await fill(bulk, accounts);
  if (databaseUrl) await bulk.run('analyze');
  await bulk.close();
  const filled = await openDatabase({ ...readConfig({}), dataFolder, databaseUrl });
  const began = performance.now();
  await indexPending(filled);
  await mergeFtsSegments(filled);
  await refreshPending(filled);
  console.log(`indexed for searching in ${((performance.now() - began) / 1000).toFixed(0)} s`);
  await filled.destroy();
}

if (import.meta.main) {
  const folder = process.argv[2];
  if (!folder) throw new Error('Say where: npm run bench -- library <data folder>');
  await makeLargeLibrary(folder, process.env.REELKEEP_DATABASE);
}
