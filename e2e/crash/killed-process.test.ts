import { renderMessages } from '#server/platform/messages/render.ts';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '#server/platform/config/config.ts';
import { openSqlite } from '#server/platform/db/sqlite/sqlite.ts';
import { createDiskStore } from '#server/platform/storage/disk-store.ts';
import { findInconsistencies } from '#server/features/library/consistency/check.ts';
import { aCatalogue, aChannel, aVideo, cuesFrom } from '../../test-site/builders.ts';
import { startTestSite, type TestSite } from '../../test-site/site.ts';
import { createTrashPoints } from '../support/trash-points.ts';
import { add as addLinks, createArchive, eventually, hasTools, testSiteEnv } from '../support/acquisition.ts';
import {
  childrenIn,
  listFiles,
  hasStrace,
  isDeadWithin,
  killCommandFor,
  killWhenSeen,
  pidOf,
  type Point,
} from '../support/killing.ts';
import { addressOf, createTempFolder, logInToProgram, startProgram, type ApiClient } from '../support/program.ts';

if (!hasStrace) console.log('strace is missing or not permitted: processes are killed by polling instead of at a system call.');

const channel = aChannel({ name: 'Killed Lines', look: { scene: 'blend', seed: 21 } });
const track = (language: string) => ({
  language,
  name: language,
  automatic: false,
  cues: cuesFrom([`Hello in ${language}.`], 5),
});
const first = () =>
  aVideo({
    id: 'killVideo01',
    channelId: channel.id,
    title: 'Killed',
    durationSeconds: 5,
    look: { scene: 'blend', seed: 21 },
    subtitles: [track('en'), track('de')],
  });
const { id } = first();

let folder: Awaited<ReturnType<typeof createTempFolder>>;
let testSite: TestSite;
let pids: number[];
let readyMs: number[];
beforeEach(async () => {
  folder = await createTempFolder();
  testSite = await startTestSite({ catalogue: aCatalogue({ channels: [channel], videos: [first()] }) });
  pids = [];
  readyMs = [];
});
afterEach(async () => {
  for (const pid of [...pids, ...childrenIn(folder.path)]) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // already ended
    }
  }
  await testSite.close();
  await folder.remove();
});

const inData = (path: string) => join(folder.path, path);
const libraryPath = (ending: string) => inData(`media/${channel.id}/${id}.${ending}`);
const incoming = (path: string) => inData(`media/.incoming/${path}`);
const exists = (path: string) => () => existsSync(path);
const isMissing = (path: string) => () => !existsSync(path);
/** Queries a value from the database while the program runs. */
const runQuery = (sql: string): unknown => {
  const db = new DatabaseSync(inData('reelkeep.db'), { readOnly: true });
  try {
    return Object.values(db.prepare(sql).get() ?? {})[0];
  } finally {
    db.close();
  }
};

/** Forgets earlier kills of a run: one during which the server ended three times is not started again. */
function forgetCrashes() {
  const db = new DatabaseSync(inData('reelkeep.db'), { timeout: 30_000 });
  try {
    db.exec('update task set crashes = 0');
  } finally {
    db.close();
  }
}

const start = async (under: string[] = []) => {
  const began = performance.now();
  const program = await startProgram({ data: folder.path, env: testSiteEnv(testSite), under });
  const pid = await pidOf(program);
  pids.push(pid);
  if (under.length === 0) readyMs.push(performance.now() - began);
  return { program, pid, logIn: async () => logInToProgram(await addressOf(program)) };
};

/** Starts the program and kills it at this point. Returns false if the point was not reached. */
async function killAt(
  point: Point,
  method: 'strace' | 'polling',
  work?: (visitor: ApiClient) => Promise<unknown>,
): Promise<boolean> {
  forgetCrashes();
  if (method === 'polling' && (!point.isReached || (!work && point.isReached()))) return false;
  const { pid, logIn } = await start(method === 'strace' ? killCommandFor(point) : []);
  const killed = method === 'strace' ? isDeadWithin(pid, 120_000) : killWhenSeen(pid, point.isReached!, 120_000);
  const working =
    work &&
    logIn()
      .then(work)
      .catch(() => {}); // the kill interrupts the response
  const isDead = await killed;
  await working;
  if (!isDead) {
    process.kill(pid, 'SIGKILL');
    await isDeadWithin(pid, 5000);
  }
  return isDead;
}

const addVideo =
  (query = '') =>
  (visitor: ApiClient) =>
    visitor.call('POST', `/api/download/?autostart=true${query}`, { data: [{ youtube_id: id }] });
const remove = (visitor: ApiClient) => visitor.call('DELETE', `/api/video/${id}/`);
const { moveToTrash, restoreFromTrash, purge, expectInTrash } = createTrashPoints({ inData, runQuery, libraryPath, id });
const change = (action: 'restore' | 'delete') => (visitor: ApiClient) =>
  visitor.call('POST', '/api/trash/', { action, ids: [id] });

/** Starts the program, waits until all work is done, and stops it normally. */
async function runToCompletion(work?: (visitor: ApiClient) => Promise<unknown>) {
  if (existsSync(inData('reelkeep.db'))) forgetCrashes();
  const { pid, logIn } = await start();
  const visitor = await logIn();
  await work?.(visitor);
  await eventually(async () => {
    const { data } = (await visitor.call('GET', '/api/download/?filter=pending')).json as { data: object[] };
    const activeTasks = runQuery("select count(*) from task where status in ('pending', 'running')");
    return (
      data.length === 0 &&
      activeTasks === 0 &&
      readdirSync(incoming('')).length === 0 &&
      runQuery('select count(*) from pending_deletion') === 0 &&
      runQuery("select count(*) from trash_file where state <> 'in'") === 0
    );
  });
  process.kill(pid, 'SIGTERM');
  expect(await isDeadWithin(pid, 10_000)).toBe(true);
}

async function inconsistencies(): Promise<string[]> {
  const db = await openSqlite(inData('reelkeep.db'));
  try {
    const config = readConfig({ REELKEEP_DATA: folder.path });
    return await Array.fromAsync(findInconsistencies({ db, config, files: createDiskStore(config) }), (found) =>
      renderMessages(found),
    );
  } finally {
    await db.destroy();
  }
}

/** Expects consistent data, exactly these files, and no leftovers. */
async function expectConsistent(endings: string[]) {
  expect(await inconsistencies()).toEqual([]);
  expect(listFiles(inData('media')).filter((path) => path !== '.reelkeep')).toEqual(
    endings.map((ending) => `${channel.id}/${id}.${ending}`).sort(),
  );
  expect(listFiles(inData('cache/videos'))).toEqual(endings.length > 0 ? [`k/${id}.jpg`] : []);
  expect(runQuery('select count(*) from download')).toBe(0);
  expect(runQuery('select count(*) from video')).toBe(endings.length > 0 ? 1 : 0);
  if (endings.length > 0) {
    const expectedHash = createHash('sha256')
      .update(readFileSync(libraryPath('mp4')))
      .digest('hex');
    expect(runQuery('select sha256 from video')).toBe(expectedHash);
  }
  await eventually(async () => childrenIn(folder.path).length === 0);
}

/** Kills the program at each commit in turn until the work is done. Returns the number of the last commit. */
async function killAtEveryCommit(isDone: () => boolean, work?: (visitor: ApiClient) => Promise<unknown>): Promise<number> {
  for (let when = 1; when < 25; when++) {
    const point = { name: `commit ${when}`, calls: 'fsync,fdatasync', path: inData('reelkeep.db-wal'), when };
    await killAt(point, 'strace', work);
    if (isDone()) return when;
  }
  throw new Error('The work was not completed.');
}

const firstPoints = (): Point[] => [
  { name: 'before the folder', calls: 'mkdir', path: incoming('1'), isReached: exists(incoming('1')) },
  {
    name: 'partial files',
    calls: 'fsync',
    path: incoming(`1/${id}.mp4`),
    isReached: () => existsSync(incoming('1')) && readdirSync(incoming('1')).some((name) => name.endsWith('.part')),
  },
  {
    name: 'complete media',
    calls: 'rename',
    path: incoming('1/subtitle.en.vtt.part'),
    isReached: exists(incoming(`1/${id}.mp4`)),
  },
  {
    name: 'before the manifest',
    calls: 'rename',
    path: incoming('1/manifest.json.part'),
    isReached: exists(incoming('1/subtitle.en.vtt')),
  },
  {
    name: 'manifest written',
    calls: 'mkdir',
    path: inData(`media/${channel.id}`),
    isReached: exists(incoming('1/manifest.json')),
  },
  {
    name: 'before the first link',
    calls: 'link',
    path: libraryPath('info.json'),
    isReached: exists(inData(`media/${channel.id}`)),
  },
  { name: 'one link', calls: 'link', path: libraryPath('en.vtt'), isReached: exists(libraryPath('info.json')) },
  { name: 'all but the media', calls: 'link', path: libraryPath('mp4') },
  { name: 'all links', calls: 'fsync', path: inData(`media/${channel.id}`), isReached: exists(libraryPath('mp4')) },
];
const lastPoints = (number: number): Point[] => [
  {
    name: 'row inserted',
    calls: 'rename',
    path: inData(`cache/videos/k/${id}.jpg.part`),
    isReached: () => runQuery('select count(*) from video') === 1,
  },
  { name: 'published', calls: 'unlink', path: incoming(`${number}/manifest.json`) },
  {
    name: 'manifest deleted',
    calls: 'unlink',
    path: incoming(`${number}/${id}.mp4`),
    isReached: () => isMissing(incoming(`${number}/manifest.json`))() && runQuery('select count(*) from download') === 0,
  },
];

describe.runIf(hasTools && existsSync('/proc/self'))('killed at exact points', () => {
  const methods = hasStrace ? (['strace'] as const) : (['polling'] as const);
  test.each(methods)(
    'loses and duplicates nothing between queue, library, replacement and trash (by %s)',
    async (method) => {
      const reached: string[] = [];
      const killAtEach = async (points: Point[], work?: (visitor: ApiClient) => Promise<unknown>) => {
        let currentWork = work;
        for (const point of points) {
          if (await killAt(point, method, currentWork)) reached.push(point.name);
          currentWork = undefined;
        }
      };
      await runToCompletion((visitor) =>
        visitor.call('POST', '/api/appsettings/config/', { downloads: { sleep_interval: null, subtitle: 'en,de' } }),
      );

      // Downloads the video, killed repeatedly between queue and library.
      await killAtEach(firstPoints(), addVideo());
      if (method === 'strace') await killAtEveryCommit(() => runQuery('select count(*) from video') === 1);
      else await killAtEach(lastPoints(1));
      await runToCompletion();
      await expectConsistent(['de.vtt', 'en.vtt', 'info.json', 'mp4']);

      // Downloads it again: the content changed, and the site has one subtitle language less, which is kept.
      const oldInode = statSync(libraryPath('mp4')).ino;
      Object.assign(testSite.catalogue.videos[0]!, { look: { scene: 'blend', seed: 22 }, subtitles: [track('en')] });
      const isReplaced = () => statSync(libraryPath('mp4')).ino !== oldInode;
      await killAtEach(
        [
          {
            name: 'redownload: before the manifest',
            calls: 'rename',
            path: incoming('2/manifest.json.part'),
            isReached: exists(incoming('2')),
          },
          {
            name: 'redownload: before the first file',
            calls: 'rename',
            path: `${libraryPath('info.json')}.new`,
            isReached: exists(incoming('2/manifest.json')),
          },
          { name: 'new file next to the old one', calls: 'rename', path: `${libraryPath('mp4')}.new` },
          { name: 'old file replaced', calls: 'fsync', path: inData(`media/${channel.id}`), isReached: isReplaced },
          ...lastPoints(2).slice(1),
        ],
        addVideo('&force=true'),
      );
      await runToCompletion();
      expect(isReplaced()).toBe(true);
      await expectConsistent(['de.vtt', 'en.vtt', 'info.json', 'mp4']);
      // With strace, the polling variant only shows that it reaches ten points too.
      if (method === 'polling' && hasStrace) return expect(reached.length).toBeGreaterThanOrEqual(10);

      // Deletes the video to the trash, restores it, deletes it again and purges it, with kills at each step.
      const allFiles = ['de.vtt', 'en.vtt', 'info.json', 'mp4'];
      await killAtEach(moveToTrash(), remove);
      await runToCompletion();
      expectInTrash(allFiles);
      await killAtEach(restoreFromTrash(), change('restore'));
      await runToCompletion();
      await expectConsistent(allFiles);
      await runToCompletion(remove);
      expectInTrash(allFiles);
      await killAtEach(purge(), change('delete'));
      await runToCompletion();
      await expectConsistent([]);
      console.log(
        `killed by ${method} at ${reached.length} points: ${reached.join(', ')}; ready in ${Math.max(...readyMs).toFixed(0)} ms at most`,
      );
      expect(reached.length).toBeGreaterThanOrEqual(10);
    },
    1_500_000,
  );

  test('a redownload that was completed before a kill is not repeated', async () => {
    const t = await createArchive(testSite.catalogue);
    try {
      await t.staff.call('POST', '/api/appsettings/config/', { downloads: { subtitle: null } });
      await addLinks(t, id);
      await t.runner.end();
      // The state after a kill between the download and the end of its task.
      const input = JSON.stringify({ items: [{ text: id, isIgnored: false }], autostart: true, force: true });
      const task = { id: 'cut-off', name: 'extract_download', input, singletonName: null, status: 'running' as const };
      const now = t.app.now();
      await t.app.db
        .insertInto('task')
        .values({ ...task, queuedAt: now - 60, attempts: 1, leasedBy: 'dead', leaseUntil: now - 1 })
        .execute();
      t.testSite.requests.length = 0;
      await t.runner.begin();
      await eventually(
        async () =>
          (await t.app.db.selectFrom('task').select('status').where('id', '=', 'cut-off').executeTakeFirst())?.status ===
          'success',
      );
      await t.runner.idle();
      expect(t.testSite.requests.filter(({ path }) => path.startsWith('/videoplayback'))).toEqual([]);
    } finally {
      await t.close();
    }
  });
});
