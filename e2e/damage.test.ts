import { spawnSync } from 'node:child_process';
import { closeSync, cpSync, openSync, readdirSync, readFileSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Check } from '#contract/doctor.ts';
import { eventually } from './acquiring.ts';
import { addressOf, aFolder, aVisitor, type Visitor } from './program.ts';
import { endAll, finished, start, stop, within } from './restoring.ts';

// A disk that gives back something else than what was written to it.

let around: Awaited<ReturnType<typeof aFolder>>;
let folder: Awaited<ReturnType<typeof aFolder>>;
let template: string;
let data: string;
let snapshot: string;
const file = () => join(data, 'reelkeep.db');
const videos = 400;

beforeAll(async () => {
  around = await aFolder();
  template = join(around.path, 'template');
  const first = await start(template);
  await addressOf(first);
  await stop(first);
  within(template, (db) =>
    db.exec(`insert into channel (id, site, site_id, name, sort_name, added_at, refreshed_at) values ('UCx', 's', 'UCx', 'Kept', 'kept', 1, 1);
      insert into video (id, site, site_id, channel_id, title, sort_title, kind, published_at, downloaded_at, refreshed_at, duration_seconds, size_bytes, sha256, media_path)
        with recursive c(n) as (select 1 union all select n + 1 from c where n < ${videos})
        select 'v' || n, 's', 'v' || n, 'UCx', 'Video ' || n, 'video ' || n, 'videos', n, n, n, 1, 1, '', 'UCx/v' || n || '.mp4' from c`),
  );
  const second = await start(template);
  const visitor = await aVisitor(await addressOf(second));
  snapshot = ((await visitor.call('POST', '/api/appsettings/snapshot/')).json as { snapshot_name: string }).snapshot_name;
  expect(await finished(visitor, 'snapshot')).toMatchObject({ status: 'SUCCESS' });
  await stop(second);
});
afterAll(() => around.remove());
beforeEach(async () => {
  folder = await aFolder();
  data = join(folder.path, 'data');
  cpSync(template, data, { recursive: true });
});
afterEach(async () => {
  await endAll();
  await folder.remove();
});

function overwrite(from: number, bytes: number) {
  const open = openSync(file(), 'r+');
  writeSync(open, Buffer.alloc(bytes, 0xa5), 0, bytes, from);
  closeSync(open);
}
/** The page that every look into a table begins with. */
const pageOf = (table: string) =>
  within(data, (db) => {
    const { rootpage } = db.prepare('select rootpage from sqlite_schema where name = ?').get(table) as { rootpage: number };
    const { page_size: size } = db.prepare('pragma page_size').get() as { page_size: number };
    return { from: (rootpage - 1) * size, size };
  });
const damageVideos = () => {
  const { from, size } = pageOf('video');
  overwrite(from, size);
};
const keptAside = () => readdirSync(data).filter((name) => /^reelkeep\.db\.damaged-\d{8}-\d{6}$/.test(name));
const byHand = (script: string, ...args: string[]) =>
  spawnSync(process.execPath, [join(import.meta.dirname, '../server/console', script), ...args], {
    encoding: 'utf8',
    env: { ...process.env, REELKEEP_DATA: data, REELKEEP_DATABASE: '' },
  });
const count = async (visitor: Visitor) =>
  ((await visitor.call('GET', '/api/video/')).json as { paginate: { total_hits: number } }).paginate.total_hits;

describe('a database file that cannot be opened', () => {
  test.each<[string, () => void]>([
    ['its header is overwritten', () => overwrite(0, 100)],
    ['its schema is overwritten', () => overwrite(100, 3000)],
    ['it breaks off', () => truncateSync(file(), Math.floor(statSync(file()).size / 2))],
    ['it is empty', () => truncateSync(file(), 0)],
  ])('%s: the program ends for good with the line that helps, and that line helps', async (_, damage) => {
    damage();
    const damaged = readFileSync(file());
    const refused = await start(data);
    expect(await refused.ended).toBe(78);
    const words = refused.words.text.trim();
    expect(words).toMatch(/^The database \S+reelkeep\.db is damaged \(.+\)\. Nothing was changed\. Go back to a copy/);
    expect(words).toContain(`\n  env REELKEEP_DATA=${data} npm run restore -- ${snapshot} `);
    expect(words).not.toMatch(/^ +at /m);
    expect(readFileSync(file())).toEqual(damaged);

    const dry = byHand('restore.ts', snapshot, '--dry-run');
    expect([dry.status, dry.stdout]).toEqual([0, expect.stringContaining('Nothing was changed')]);
    expect([readFileSync(file()), keptAside()]).toEqual([damaged, []]);
    const restored = byHand('restore.ts', snapshot);
    expect([restored.status, restored.stderr]).toEqual([0, '']);
    const [aside] = keptAside();
    expect(restored.stdout).toContain(aside);
    expect(readFileSync(join(data, aside!))).toEqual(damaged);
    const visitor = await aVisitor(await addressOf(await start(data)));
    expect(await count(visitor)).toBe(videos);
  });

  test('without any copy it says so', async () => {
    spawnSync('rm', ['-rf', join(data, 'snapshots')]);
    overwrite(0, 100);
    const refused = await start(data);
    expect(await refused.ended).toBe(78);
    expect(refused.words.text).toContain(`There is no snapshot and no backup in ${data}`);
    const asked = byHand('verify.ts');
    expect([asked.status, asked.stderr]).toEqual([78, expect.stringContaining('is damaged')]);
  });
});

describe('a database with a damaged page', () => {
  test('what can be read is, the rest says why, and going back to a snapshot mends it while people watch', async () => {
    damageVideos();
    const program = await start(data);
    const address = await addressOf(program);
    const visitor = await aVisitor(address);
    const health = async () => {
      const answer = await fetch(`${address}/api/health/`);
      return [answer.status, JSON.stringify(await answer.json())];
    };
    // It is found out without anybody asking for what is damaged.
    await eventually(async () => (await health())[0] === 503);
    expect(await health()).toEqual([503, expect.stringContaining('The database is damaged')]);
    const checks = (await visitor.call('GET', '/api/doctor/')).json as Check[];
    expect(checks.find(({ name }) => name === 'database')).toMatchObject({
      state: 'bad',
      do: expect.stringContaining('Go back to a snapshot'),
      command: `npm run restore -- ${snapshot}`,
    });
    const refused = await fetch(`${address}/api/video/`, { headers: visitor.headers });
    expect([refused.status, await refused.json()]).toEqual([
      500,
      { error: expect.stringMatching(/^This part of the database is damaged/) },
    ]);
    expect((await visitor.call('GET', '/api/channel/UCx/')).status).toBe(200);

    expect((await visitor.call('POST', `/api/appsettings/snapshot/${snapshot}/`)).status).toBe(200);
    const { status, result } = await finished(visitor, 'restore_backup');
    expect([status, result]).toEqual([
      'SUCCESS',
      expect.stringMatching(/^Back at the snapshot .* kept as reelkeep\.db\.damaged-/),
    ]);
    expect(await count(visitor)).toBe(videos); // whoever is logged in stays so
    await eventually(async () => (await health())[0] === 200);
    expect(keptAside()).toHaveLength(1);
    await stop(program);
    expect(within(data, (db) => db.prepare('pragma integrity_check').get())).toEqual({ integrity_check: 'ok' });
  });

  test('by hand it is set aside with everything in it, and the copy takes its place', async () => {
    damageVideos();
    const damaged = readFileSync(file());
    const restored = byHand('restore.ts', snapshot);
    expect([restored.status, restored.stderr]).toEqual([0, '']);
    expect(keptAside().map((name) => readFileSync(join(data, name)))).toEqual([damaged]);
    expect(await count(await aVisitor(await addressOf(await start(data))))).toBe(videos);
  });
});
