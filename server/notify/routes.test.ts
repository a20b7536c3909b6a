import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { aUser, engines, testArchive, type TestArchive } from '../testing.ts';

const path = '/api/task/notification/';

describe.each(engines)('where the end of tasks is told, on $engine', (on) => {
  let t: TestArchive;
  let staff: Awaited<ReturnType<typeof aUser>>;
  const open = async (env: Record<string, string> = {}) => {
    t = await testArchive({ on, env });
    staff = await aUser(t, { isStaff: true });
  };
  afterEach(async () => {
    vi.unstubAllEnvs();
    await t.close();
  });
  const add = (url: string, task_name = 'download_pending') => staff.call('POST', path, { task_name, url });

  test('a URL is added once, shown to staff, and taken away', async () => {
    await open();
    expect((await staff.call('GET', path)).json()).toEqual({});
    const first = await add('ntfys://mine');
    expect([first.statusCode, first.json()]).toEqual([
      200,
      { download_pending: { urls: ['ntfys://mine'], title: 'Downloading' } },
    ]);
    await add('ntfys://mine');
    await add('discord://1/secret');
    expect((await add('ntfys://mine', 'update_subscribed')).json()).toEqual({
      download_pending: { urls: ['ntfys://mine', 'discord://1/secret'], title: 'Downloading' },
      update_subscribed: { urls: ['ntfys://mine'], title: 'Rescan your Subscriptions' },
    });
    const drop = (body: object) => staff.call('DELETE', path, body);
    expect((await drop({ task_name: 'download_pending', url: 'ntfys://mine' })).statusCode).toBe(204);
    expect((await staff.call('GET', path)).json().download_pending.urls).toEqual(['discord://1/secret']);
    expect((await drop({ task_name: 'download_pending' })).statusCode).toBe(204);
    expect(Object.keys((await staff.call('GET', path)).json())).toEqual(['update_subscribed']);
    expect((await drop({ task_name: 'download_pending' })).statusCode).toBe(204);
  });

  test('is kept so that the database alone tells nobody', async () => {
    await open();
    await add('discord://1/very-secret');
    const rows = JSON.stringify(await t.archive.db.selectFrom('notifyTarget').selectAll().execute());
    expect(rows).not.toMatch(/very-secret|discord/);
  });

  test('is for staff alone', async () => {
    await open();
    const person = await aUser(t);
    const bodies = { task_name: 'download_pending', url: 'ntfys://mine' };
    expect((await person.call('GET', path)).statusCode).toBe(403);
    expect((await person.call('POST', path, bodies)).statusCode).toBe(403);
    expect((await person.call('DELETE', path, bodies)).statusCode).toBe(403);
    expect((await person.call('POST', `${path}test/`, bodies)).statusCode).toBe(403);
  });

  test('what cannot be meant is refused with a sentence', async () => {
    await open();
    vi.stubEnv('PATH', '/nowhere');
    const noTask = await add('ntfys://mine', 'nothing');
    expect([noTask.statusCode, noTask.json().task_name]).toEqual([400, ['"nothing" is not a valid choice.']]);
    expect((await staff.call('DELETE', path, { task_name: 'nothing' })).statusCode).toBe(400);
    const noUrl = await staff.call('POST', path, { task_name: 'download_pending' });
    expect([noUrl.statusCode, noUrl.json().url]).toEqual([400, ['This field is required.']]);
    for (const [url, sentence] of [
      ['nonsense', /looks like ntfys/],
      ['gotify://host', /names no token/],
      ['file:///etc/passwd', /act on the server itself/],
      ['msteams://a/b', /pip install apprise/],
    ] as const) {
      const answer = await add(url);
      expect([answer.statusCode, answer.json().error]).toEqual([400, expect.stringMatching(sentence)]);
    }
    expect((await staff.call('GET', path)).json()).toEqual({});
  });

  describe('a test', () => {
    let server: Server;
    let bodies: string[];
    let url: string;
    beforeEach(async () => {
      bodies = [];
      server = createServer((request, response) => {
        let body = '';
        request.on('data', (piece: Buffer) => (body += piece.toString()));
        request.on('end', () => {
          bodies.push(body);
          response.writeHead(request.url === '/bad' ? 404 : 200).end('the secret of the house');
        });
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      url = `json://127.0.0.1:${(server.address() as { port: number }).port}`;
    });
    afterEach(() => void server.close());
    const attempt = async (given: object) => {
      const answer = await staff.call('POST', `${path}test/`, given);
      return [answer.statusCode, answer.json()];
    };

    test('says whether it arrived, and nothing of what the other side answered', async () => {
      await open({ REELKEEP_ALLOW_PRIVATE: '127.0.0.1' });
      expect(await attempt({ url: `${url}/good`, task_name: 'download_pending' })).toEqual([
        200,
        { success: true, message: 'Test notification sent successfully' },
      ]);
      expect(JSON.parse(bodies[0]!)).toMatchObject({
        title: '[Reelkeep] Test notification',
        type: 'info',
        task: 'download_pending',
      });
      expect(await attempt({ url: `${url}/bad` })).toEqual([
        400,
        { success: false, message: `Notification error: ${url.slice(7)} answered with 404.` },
      ]);
      expect(await attempt({ url: 'nonsense' })).toEqual([
        400,
        { success: false, message: 'Invalid notification URL format: nonsense' },
      ]);
      expect(await attempt({ url: 'ntfy://ntfy.sh' })).toEqual([
        400,
        { success: false, message: 'Notification error: ntfy:// names no topic.' },
      ]);
    });

    test('does not go to this machine', async () => {
      await open();
      for (const bad of [
        url,
        url.replace('127.0.0.1', 'localhost'),
        url.replace('127.0.0.1', '[::1]'),
        'json://169.254.169.254/latest',
      ]) {
        const [status, answer] = await attempt({ url: bad });
        expect([status, answer]).toEqual([
          400,
          { success: false, message: expect.stringMatching(/requests may not go there\.$/) },
        ]);
      }
      expect(bodies).toEqual([]);
    });
  });
});
