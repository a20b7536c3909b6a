import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createUser, createVideo, testApp, type TestApp } from '../../test-support/app.ts';
import {
  archiveForImports,
  channelOf,
  contentsOf,
  countsOf,
  importFromProgram,
  undo,
  videoIdOf,
  type Staff,
} from '../../test-support/program-import.ts';

describe('resume positions of a running TubeArchivist', () => {
  let t: TestApp;
  let staff: Staff;
  let server: Server;
  let address: string;
  let answer: (url: URL) => { status?: number; body: unknown };
  beforeEach(async () => {
    server = createServer((request, response) => {
      const url = new URL(request.url!, 'http://x');
      const { status = 200, body } = request.headers.authorization === 'Token s3cret' ? answer(url) : { status: 403, body: {} };
      response.writeHead(status, { 'content-type': 'application/json', location: '/elsewhere/' }).end(JSON.stringify(body));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    ({ t, staff } = await archiveForImports({ env: { REELKEEP_ALLOW_PRIVATE: '127.0.0.1' } }));
    const videos = {
      [channelOf(1)]: [
        { youtube_id: videoIdOf(1), title: 'A', player: { watched: false, duration: 600, position: 120.5 } },
        { youtube_id: videoIdOf(2), title: 'B', player: { watched: true, watched_date: 1_700_000_000, duration: 600 } },
        { youtube_id: videoIdOf(3), title: 'C', player: { watched: false, duration: 600 } },
      ],
      [channelOf(2)]: [{ youtube_id: videoIdOf(4), title: 'D', player: { watched: false, position: 9 } }, { strange: 1 }],
    };
    answer = (url) => {
      const page = Number(url.searchParams.get('page'));
      const all: unknown[] =
        url.pathname === '/api/channel/'
          ? Object.keys(videos).map((channel_id) => ({ channel_id }))
          : (videos[url.searchParams.get('channel')!] ?? []);
      return {
        body: {
          data: all.slice((page - 1) * 2, page * 2),
          paginate: { current_page: page, last_page: Math.ceil(all.length / 2) },
        },
      };
    };
    for (const n of [1, 2, 3]) await createVideo(t.app.db, { id: videoIdOf(n), durationSeconds: 600 });
  });
  afterEach(async () => {
    server.close();
    server.closeAllConnections();
    await t.close();
  });
  const start = (values: object = {}) =>
    importFromProgram(t, staff, { from: 'tubearchivist', address, token: 's3cret', ...values });

  test('are taken for archived videos, page by page, and the token is not kept', async () => {
    const { db } = t.app;
    const before = await contentsOf(t);
    const report = await start();
    expect(countsOf(report)).toEqual({ watched: [3, 2, 0, 1] });
    expect(report).toMatchObject({ source: address, problems: 1 });
    expect(await db.selectFrom('watch').select(['videoId', 'watchedAt', 'positionSeconds']).orderBy('videoId').execute()).toEqual(
      [
        { videoId: videoIdOf(1), watchedAt: null, positionSeconds: 120.5 },
        { videoId: videoIdOf(2), watchedAt: 1_700_000_000, positionSeconds: null },
      ],
    );
    const kept = [
      ...(await db.selectFrom('migration').selectAll().execute()),
      ...(await db.selectFrom('task').selectAll().execute()),
    ];
    expect(JSON.stringify(kept)).not.toMatch(/s3cret|aes-256/);
    await undo(t, staff, report.id);
    expect(await contentsOf(t)).toEqual(before);
  });

  test('a wrong token, an error, a redirect and a strange answer end with a clear message', async () => {
    expect((await start({ token: 'wrong' })).error).toMatch(/rejected the token/);
    answer = () => ({ status: 500, body: {} });
    expect((await start()).error).toMatch(/status 500/);
    answer = () => ({ status: 302, body: {} });
    expect((await start()).error).toMatch(/status 302/);
    answer = () => ({ body: ['what'] });
    expect((await start()).error).toMatch(/not understood/);
    for (const values of [{ address: 'ftp://x' }, { address: 'http://u:p@h' }, { token: undefined }])
      expect(
        (await staff.call('POST', '/api/migrate/', { from: 'tubearchivist', address, token: 'x', ...values })).statusCode,
      ).toBe(400);
  });

  test('a private address needs the permission of the operator', async () => {
    const other = await testApp();
    try {
      await other.runner.begin();
      const person = await createUser(other, { isStaff: true });
      const report = await importFromProgram(other, person, { from: 'tubearchivist', address, token: 's3cret' });
      expect(report.error).toMatch(/REELKEEP_ALLOW_PRIVATE/);
    } finally {
      await other.close();
    }
  });
});
