import { writeFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../config/config.ts';
import { openLog } from './log.ts';
import { createChannel, createUser, createVideo, testApp, type TestApp } from '../../test-support/app.ts';

const secretFile = join(mkdtempSync(join(tmpdir(), 'reelkeep-')), 'token');
writeFileSync(secretFile, 'canary-metrics-token\n');
const env = {
  REELKEEP_PASSWORD: 'canary-first-password',
  REELKEEP_METRICS_TOKEN_FILE: secretFile,
  REELKEEP_PROXY: 'http://proxy:canary-proxy@127.0.0.1:9',
};

function openTestLog(level: string) {
  const lines: string[] = [];
  const log = openLog(readConfig({ ...env, REELKEEP_LOG: level }), { write: (line) => void lines.push(line) });
  return { log, lines, parsed: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

describe('log of a running server', () => {
  const { log, lines, parsed } = openTestLog('trace');
  let t: TestApp;
  beforeAll(async () => {
    t = await testApp({ env, log });
  });
  afterAll(() => t.close());

  test('contains no secrets of requests', async () => {
    const staff = await createUser(t, { name: 'Ada', password: 'canary-password', isStaff: true });
    const canaries = ['canary', ...staff.headers.cookie.split('; ').map((pair) => pair.split('=')[1]!)];
    const login = (password: string) =>
      t.server.inject({ method: 'POST', url: '/api/user/login/', payload: { username: 'Ada', password } });
    expect((await login('canary-wrong')).statusCode).toBe(400);
    await staff.call('POST', '/api/user/password/', { current: 'canary-password', next: 'canary-next-password' });
    const { token } = (await staff.call('GET', '/api/appsettings/token/')).json();
    canaries.push(token);
    const headers = { authorization: `Token ${token}` };
    const channelId = await createChannel(t.app.db);
    const id = await createVideo(t.app.db, { channelId });
    const { media_url } = (await t.server.inject({ url: `/api/video/${id}/`, headers })).json();
    canaries.push(/~([^/]+)/.exec(media_url)![1]!);
    await t.server.inject({ url: media_url });
    await t.server.inject({ url: `/youtube/${channelId}/${id}.mp4?auth=${token}` });
    await t.server.inject({ url: `/youtube/${channelId}/${id}.mp4?auth=canary-guessed` });
    await t.server.inject({ url: `/api/video/?channel=canary-query`, headers });
    await staff.call('PUT', '/api/appsettings/cookie/', {
      cookie: '# Netscape HTTP Cookie File\n.youtube.com\tTRUE\t/\tTRUE\t2000000000\tLOGIN_INFO\tcanary-cookie\n',
    });
    await staff.call('PUT', '/api/appsettings/cookie/', { cookie: 'canary-no-cookie' });
    await staff.call('POST', '/api/appsettings/potoken/', { potoken: 'web.gvs+canary-po' });
    await staff.call('POST', '/api/appsettings/config/', { downloads: { pot_provider_url: 'http://canary-settings:1/' } });
    for (const url of ['ntfys://canary-ntfy@ntfy.example/topic', 'json://user:canary-json@127.0.0.1:1/x']) {
      await staff.call('POST', '/api/task/notification/', { task_name: 'download_pending', url });
      await staff.call('POST', '/api/task/notification/test/', { url });
    }
    await t.server.inject({ url: '/metrics', headers: { authorization: 'Bearer canary-metrics-token' } });
    await t.server.inject({ url: '/metrics', headers: { authorization: 'Bearer canary-guessed' } });
    await t.server.inject({
      url: '/api/ping/',
      headers: { authorization: 'Token canary-guessed', cookie: 'sessionid=canary-session' },
    });
    await staff.call('POST', `/api/users/${staff.id}/`, { may_share: true });
    const shared = { type: 'video', id, expires: null };
    const share = (await staff.call('POST', '/api/share/', shared)).json().url.split('/').at(-1) as string;
    const feed = (await staff.call('POST', '/api/podcast/', { type: 'new', media: 'video' })).json().url as string;
    const list = new URL((await staff.call('GET', `/api/channel/${channelId}/m3u/`)).headers['content-location'] as string);
    canaries.push(share, feed.split('/').at(-2)!, /~([^/]+)/.exec(list.pathname)![1]!);
    for (const url of [`/shared/${share}`, new URL(feed).pathname, list.pathname]) {
      await t.server.inject({ url });
      log.warn(`GET ${url} failed`);
    }
    await t.server.inject({ method: 'POST', url: `/api/share/${share}/open/`, payload: {} });
    log.warn({ path: `/api/share/${share}/open/` }, 'slow');
    // Secrets logged by mistake, recognized by key, form or value.
    const mistakes = {
      password: 'canary-a',
      deep: { token: 'canary-b', deeper: { cookie: 'canary-c' } },
      headers: { authorization: 'canary-d' },
      what: 'https://clips.example/private?watch_key=canary-query-1&list=PL12&v=canary.query.2',
      withoutScheme: 'clips.example/private?watch_key=canary-query-3',
      withQuote: "https://clips.example/it's private?watch_key=canary-query-4&x='canary-query-5",
      where: 'https://canary-user@clips.example/private#access_token=canary-fragment',
    };
    log.warn(
      mistakes,
      'GET /youtube/~canary-e/x.mp4?auth=canary-i with sessionid=canary-f; Token canary-ghijkl http://me:canary-h@host/',
    );
    log.error({ err: new Error('psql: canary-first-password and canary-proxy were wrong') }, 'failed');
    // A rejected link of staff.
    await t.runner.begin();
    const link = 'http://127.0.0.1/private?watch_key=canary-link';
    await staff.call('POST', '/api/channel/', { data: [{ channel_id: link, channel_subscribed: true }] });
    await t.runner.idle();
    expect(lines.join('')).toContain('http://127.0.0.1/private?watch_key=…');
    await t.app.db.schema.dropTable('watch').execute();
    await expect(t.server.inject({ url: `/api/video/${id}/?sort=canary-query`, headers })).rejects.toThrow(/→ 500/);
    expect(lines.length).toBeGreaterThan(15);
    for (const canary of canaries)
      expect(
        lines.filter((line) => line.includes(canary)),
        canary,
      ).toEqual([]);
  });

  test('logs a request in one line with user, route and the request id of the response', async () => {
    const user = await createUser(t);
    const response = await user.call('GET', '/api/channel/UCsomething/?token=x');
    const ownLines = parsed().filter((line) => line.request === response.headers['x-request-id']);
    expect(ownLines).toEqual([
      expect.objectContaining({
        method: 'GET',
        route: '/api/channel/:id/',
        status: 404,
        user: user.id,
        ms: expect.any(Number),
        level: 20,
      }),
    ]);
    expect(JSON.stringify(ownLines)).not.toContain('UCsomething');
  });

  test('a server error contains the request id of its log entry', async () => {
    const user = await createUser(t);
    const errorMessage = (await user.call('GET', '/api/video/').catch((error: Error) => error.message)) as string;
    const [, name] = /under ([\w-]+)\./.exec(errorMessage)!;
    const ownLines = parsed().filter((line) => line.request === name);
    expect(ownLines.map(({ msg }) => msg)).toEqual(['request failed', 'answered with a failure']);
    expect(JSON.stringify(ownLines)).toContain('no such table');
    expect(errorMessage).not.toContain('no such table');
  });
});

test('contains no secrets of services, also with a bare percent sign', () => {
  const lines: string[] = [];
  const services = {
    REELKEEP_PROXY: 'http://proxy:canary%off@127.0.0.1:9',
    REELKEEP_LDAP_URL: 'ldap://127.0.0.1',
    REELKEEP_LDAP_BIND_PASSWORD: 'canary-bind',
    REELKEEP_OIDC_ISSUER: 'https://login.example',
    REELKEEP_OIDC_CLIENT_SECRET: 'canary-client',
  };
  const log = openLog(readConfig(services), { write: (line) => void lines.push(line) });
  for (const secret of ['canary%off', 'canary-bind', 'canary-client']) log.warn({ detail: `refused: ${secret}.` }, 'failed');
  expect(lines.map((line) => (JSON.parse(line) as { detail: string }).detail)).toEqual(Array(3).fill('refused: [redacted].'));
});

test('logs only failed and slow requests at level info', async () => {
  const { log, parsed } = openTestLog('info');
  const t = await testApp({ log });
  try {
    const user = await createUser(t);
    await user.call('GET', '/api/video/');
    await user.call('GET', '/api/video/nothing/');
    expect(parsed()).toEqual([]);
    const { now } = t.app;
    Object.assign(t.app, {
      now: () => {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1100);
        return now();
      },
    });
    await user.call('GET', '/api/ping/');
    expect(parsed()).toEqual([expect.objectContaining({ route: '/api/ping/', msg: 'answered slowly', level: 30 })]);
  } finally {
    await t.close();
  }
});
