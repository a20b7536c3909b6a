import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { Archive } from '#server/archive.ts';
import { backupFolder } from '#server/backup/folder.ts';
import { addExactly, pagesOf, type PlainRow } from '#server/db/copy.ts';
import type { Db } from '#server/db/db.ts';
import { dataTables } from '#server/db/kept.ts';
import { newestStep } from '#server/db/migrate.ts';
import { seal } from '#server/seal.ts';
import type { TestArchive } from '#server/testing.ts';

// Archives with something of everything in them, and ZIPs of every kind, for the tests of backups.

/** The key of every test archive. */
const testKey = Buffer.alloc(32, 7);
/** What must never be read in a backup. */
export const canary = 'CANARY-9f3a-keep-this-out';

/** Rows for every table that is in backups, with what is awkward: quotes, new lines, signs of all the world, numbers with a point. */
export const everyKindOfRow = (key: Buffer = testKey): Record<(typeof dataTables)[number], PlainRow[]> => ({
  setting: [
    { name: 'downloads.limit_speed', value: '500' },
    { name: 'odd', value: '"\\u0000 \\" \u2028 🜁"' },
  ],
  account: [
    { id: 3, foldedName: 'ann', name: 'Ann', passwordHash: 'scrypt$…', isStaff: 1, isSuperuser: 1, config: '{"page_size":7}', createdAt: 1, lastLoginAt: 2 },
    { id: 8, foldedName: 'bob', name: 'Bob', passwordHash: 'scrypt$x', isStaff: 0, isSuperuser: 0, config: '{}', createdAt: 3, lastLoginAt: null },
  ],
  token: [{ accountId: 3, tokenHash: 'a'.repeat(64), sealed: seal(key, `token ${canary}`), createdAt: 4 }],
  channel: [
    { id: 'UCgone', site: 'youtube', siteId: 'UCgone', handle: '@gone', name: 'Gone “for good”\n', sortName: 'gone', url: null, description: 'line\nline\r\n\ttab', tags: '["a"]', tabs: '["videos"]', subscriberCount: 12, isActive: 0, isSubscribed: 1, hasThumb: 1, hasBanner: 0, hasTvart: 0, overwrites: '{"autodelete_days":3}', addedAt: 1, refreshedAt: 2, rules: '{}', scannedAt: 3, listedAt: 4, goneSince: 5, goneAs: 'gone' },
    { id: 'UChere', site: 'youtube', siteId: 'UChere', handle: null, name: 'Here', sortName: 'here', url: 'https://x', description: null, tags: '[]', tabs: '[]', subscriberCount: 0, isActive: 1, isSubscribed: 0, hasThumb: 0, hasBanner: 0, hasTvart: 0, overwrites: null, addedAt: 1, refreshedAt: 2, rules: null, scannedAt: null, listedAt: null, goneSince: null, goneAs: null },
  ],
  video: ['aaaaaaaaaaa', 'bbbbbbbbbbb', 'ccccccccccc'].map((id, place) => ({
    id, site: 'youtube', siteId: id, channelId: place === 0 ? 'UCgone' : 'UChere', title: `“${id}” 東京 \u{1F600}`, sortTitle: id, description: place ? null : 'It\'s "said"; -- \\', kind: 'videos', url: null, publishedAt: 10 + place, downloadedAt: 20, refreshedAt: 30, isActive: place ? 1 : 0, durationSeconds: 61, sizeBytes: 9_007_199_254_740_000, sha256: '0'.repeat(64), mediaPath: `UChere/${id}.mp4`, width: 1920, height: 1080, categories: '[]', tags: '["x"]', chapters: '[]', sponsorblock: null, viewCount: 1, likeCount: 2, dislikeCount: 3, averageRating: 4.75, commentCount: place ? null : 1, goneSince: null, goneAs: null, isKept: 1, verifiedAt: 40, damage: 'The file is missing.',
  })),
  stream: [{ videoId: 'aaaaaaaaaaa', position: 0, type: 'video', codec: 'h264', bitrate: 1000, width: 1920, height: 1080 }],
  subtitle: [{ videoId: 'aaaaaaaaaaa', lang: 'en', source: 'user', name: 'English', path: 'UChere/aaaaaaaaaaa.en.vtt' }],
  comment: [{ videoId: 'aaaaaaaaaaa', id: 'c1', position: 0, parent: 'root', author: 'Who', authorId: 'x', authorThumbnail: '', text: 'so\nit is', writtenAt: 5, likeCount: null, isFavorited: 0, isByUploader: 1 }],
  line: Array.from({ length: 1234 }, (_, position) => ({ videoId: position < 1000 ? 'bbbbbbbbbbb' : 'ccccccccccc', lang: position % 2 ? 'en' : 'de-AT', position, startSeconds: position * 1.5, endSeconds: position * 1.5 + 1.25, text: `words ${position}` })),
  earlier: [{ videoId: 'aaaaaaaaaaa', what: 'title', until: 50, value: 'Before' }],
  playlist: [{ id: 'TA_playlist_1', kind: 'custom', name: 'Mine', sortName: 'mine', description: null, channelId: null, channelName: null, url: null, isActive: 1, isSubscribed: 0, sortOrder: 'top', hasThumb: 0, refreshedAt: 6, rules: null, scannedAt: null, goneSince: null, goneAs: null }],
  playlistEntry: [0, 1].map((position) => ({ playlistId: 'TA_playlist_1', position, videoId: position ? 'notHere0000' : 'aaaaaaaaaaa', title: 't', uploader: null })),
  watch: [{ accountId: 3, videoId: 'aaaaaaaaaaa', watchedAt: 7, positionSeconds: 12.5, updatedAt: 8 }, { accountId: 8, videoId: 'bbbbbbbbbbb', watchedAt: null, positionSeconds: 3, updatedAt: 9 }],
  download: [{ number: 41, id: 'ddddddddddd', site: 'youtube', siteId: 'ddddddddddd', url: 'https://y', title: 'Later', foldedTitle: 'later', channelId: 'UChere', channelName: 'Here', kind: 'unknown', durationSeconds: null, publishedAt: null, thumbnailUrl: null, status: 'ignore', autoStart: 0, isForced: 0, failure: null, message: null, queuedAt: 1, attempts: 2, failures: 0, retryAt: null, leasedBy: null, leaseUntil: null }],
  listed: [{ videoId: 'eeeeeeeeeee', channelId: 'UChere', title: 'Seen', kind: 'videos', durationSeconds: 5, publishedAt: 6, isMembersOnly: 0, listedAt: 7 }],
  listing: [{ url: 'https://z', reached: 90, updatedAt: 1 }],
  refreshWish: [{ number: 5, kind: 'video', id: 'aaaaaaaaaaa', isByHand: 1 }],
  schedule: [{ name: 'run_backup', schedule: '0 18 0', config: '{"rotate":2}', lastRunAt: null, nextAt: 99 }],
  secret: [{ name: 'cookie', sealed: seal(key, `cookie ${canary}`), state: '{}', updatedAt: 3 }],
  notifyTarget: [{ number: 2, taskName: 'run_backup', urlHash: 'h', sealed: seal(key, `ntfy://${canary}`) }],
}); // prettier-ignore

/** Fills an empty archive. */
export async function fill(db: Db, key?: Buffer) {
  for (const [table, rows] of Object.entries(everyKindOfRow(key))) await addExactly(db, table, rows);
}

/** Everything that backups are about, table by table. */
export async function contentOf(db: Db): Promise<Record<string, PlainRow[]>> {
  const content: Record<string, PlainRow[]> = {};
  for (const table of dataTables) {
    const rows: PlainRow[] = [];
    for await (const page of pagesOf(db, table, 100)) rows.push(...page);
    content[table] = rows;
  }
  return content;
}

/** Writes a ZIP with these files. */
export async function writeZip(path: string, files: Record<string, string | Buffer>) {
  await mkdir(dirname(path), { recursive: true });
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content as string), name);
  zip.end();
  await pipeline(zip.outputStream as NodeJS.ReadableStream, createWriteStream(path));
}

const sumOf = (text: string) => createHash('sha256').update(text).digest('hex');

interface Wish {
  tables?: Record<string, unknown[]>;
  migration?: string;
  /** The last word on what is in it. */
  change?(files: Record<string, string | Buffer>, manifest: Record<string, unknown>): void;
}

/** A backup of ours with these rows, in the folder of an archive. */
export async function aZip(
  archive: Pick<Archive, 'config'>,
  filename: string,
  { tables = {}, migration = newestStep(), change }: Wish = {},
) {
  const files: Record<string, string | Buffer> = {};
  const said: Record<string, unknown> = {};
  for (const [table, rows] of Object.entries(tables)) {
    const text = rows.map((row) => `${typeof row === 'string' ? row : JSON.stringify(row)}\n`).join('');
    const name = `tables/${table}-0.ndjson`;
    files[name] = text;
    said[table] = {
      rows: rows.length,
      parts: [{ name, rows: rows.length, bytes: Buffer.byteLength(text), sha256: sumOf(text) }],
    };
  }
  const manifest: Record<string, unknown> = { format: 1, program: '0.0.1', migration, engine: 'sqlite', reason: 'auto', createdAt: 1_760_000_000, keyMark: 'x', tables: said, files: [], left_out: [] }; // prettier-ignore
  change?.(files, manifest);
  if (files['manifest.json'] === undefined) files['manifest.json'] = JSON.stringify(manifest);
  const path = join(backupFolder(archive), filename);
  await writeZip(path, files);
  return path;
}

/** A file of the original's backup: pairs of lines. */
export const pairs = (index: string, documents: Record<string, unknown>) =>
  Object.entries(documents)
    .map(([id, doc]) => `${JSON.stringify({ index: { _index: `ta_${index}`, _id: id } })}\n${JSON.stringify(doc)}\n`)
    .join('')
    .concat('\n\n');

/** Lets a task run to its end; answers how it ended. */
export async function done({ archive, runner }: TestArchive, started: { id: string } | Promise<{ id: string }>) {
  const { id } = await started;
  await runner.idle();
  return archive.db.selectFrom('task').select(['status', 'result', 'messages']).where('id', '=', id).executeTakeFirstOrThrow();
}
