import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { message } from '../contract/messages.ts';
import { fill } from '../e2e/support/backups.ts';
import { refreshPending } from '../server/archive/video-json/refresh-response-cache.ts';
import { indexPending } from '../server/features/search/index/index-pending.ts';
import { insertExactly, type PlainRow } from '../server/platform/db/copy/bulk-copy.ts';
import { storeMessages } from '../server/platform/messages/stored.ts';
import { migrate, newestStep } from '../server/platform/db/migrations/migrate.ts';
import { openSqlite } from '../server/platform/db/sqlite/sqlite.ts';

// `node scripts/record-database.ts`: records a database of the newest migration with rows in all tables, as the fixture that every
// later migration has to migrate (server/platform/db/migrations/recorded-databases.test.ts). A recorded one is not changed.

/** Rows of tables that backups do not contain, and a file that some iPhones cannot play. */
const moreRows: Record<string, PlainRow[]> = {
  session: [
    {
      keyHash: 'c'.repeat(64),
      accountId: 3,
      csrfToken: 'csrf',
      remember: 1,
      createdAt: 1,
      seenAt: 2,
      expiresAt: 3,
      browser: 'Firefox',
      address: '192.0.2.1',
      authenticatedAt: 1,
    },
  ],
  task: [
    {
      id: 'task-1',
      name: 'update_subscribed',
      input: '{}',
      status: 'success',
      singletonName: null,
      messages: JSON.stringify({ messages: [message('run.completed')] }),
      progress: 1,
      isError: 0,
      command: null,
      result: storeMessages(message('scan.found', { count: 2 })),
      queuedAt: 1,
      startedAt: 2,
      endedAt: 3,
      leasedBy: null,
      leaseUntil: null,
      attempts: 1,
      counts: '{"step":1}',
      problems: 0,
    },
  ],
  runLog: [
    {
      number: 1,
      taskId: 'task-1',
      kind: 'step',
      subject: storeMessages(message('scan.running', { name: 'Night Trains', place: 1, count: 2 })),
      reason: null,
      output: null,
      videoId: null,
      loggedAt: 2,
    },
  ],
  runShare: [
    { taskId: 'task-1', runId: 'run', egress: '', report: '{"messages":[]}', counts: '{"new":2}', skipped: '[]', activeUntil: 9 },
  ],
  outbox: [{ number: 1, sealed: 'x', message: '{"title":"Done"}', attempts: 1, nextAt: 5, createdAt: 4 }],
  storyboard: [{ videoId: 'aaaaaaaaaaa', sheets: 1, sourceSha256: 'another file' }],
  stream: [{ videoId: 'aaaaaaaaaaa', position: 7, type: 'video', codec: 'vp9', bitrate: 1, width: 640, height: 360 }],
  passageTrack: [
    { number: 1, videoId: 'aaaaaaaaaaa', lang: 'en', model: 'use-m3', source: 1, passages: 1 },
    { number: 2, videoId: 'aaaaaaaaaaa', lang: 'en', model: 'e5', source: 1, passages: 0 },
  ],
  relatedTrack: [{ number: 1, position: 0, related: 1 }],
  node: [
    {
      name: 'attic',
      role: 'worker',
      runId: 'run',
      egress: 'office',
      version: '0.1.0',
      ytdlp: '2026.10.26',
      isLeader: 1,
      isDraining: 1,
      problems: '[]',
      startedAt: 5,
      seenAt: 6,
    },
  ],
  expansion: [{ name: '0000-earlier' }],
  renditionRequest: [
    { videoId: 'aaaaaaaaaaa', name: 'a-s1.m4a', stamp: 'a', track: 1, withPicture: 0, onlyM4a: 1, askedAt: 5, failure: null },
  ],
  feedPoll: [{ channelId: 'UCaaa', readAt: 5 }],
  undoableMark: [{ accountId: 3, part: 0, name: 'x', markedAt: 5, watchedAt: 5, before: '[]' }],
  keyFingerprint: [{ id: 1, fingerprint: '0123456789abcdef' }],
  maintenance: [{ id: 1, epoch: 2 }],
  rateLimit: [{ key: 'login day:10.0.0.1', points: 3, expire: 1_790_000_000_000 }],
  siteCooldown: [
    {
      site: 'youtube',
      egress: '',
      untilAt: 9,
      failure: 'blocked',
      message: storeMessages(message('failure.rate-limited')),
      refusals: 2,
    },
  ],
  siteVisit: [{ site: 'youtube', egress: '', startedAt: 5 }],
  mediaServerRefresh: [
    {
      serverNumber: 5,
      root: '/srv/views/東京',
      folder: '/srv/views/東京/A',
      change: 'Created',
      firstAt: 9,
      lastAt: 10,
      version: 1,
    },
  ],
  migration: [
    {
      id: 'migration-1',
      taskId: 'task-1',
      program: 'opml',
      source: 'feeds.opml',
      input: '{"path":"feeds.opml","upload":null,"address":null,"pathMap":{},"take":null}',
      sealed: null,
      accountId: 3,
      isDryRun: 0,
      status: 'done',
      counts: '{"subscriptions":{"found":1,"added":1,"here":0,"left":0}}',
      problems: 1,
      error: null,
      startedAt: 1,
      endedAt: 2,
      undoUntil: 604802,
    },
  ],
  migrationLine: [
    {
      number: 1,
      migrationId: 'migration-1',
      kind: 'problem',
      subject: 'Somewhere else',
      reason: storeMessages(message('migrate.other-service')),
    },
  ],
  migrationChange: [
    { number: 1, migrationId: 'migration-1', take: 'subscriptions', kind: 'channel', subject: 'UCgone', state: null },
  ],
  pendingDeletion: [{ path: 'UCgone/old.mp4' }],
  upload: [
    {
      id: '00ff00ff00ff00ff',
      number: 1,
      runId: 'run-1',
      startedAt: 5,
      paths: '["UCaaa/x.00ff00ff00ff00ff.mp4"]',
      manifest: null,
    },
  ],
};

const name = `${newestStep().slice(0, 4)}.sqlite.gz`;
const target = join(dirname(fileURLToPath(import.meta.url)), '../server/platform/db/migrations/fixtures', name);
if (existsSync(target)) throw new Error(`${target} exists. The database of a released migration is not recorded again.`);

const folder = mkdtempSync(join(tmpdir(), 'reelkeep-record-'));
try {
  const path = join(folder, 'reelkeep.db');
  const db = await openSqlite(path);
  await migrate(db);
  await fill(db);
  for (const [table, rows] of Object.entries(moreRows)) await insertExactly(db, table, rows);
  const passage = { number: 4096, videoId: 'aaaaaaaaaaa', lang: 'en', startMs: 0, endMs: 20_000, mark: 'mark' };
  const model = 'use-m3';
  await db
    .insertInto('passage')
    .values({ ...passage, model, vector: new Uint8Array(512) })
    .execute();
  await db
    .insertInto('trackVector')
    .values({ number: 1, state: 2, vector: new Uint8Array(512) })
    .execute();
  await db
    .insertInto('generatedChapters')
    .values({ videoId: 'aaaaaaaaaaa', track: 1, chapters: '[{"title":"valve","start":0,"end":9,"is_generated":true}]' })
    .execute();
  await refreshPending(db);
  await indexPending(db);
  // Both queues have rows again.
  await db.updateTable('channel').set({ name: 'Renamed' }).where('id', '=', 'UCgone').execute();
  await db.destroy();
  const file = new DatabaseSync(path);
  file.exec('pragma journal_mode = delete; vacuum');
  file.close();
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, gzipSync(readFileSync(path), { level: 9 }));
} finally {
  rmSync(folder, { recursive: true });
}
