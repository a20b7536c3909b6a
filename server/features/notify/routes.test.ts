import { message } from '#contract/messages.ts';
import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createUser, engines, testApp, type TestApp } from '../../test-support/app.ts';

const path = '/api/task/notification/';

describe.each(engines)('notification targets, on $engine', (on) => {
  let t: TestApp;
  let staff: Awaited<ReturnType<typeof createUser>>;
  const open = async (env: Record<string, string> = {}) => {
    t = await testApp({ on, env });
    staff = await createUser(t, { isStaff: true });
  };
  afterEach(async () => {
    vi.unstubAllEnvs();
    await t.close();
  });
  const add = (url: string, task_name = 'download_pending') => staff.call('POST', path, { task_name, url });

  type Targets = Record<string, { urls: string[]; title: string; targets: { id: number; url: string }[] }>;
  const readTargets = async () => (await staff.call('GET', path)).json() as Targets;

  test('adds a URL once, shows it to staff, and deletes it', async () => {
    await open();
    expect(await readTargets()).toEqual({});
    const [mine, other] = ['json://mine.example', 'discord://1/secret'];
    const first = await add(mine);
    expect([first.statusCode, first.json()]).toEqual([
      200,
      { download_pending: { urls: [mine], title: 'Downloading', targets: [{ id: expect.any(Number), url: mine }] } },
    ]);
    await add(mine);
    await add(other);
    expect((await add(mine, 'update_subscribed')).json()).toMatchObject({
      download_pending: { urls: [mine, 'discord://****'], title: 'Downloading' },
      update_subscribed: { urls: [mine], title: 'Rescan your Subscriptions' },
    });
    // Every user may read the targets, as in TubeArchivist, but without the secrets in the URLs.
    const user = await createUser(t);
    expect((await user.call('GET', path)).json()).toEqual({
      download_pending: { urls: ['json://…', 'discord://…'], title: 'Downloading', targets: [] },
      update_subscribed: { urls: ['json://…'], title: 'Rescan your Subscriptions', targets: [] },
    });
    expect((await user.call('POST', path, { task_name: 'download_pending', url: 'ntfys://theirs' })).statusCode).toBe(403);
    const deleteTarget = (body: object) => staff.call('DELETE', path, body);
    expect((await deleteTarget({ task_name: 'download_pending', url: mine })).statusCode).toBe(204);
    expect((await readTargets())['download_pending']!.urls).toEqual(['discord://****']);
    expect((await deleteTarget({ task_name: 'download_pending' })).statusCode).toBe(204);
    expect(Object.keys(await readTargets())).toEqual(['update_subscribed']);
    expect((await deleteTarget({ task_name: 'download_pending' })).statusCode).toBe(204);
  });

  test.each([
    ['jsons://u:hunter2@host.example:8443/hook/SECRET?-key=SECRET', 'jsons://u:****@host.example:8443/****?****'],
    ['form://hunter2@host.example', 'form://****@host.example'],
    ['json://[fd00::1]:80/', 'json://[fd00::1]:80/'],
    ['gotify://push.example/ATOKEN', 'gotify://push.example/****'],
    ['ntfys://ntfy.sh/my-topic', 'ntfys://ntfy.sh/****'],
    ['ntfy://my-topic', 'ntfy://****'],
    ['discord://123/SECRET', 'discord://****'],
    ['tgram://123456789:SECRET/1', 'tgram://****'],
    ['slack://SECRET1/SECRET2/SECRET3', 'slack://****'],
    ['pover://user@token', 'pover://****'],
    ['mailtos://me:hunter2@mail.example?to=you@mail.example', 'mailtos://me:****@mail.example?****'],
    ['matrixs://hunter2@matrix.example/!room', 'matrixs://****@matrix.example/****'],
  ])('masks the secrets of %s', async (url, maskedUrl) => {
    await open();
    const added = await add(url);
    expect(added.statusCode, added.body).toBe(200);
    expect((added.json() as Targets)['download_pending']!.urls).toEqual([maskedUrl]);
    expect((await readTargets())['download_pending']).toMatchObject({ urls: [maskedUrl], targets: [{ url: maskedUrl }] });
    // A masked URL cannot be added, but it identifies the target to delete.
    const readded = await add(maskedUrl, 'update_subscribed');
    const isMasked = maskedUrl.includes('****');
    expect([readded.statusCode, /is masked/.test(readded.body)]).toEqual(isMasked ? [400, true] : [200, false]);
    expect((await staff.call('DELETE', path, { task_name: 'download_pending', url: maskedUrl })).statusCode).toBe(204);
    expect((await readTargets())['download_pending']).toBeUndefined();
  });

  test('deletes one of several URLs that look the same by its id', async () => {
    await open();
    await add('discord://1/first');
    await add('discord://1/second');
    const [, second] = (await readTargets())['download_pending']!.targets;
    const deleteTarget = (body: object) => staff.call('DELETE', path, { task_name: 'download_pending', ...body });
    const rejected = await deleteTarget({ url: 'discord://****' });
    expect([rejected.statusCode, rejected.json().error]).toEqual([400, expect.stringMatching(/^Several notification URLs/)]);
    expect((await deleteTarget({ id: second!.id })).statusCode).toBe(204);
    expect((await deleteTarget({ url: 'discord://1/first' })).statusCode).toBe(204);
    expect(await readTargets()).toEqual({});
  });

  test('stores URLs encrypted', async () => {
    await open();
    await add('discord://1/very-secret');
    const rows = JSON.stringify(await t.app.db.selectFrom('notifyTarget').selectAll().execute());
    expect(rows).not.toMatch(/very-secret|discord/);
  });

  test('only staff may change them', async () => {
    await open();
    const user = await createUser(t);
    const body = { task_name: 'download_pending', url: 'ntfys://mine' };
    expect((await user.call('POST', path, body)).statusCode).toBe(403);
    expect((await user.call('DELETE', path, body)).statusCode).toBe(403);
    expect((await user.call('POST', `${path}test/`, body)).statusCode).toBe(403);
  });

  test('rejects invalid input with a message', async () => {
    await open();
    vi.stubEnv('PATH', '/nowhere');
    const unknownTask = await add('ntfys://mine', 'nothing');
    expect([unknownTask.statusCode, unknownTask.json().task_name]).toEqual([400, ['"nothing" is not a valid choice.']]);
    expect((await staff.call('DELETE', path, { task_name: 'nothing' })).statusCode).toBe(400);
    const missingUrl = await staff.call('POST', path, { task_name: 'download_pending' });
    expect([missingUrl.statusCode, missingUrl.json().url]).toEqual([400, ['This field is required.']]);
    for (const [url, expectedError] of [
      ['nonsense', /has the form ntfys/],
      ['gotify://host', /needs a token/],
      ['file:///etc/passwd', /act on the server itself/],
      ['msteams://a/b', /pip install apprise/],
    ] as const) {
      const response = await add(url);
      expect([response.statusCode, response.json().error]).toEqual([400, expect.stringMatching(expectedError)]);
    }
    expect((await staff.call('GET', path)).json()).toEqual({});
  });

  describe('a test notification', () => {
    let server: Server;
    let bodies: string[];
    let url: string;
    beforeEach(async () => {
      bodies = [];
      server = createServer((request, response) => {
        let body = '';
        request.on('data', (chunk: Buffer) => (body += chunk.toString()));
        request.on('end', () => {
          bodies.push(body);
          response.writeHead(request.url === '/bad' ? 404 : 200).end('the secret of the house');
        });
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      url = `json://127.0.0.1:${(server.address() as { port: number }).port}`;
    });
    afterEach(() => void server.close());
    const sendTest = async (body: object) => {
      const response = await staff.call('POST', `${path}test/`, body);
      return [response.statusCode, response.json()];
    };

    test('reports success, and nothing of the response', async () => {
      await open({ REELKEEP_ALLOW_PRIVATE: '127.0.0.1' });
      expect(await sendTest({ url: `${url}/good`, task_name: 'download_pending' })).toEqual([
        200,
        { success: true, message: 'Test notification sent successfully', messages: [message('notify.sent')] },
      ]);
      expect(JSON.parse(bodies[0]!)).toMatchObject({
        title: '[Reelkeep] Test notification',
        type: 'info',
        task: 'download_pending',
      });
      expect(await sendTest({ url: `${url}/bad` })).toEqual([
        400,
        {
          success: false,
          message: `Notification error: ${url.slice(7)} responded with status 404.`,
          messages: [message('notify.error', { why: [message('notify.status', { host: url.slice(7), status: 404 })] })],
        },
      ]);
      expect(await sendTest({ url: 'nonsense' })).toEqual([
        400,
        {
          success: false,
          message: 'Invalid notification URL format: nonsense',
          messages: [message('notify.url', { url: 'nonsense' })],
        },
      ]);
      expect(await sendTest({ url: 'ntfy://ntfy.sh' })).toEqual([
        400,
        {
          success: false,
          message: 'Notification error: ntfy:// needs a topic.',
          messages: [message('notify.error', { why: [message('notify.no-topic', { scheme: 'ntfy' })] })],
        },
      ]);
    });

    test('is not sent to this host', async () => {
      await open();
      for (const blockedUrl of [
        url,
        url.replace('127.0.0.1', 'localhost'),
        url.replace('127.0.0.1', '[::1]'),
        'json://169.254.169.254/latest',
      ]) {
        const [status, response] = await sendTest({ url: blockedUrl });
        expect([status, response]).toEqual([
          400,
          {
            success: false,
            message: expect.stringMatching(/Requests to it are blocked\.$/),
            messages: [{ id: 'notify.error', params: expect.any(Object) }],
          },
        ]);
      }
      expect(bodies).toEqual([]);
    });
  });
});
