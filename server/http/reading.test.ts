import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { aChannel, aQueueItem, aUser, aVideo, testArchive, type TestArchive } from '../testing.ts';

let t: TestArchive;
let staff: Awaited<ReturnType<typeof aUser>>;
const ids = { video: '', channel: '' };
beforeAll(async () => {
  t = await testArchive();
  staff = await aUser(t, { isStaff: true });
  ids.channel = await aChannel(t.archive.db);
  ids.video = await aVideo(t.archive.db, { channelId: ids.channel });
  await aQueueItem(t.archive.db);
  await staff.call('POST', `/api/video/${ids.video}/progress/`, { position: 3 });
  await staff.call('GET', '/api/appsettings/token/'); // made at the first asking
});
afterAll(() => t.close());

/** Every row there is. */
async function everything(): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select name from sqlite_master where type = 'table' and name not like '%fts%' order by name`.execute(t.archive.db);
  const all: unknown[] = [];
  for (const { name } of tables) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(t.archive.db);
    all.push([name, rows]);
  }
  return JSON.stringify(all);
}

test('asking changes nothing, whatever page makes a browser ask', async () => {
  const asking = Object.keys(api).flatMap((name) => (name.startsWith('GET ') ? [name.slice(4)] : []));
  expect(asking.length).toBeGreaterThan(50);
  const before = await everything();
  for (const path of asking) {
    const id = path.startsWith('/api/channel/') ? ids.channel : ids.video;
    for (const method of ['GET', 'HEAD'] as const)
      await t.app.inject({
        method,
        url: path.replace(/:\w+/g, id),
        headers: { cookie: staff.headers.cookie, 'sec-fetch-site': 'cross-site', referer: 'https://evil.example/' },
      });
    if ((await everything()) !== before) expect(path).toBe('a path that changes nothing');
  }
});
