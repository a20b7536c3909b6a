import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { createChannel, createQueueItem, createUser, createVideo, testApp, type TestApp } from '../test-support/app.ts';

let t: TestApp;
let staff: Awaited<ReturnType<typeof createUser>>;
const ids = { video: '', channel: '' };
beforeAll(async () => {
  t = await testApp();
  staff = await createUser(t, { isStaff: true });
  ids.channel = await createChannel(t.app.db);
  ids.video = await createVideo(t.app.db, { channelId: ids.channel });
  await createQueueItem(t.app.db);
  await staff.call('POST', `/api/video/${ids.video}/progress/`, { position: 3 });
  await staff.call('GET', '/api/appsettings/token/'); // created on first request
});
afterAll(() => t.close());

/** Returns all rows of all tables. */
async function readAllRows(): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select name from sqlite_master where type = 'table' and name not like '%fts%' order by name`.execute(t.app.db);
  const all: unknown[] = [];
  for (const { name } of tables) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(t.app.db);
    all.push([name, rows]);
  }
  return JSON.stringify(all);
}

test('GET requests change nothing', async () => {
  const getPaths = Object.keys(api).flatMap((name) => (name.startsWith('GET ') ? [name.slice(4)] : []));
  expect(getPaths.length).toBeGreaterThan(50);
  const before = await readAllRows();
  let succeeded = 0;
  for (const path of getPaths) {
    const id = path.startsWith('/api/channel/') ? ids.channel : ids.video;
    for (const method of ['GET', 'HEAD'] as const) {
      const { statusCode } = await t.server.inject({
        method,
        url: path.replace(/:\w+/g, id),
        headers: { cookie: staff.headers.cookie, 'sec-fetch-site': 'cross-site', referer: 'https://evil.example/' },
      });
      if (statusCode === 200) succeeded++;
    }
    expect((await readAllRows()) === before, path).toBe(true);
  }
  expect(succeeded).toBeGreaterThan(getPaths.length);
});
