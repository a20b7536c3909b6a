import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Notification } from '../../archive/outbox/queue-message.ts';
import { deliveryOf } from './send.ts';
import { withTransport } from '../../platform/egress/direct/transport.ts';

interface Received {
  /** Origin of the URL before the request was redirected to the test server. */
  origin: string;
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

let server: Server;
let serverHost: string;
let received: Received[];
let responses: Record<string, [number, object]>;
beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      received.push({ origin: '', method, path: url, headers, body });
      const [status, json] = Object.entries(responses).find(([path]) => url.includes(path))?.[1] ?? [200, {}];
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  serverHost = `127.0.0.1:${(server.address() as { port: number }).port}`;
});
afterAll(() => void server.close());
beforeEach(() => {
  received = [];
  responses = {};
});

const message: Notification = {
  id: 'run-1',
  title: 'Añadido\r\nX-Evil: yes\n@everyone <b>&',
  body: 'Downloaded 2 videos.\n<!channel> & *bold*',
  kind: 'success',
  task: 'download_pending',
  at: 1_790_000_000,
};
const plainTitle = 'Añadido X-Evil: yes @everyone <b>&';

/** Sends a notification; all requests go to the test server. */
async function sendNotification(url: string, notification = message): Promise<Received[]> {
  const deliver = deliveryOf(url);
  const config = { allowPrivate: ['127.0.0.1'], proxyUrl: undefined, proxyInsecure: false };
  await withTransport(config, (transport) =>
    deliver(notification, {
      ...transport,
      async ask(request) {
        const response = await transport.ask({
          ...request,
          url: request.url.replace(/^https?:\/\/[^/]+/, `http://${serverHost}`),
        });
        received.at(-1)!.origin = new URL(request.url).origin;
        return response;
      },
    }),
  );
  return received;
}
const jsonOf = (one: Received | undefined) => JSON.parse(one!.body) as Record<string, unknown>;
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

describe('ntfy', () => {
  test('gets the body, and headers that a title cannot inject', async () => {
    const [one] = await sendNotification(`ntfy://me:pw@${serverHost}/videos?priority=high&tags=tada&click=https://a.example/x`);
    expect(one).toMatchObject({ method: 'POST', path: '/videos', body: message.body, origin: `http://${serverHost}` });
    expect(one!.headers).toMatchObject({
      title: `=?UTF-8?B?${Buffer.from(plainTitle).toString('base64')}?=`,
      priority: '4',
      tags: 'tada',
      click: 'https://a.example/x',
      authorization: basic('me:pw'),
    });
    expect(one!.headers).not.toHaveProperty('x-evil');
  });
  test.each([
    ['ntfys://alone', 'https://ntfy.sh', ['/alone'], undefined],
    ['ntfys://ntfy.sh/a/b', 'https://ntfy.sh', ['/a', '/b'], undefined],
    ['ntfys://tk_abc@nas.example:8443/t', 'https://nas.example:8443', ['/t'], 'Bearer tk_abc'],
    ['ntfy://nas.example/t?token=tk_q', 'http://nas.example', ['/t'], 'Bearer tk_q'],
  ])('%s is sent to %s', async (url, origin, paths, authorization) => {
    await sendNotification(url);
    expect(received.map((one) => [one.origin, one.path])).toEqual(paths.map((path) => [origin, path]));
    expect(received[0]!.headers.authorization).toBe(authorization);
  });
  test('gets at most its size limit, without split characters', async () => {
    const [one] = await sendNotification('ntfys://t', { ...message, body: 'é'.repeat(9000) });
    expect(Buffer.byteLength(one!.body)).toBeLessThanOrEqual(4000);
    expect(one!.body).toMatch(/^é+…$/);
  });
});

test('Gotify gets the token in a header, never in the URL', async () => {
  const [one] = await sendNotification(`gotify://${serverHost}/below/AbCtoken?priority=emergency`);
  expect(one).toMatchObject({ method: 'POST', path: '/below/message', headers: { 'x-gotify-key': 'AbCtoken' } });
  expect(jsonOf(one)).toEqual({ title: plainTitle, message: message.body, priority: 10 });
});

test('sends Discord an embed without mentions', async () => {
  const [one] = await sendNotification('discord://Keeper@123456/to-Ken_9?thread=77');
  expect(one).toMatchObject({ origin: 'https://discord.com', path: '/api/webhooks/123456/to-Ken_9?thread_id=77' });
  const sent = jsonOf(one);
  expect(sent).toMatchObject({ username: 'Keeper', allowed_mentions: { parse: [] } });
  expect(sent).not.toHaveProperty('content');
  expect(sent.embeds).toEqual([
    { title: plainTitle, description: message.body, color: 0x3aa337, timestamp: '2026-09-21T14:13:20.000Z' },
  ]);
  const [, long] = await sendNotification('discord://1/t', { ...message, body: 'x'.repeat(5000) });
  expect((jsonOf(long).embeds as { description: string }[])[0]!.description).toHaveLength(2000);
});

describe('Slack', () => {
  const text = `*Añadido X-Evil: yes @everyone &lt;b&gt;&amp;*\nDownloaded 2 videos.\n&lt;!channel&gt; &amp; *bold*`;
  test('gets blocks without links and mentions', async () => {
    const [one] = await sendNotification('slack://T1/B2/c3');
    expect(one).toMatchObject({ origin: 'https://hooks.slack.com', path: '/services/T1/B2/c3' });
    expect(jsonOf(one).blocks).toEqual([{ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }]);
    expect(jsonOf(one)).not.toHaveProperty('channel');
  });
  test('posts through a bot to each channel, and checks the ok field', async () => {
    responses = { postMessage: [200, { ok: true }] };
    await sendNotification('slack://xoxb-1-2-abc/#general/random');
    expect(received.map((one) => [one.path, jsonOf(one).channel])).toEqual([
      ['/api/chat.postMessage', '#general'],
      ['/api/chat.postMessage', '#random'],
    ]);
    expect(received[0]!.headers.authorization).toBe('Bearer xoxb-1-2-abc');
    responses = { postMessage: [200, { ok: false, error: 'invalid_auth' }] };
    await expect(sendNotification('slack://xoxb-1-2-abc/#general')).rejects.toThrow('Slack rejected the token');
  });
});

test('Telegram gets plain text for each chat', async () => {
  await sendNotification('tgram://bot123:AbC-d_E/-10099/@news/55:7?silent=yes');
  for (const one of received) expect([one.origin, one.path]).toEqual(['https://api.telegram.org', '/bot123:AbC-d_E/sendMessage']);
  expect(received.map((one) => jsonOf(one).chat_id)).toEqual(['-10099', '@news', '55']);
  expect(jsonOf(received[2])).toEqual({
    chat_id: '55',
    message_thread_id: 7,
    text: `${plainTitle}\n${message.body}`,
    link_preview_options: { is_disabled: true },
    disable_notification: true,
  });
  for (const url of ['tgram://123:AbC/5', 'tgram://123%3AAbC/5', 'tgram://123/AbC/5', 'tgram://123:456/5'])
    await sendNotification(url);
  expect(received.slice(3).map(({ path }) => path)).toEqual([
    ...Array<string>(3).fill('/bot123:AbC/sendMessage'),
    '/bot123:456/sendMessage',
  ]);
});

test('Pushover gets a form', async () => {
  const [one] = await sendNotification('pover://uSer1@toKen2/phone/tablet?priority=emergency&sound=bike');
  expect(one).toMatchObject({ origin: 'https://api.pushover.net', path: '/1/messages.json' });
  expect(Object.fromEntries(new URLSearchParams(one!.body))).toEqual({
    token: 'toKen2',
    user: 'uSer1',
    title: plainTitle,
    message: message.body,
    device: 'phone,tablet',
    priority: '2',
    sound: 'bike',
    retry: '900',
    expire: '3600',
    timestamp: '1790000000',
  });
});

describe('Matrix', () => {
  beforeEach(() => {
    responses = {
      '/.well-known/': [200, { 'm.homeserver': { base_url: 'https://matrix.home.example' } }],
      '/login': [200, { access_token: 'syt' }],
      '/join/': [200, { room_id: '!r:home.example' }],
    };
  });
  test('discovers the server, logs in, joins, and sends with a stable transaction id', async () => {
    await sendNotification('matrixs://me:pw@home.example/#videos');
    await sendNotification('matrixs://me:pw@home.example/#videos');
    const [wellKnown, login, join, firstSend, , secondLogin, , secondSend] = received;
    expect([wellKnown!.origin, wellKnown!.method, wellKnown!.path]).toEqual([
      'https://home.example',
      'GET',
      '/.well-known/matrix/client',
    ]);
    expect([login!.origin, login!.path]).toEqual(['https://matrix.home.example', '/_matrix/client/v3/login']);
    expect(jsonOf(login)).toMatchObject({ identifier: { type: 'm.id.user', user: 'me' }, password: 'pw' });
    expect(jsonOf(secondLogin).device_id).toBe(jsonOf(login).device_id);
    expect(join!.path).toBe('/_matrix/client/v3/join/%23videos%3Ahome.example');
    expect([firstSend!.method, firstSend!.headers.authorization]).toEqual(['PUT', 'Bearer syt']);
    expect(firstSend!.path).toMatch(/^\/_matrix\/client\/v3\/rooms\/!r%3Ahome\.example\/send\/m\.room\.message\/[0-9a-f]{32}$/);
    expect(jsonOf(firstSend)).toEqual({ msgtype: 'm.text', body: `${plainTitle}\n${message.body}` });
    expect(secondSend!.path).toBe(firstSend!.path);
  });
  test('accepts an access token', async () => {
    await sendNotification('matrix://syt_token@home.example/!abc:home.example?msgtype=notice');
    expect(received.map(({ path }) => path.split('/')[4])).toEqual(['join', 'rooms']);
    expect(received[1]!.headers.authorization).toBe('Bearer syt_token');
    expect(jsonOf(received[1])).toMatchObject({ msgtype: 'm.notice' });
  });
});

describe('a webhook', () => {
  test('gets JSON, signed if there is a secret', async () => {
    const [one] = await sendNotification(
      `json://me:pw@${serverHost}/a/b?secret=s+3cret&+X-Key=k1&-q=1&:title=subject&:version=&:from=us`,
    );
    expect(one).toMatchObject({ method: 'POST', path: '/a/b?q=1' });
    expect(jsonOf(one)).toEqual({
      subject: plainTitle,
      message: message.body,
      attachments: [],
      type: 'success',
      id: 'run-1',
      task: 'download_pending',
      happened_at: '2026-09-21T14:13:20.000Z',
      from: 'us',
    });
    const { 'x-reelkeep-timestamp': timestamp, 'x-reelkeep-signature': signature } = one!.headers;
    expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(30);
    expect(signature).toBe(
      `sha256=${createHmac('sha256', 's+3cret')
        .update(`${String(timestamp)}.${one!.body}`)
        .digest('hex')}`,
    );
    expect(one!.headers).toMatchObject({ 'content-type': 'application/json', 'x-key': 'k1', authorization: basic('me:pw') });
    expect(JSON.stringify(one)).not.toContain('3cret');
  });
  test('gets a form with another method, unsigned without a secret', async () => {
    const [one] = await sendNotification(`form://${serverHost}/f?method=put`);
    expect(one).toMatchObject({ method: 'PUT', path: '/f' });
    expect(Object.fromEntries(new URLSearchParams(one!.body))).toMatchObject({
      title: plainTitle,
      message: message.body,
      type: 'success',
    });
    expect(one!.headers).not.toHaveProperty('x-reelkeep-signature');
  });
});

describe('delivery errors', () => {
  test('are reported without the text of the service', async () => {
    responses = { '/t': [403, { error: 'the internal secret' }] };
    await expect(sendNotification(`ntfy://${serverHost}/t`)).rejects.toThrow(`${serverHost} responded with status 403.`);
    responses = { '/t': [302, {}] };
    await expect(sendNotification(`ntfy://${serverHost}/t`)).rejects.toThrow('responded with status 302.');
  });
  test('of one recipient do not affect the others, and are not retried', async () => {
    responses = { '/bad': [500, {}] };
    await expect(sendNotification(`ntfy://${serverHost}/bad/good`)).rejects.toMatchObject({ isPartial: true });
    expect(received.map(({ path }) => path)).toEqual(['/bad', '/good']);
  });
});
