import { writeFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { openLog } from './log.ts';
import { aChannel, aUser, aVideo, testArchive, type TestArchive } from './testing.ts';

const secretFile = join(mkdtempSync(join(tmpdir(), 'reelkeep-')), 'token');
writeFileSync(secretFile, 'canary-metrics-token\n');
const env = {
  REELKEEP_PASSWORD: 'canary-first-password',
  REELKEEP_METRICS_TOKEN_FILE: secretFile,
  REELKEEP_PROXY: 'http://proxy:canary-proxy@127.0.0.1:9',
};

function aLog(level: string) {
  const lines: string[] = [];
  const log = openLog(readConfig({ ...env, REELKEEP_LOG: level }), { write: (line) => void lines.push(line) });
  return { log, lines, parsed: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

describe('the log of a running archive', () => {
  const { log, lines, parsed } = aLog('trace');
  let t: TestArchive;
  beforeAll(async () => {
    t = await testArchive({ env, log });
  });
  afterAll(() => t.close());

  test('none of the secrets that people bring is read in it', async () => {
    const staff = await aUser(t, { name: 'Ada', password: 'canary-password', isStaff: true });
    const canaries = ['canary', ...staff.headers.cookie.split('; ').map((pair) => pair.split('=')[1]!)];
    const logIn = (password: string) =>
      t.app.inject({ method: 'POST', url: '/api/user/login/', payload: { username: 'Ada', password } });
    expect((await logIn('canary-wrong')).statusCode).toBe(400);
    await staff.call('POST', '/api/user/password/', { current: 'canary-password', next: 'canary-next-password' });
    const { token } = (await staff.call('GET', '/api/appsettings/token/')).json();
    canaries.push(token);
    const headers = { authorization: `Token ${token}` };
    const channelId = await aChannel(t.archive.db);
    const id = await aVideo(t.archive.db, { channelId });
    const { media_url } = (await t.app.inject({ url: `/api/video/${id}/`, headers })).json();
    canaries.push(media_url.split('sig=')[1]);
    await t.app.inject({ url: media_url });
    await t.app.inject({ url: `/api/video/?channel=canary-query`, headers });
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
    await t.app.inject({ url: '/metrics', headers: { authorization: 'Bearer canary-metrics-token' } });
    await t.app.inject({ url: '/metrics', headers: { authorization: 'Bearer canary-guessed' } });
    await t.app.inject({
      url: '/api/ping/',
      headers: { authorization: 'Token canary-guessed', cookie: 'sessionid=canary-session' },
    });
    // What a room writes by mistake, by its key, its form or its value.
    const wrong = {
      password: 'canary-a',
      deep: { token: 'canary-b', deeper: { cookie: 'canary-c' } },
      headers: { authorization: 'canary-d' },
    };
    log.warn(wrong, 'GET /youtube/x.mp4?sig=canary-e with sessionid=canary-f; Token canary-ghijkl http://me:canary-h@host/');
    log.error({ err: new Error('psql: canary-first-password and canary-proxy were wrong') }, 'failed');
    await t.archive.db.schema.dropTable('watch').execute();
    await expect(t.app.inject({ url: `/api/video/${id}/?sort=canary-query`, headers })).rejects.toThrow(/→ 500/);
    expect(lines.length).toBeGreaterThan(15);
    for (const canary of canaries)
      expect(
        lines.filter((line) => line.includes(canary)),
        canary,
      ).toEqual([]);
  });

  test('a request is one line, with who asked and for what, under the name that its answer has', async () => {
    const user = await aUser(t);
    const answer = await user.call('GET', '/api/channel/UCsomething/?token=x');
    const own = parsed().filter((line) => line.request === answer.headers['x-request-id']);
    expect(own).toEqual([
      expect.objectContaining({
        method: 'GET',
        route: '/api/channel/:id/',
        status: 404,
        user: user.id,
        ms: expect.any(Number),
        level: 20,
      }),
    ]);
    expect(JSON.stringify(own)).not.toContain('UCsomething');
  });

  test('a fault of ours is told with the name under which the log says what it was', async () => {
    const user = await aUser(t);
    const said = (await user.call('GET', '/api/video/').catch((error: Error) => error.message)) as string;
    const [, name] = /under ([\w-]+)\./.exec(said)!;
    const own = parsed().filter((line) => line.request === name);
    expect(own.map(({ msg }) => msg)).toEqual(['request failed', 'answered with a failure']);
    expect(JSON.stringify(own)).toContain('no such table');
    expect(said).not.toContain('no such table');
  });
});

test('what opens other services is not read in it either, also where it holds a bare percent sign', () => {
  const lines: string[] = [];
  const services = {
    REELKEEP_PROXY: 'http://proxy:canary%off@127.0.0.1:9',
    REELKEEP_LDAP_URL: 'ldap://127.0.0.1',
    REELKEEP_LDAP_BIND_PASSWORD: 'canary-bind',
    REELKEEP_OIDC_ISSUER: 'https://login.example',
    REELKEEP_OIDC_CLIENT_SECRET: 'canary-client',
  };
  const log = openLog(readConfig(services), { write: (line) => void lines.push(line) });
  for (const secret of ['canary%off', 'canary-bind', 'canary-client']) log.warn({ said: `refused: ${secret}.` }, 'failed');
  expect(lines.map((line) => (JSON.parse(line) as { said: string }).said)).toEqual(Array(3).fill('refused: [redacted].'));
});

test('at info only what failed or was slow is told', async () => {
  const { log, parsed } = aLog('info');
  const t = await testArchive({ log });
  try {
    const user = await aUser(t);
    await user.call('GET', '/api/video/');
    await user.call('GET', '/api/video/nothing/');
    expect(parsed()).toEqual([]);
    const { now } = t.archive;
    Object.assign(t.archive, {
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
