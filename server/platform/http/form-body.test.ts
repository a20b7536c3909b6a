import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createChannel, createUser, createVideo, testApp, type TestApp } from '../../test-support/app.ts';

type Fields = [name: string, value: string][];

const boundary = 'a-boundary';
const kinds = {
  'application/x-www-form-urlencoded': (fields: Fields) => ({
    'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
    payload: String(new URLSearchParams(fields)),
  }),
  'multipart/form-data': (fields: Fields) => ({
    'content-type': `multipart/form-data; boundary=${boundary}`,
    payload: `${fields.map(([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`).join('')}--${boundary}--\r\n`,
  }),
};

let t: TestApp;
let staff: Awaited<ReturnType<typeof createUser>>;
let channelId: string;
let id: string;
beforeAll(async () => {
  t = await testApp();
  staff = await createUser(t, { name: 'Zoë', isStaff: true });
  channelId = await createChannel(t.app.db);
  id = await createVideo(t.app.db, { channelId });
});
afterAll(() => t.close());

describe.each(Object.entries(kinds))('form bodies as %s', (_, encode) => {
  const sendAs = (headers: Record<string, string>, method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, fields: Fields) => {
    const { payload, ...type } = encode(fields);
    return t.server.inject({ method, url, headers: { ...headers, ...type }, payload });
  };
  const send = (method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, fields: Fields) =>
    sendAs(staff.headers, method, url, fields);

  test('logs in', async () => {
    const fields: Fields = [
      ['username', 'Zoë'],
      ['password', staff.password],
      ['remember_me', 'on'],
    ];
    const response = await sendAs({}, 'POST', '/api/user/login/', fields);
    expect(response.statusCode).toBe(204);
    expect(response.cookies.map(({ name }) => name).toSorted()).toEqual(['csrftoken', 'sessionid']);
    const rejected = await sendAs({}, 'POST', '/api/user/login/', [fields[0]!, ['password', 'wrong']]);
    expect([rejected.statusCode, rejected.json()]).toMatchObject([400, { error: 'Invalid credentials' }]);
  });

  test('saves progress and marks as watched', async () => {
    const progress = await send('POST', `/api/video/${id}/progress/`, [['position', '100.5']]);
    expect(progress.json()).toMatchObject({ position: 100.5 });
    for (const watched of ['true', 'off']) {
      const fields: Fields = [
        ['id', id],
        ['is_watched', watched],
      ];
      expect((await send('POST', '/api/watched/', fields)).json()).toEqual({ id, is_watched: watched === 'true' });
    }
  });

  test('changes user settings, an empty text is null', async () => {
    const changed = await send('POST', '/api/user/me/', [
      ['page_size', '30'],
      ['hide_watched', ''],
      ['vid_type_filter', 'shorts'],
      ['unknown', 'x'],
      ['__proto__', '{"page_size":1}'],
    ]);
    expect(changed.json()).toMatchObject({ page_size: 30, hide_watched: null, vid_type_filter: 'shorts' });
    const rejected = await send('POST', '/api/user/me/', [['page_size', 'many']]);
    expect([rejected.statusCode, rejected.json().page_size]).toEqual([400, ['A valid integer is required.']]);
  });

  test('creates a custom playlist and adds a video', async () => {
    const list = await send('POST', '/api/playlist/custom/', [['playlist_name', 'Für später']]);
    expect(list.json()).toMatchObject({ playlist_name: 'Für später' });
    const changed = await send('POST', `/api/playlist/custom/${list.json().playlist_id}/`, [
      ['action', 'create'],
      ['video_id', id],
    ]);
    expect(changed.json().playlist_entries).toEqual([expect.objectContaining({ youtube_id: id })]);
  });

  test('parses lists and nested fields', async () => {
    const settings = await send('POST', '/api/appsettings/config/', [
      ['downloads.limit_speed', '500'],
      ['downloads.format', ''],
      ['subscriptions.auto_start', 'true'],
    ]);
    expect(settings.json()).toMatchObject({ downloads: { limit_speed: 500, format: null }, subscriptions: { auto_start: true } });
    const unknown = await send('POST', '/api/appsettings/config/', [['downloads.nonsense', '1']]);
    expect([unknown.statusCode, unknown.body]).toEqual([400, expect.stringContaining('Unknown fields: nonsense')]);
    for (const fields of [
      [
        ['data[0]channel_id', channelId],
        ['data[0]channel_subscribed', 'false'],
      ],
      [
        ['data[0].channel_id', channelId],
        ['data[0].channel_subscribed', 'false'],
      ],
    ] as Fields[])
      expect((await send('POST', '/api/channel/', fields)).json()).toEqual({
        data: [{ channel_id: channelId, channel_subscribed: false }],
      });
    const refresh = await send('POST', '/api/refresh/', [
      ['video', id],
      ['video', 'abcdefghijk'],
    ]);
    expect(refresh.json()).toMatchObject({ message: 'reindex task started' });
    const schedule = await send('POST', '/api/task/schedule/run_backup/', [['schedule', 'auto']]);
    expect(schedule.json()).toMatchObject({ name: 'run_backup' });
  });

  test('reports missing fields', async () => {
    const response = await send('POST', '/api/watched/', [['id', id]]);
    expect([response.statusCode, response.json().is_watched]).toEqual([400, ['This field is required.']]);
  });

  test.each<[string, Record<string, string>]>([
    ['with the cookie alone', {}],
    ['with a guessed token', { 'x-csrftoken': 'guessed' }],
    ['that names the token as a field', {}],
  ])('rejects a form of another origin %s', async (_name, headers) => {
    const { cookie } = staff.headers;
    const before = (await staff.call('GET', '/api/user/me/')).json();
    const fields: Fields = [
      ['page_size', '99'],
      ['csrfmiddlewaretoken', /csrftoken=([^;]+)/.exec(cookie)![1]!],
    ];
    const origin = 'https://evil.example';
    const response = await sendAs(
      { cookie, origin, 'sec-fetch-site': 'cross-site', ...headers },
      'POST',
      '/api/user/me/',
      fields,
    );
    expect([response.statusCode, response.json().detail]).toEqual([403, expect.stringContaining('CSRF Failed')]);
    expect((await staff.call('GET', '/api/user/me/')).json()).toEqual(before);
  });

  test.each<[string, Record<string, string>]>([
    ['its origin', { origin: 'https://evil.example' }],
    ['a hidden origin', { origin: 'null' }],
    ['no origin, but a browser', { 'sec-fetch-site': 'cross-site' }],
    ['another page on this host', { 'sec-fetch-site': 'same-site' }],
  ])('a page of another origin cannot log in a browser with a form: %s', async (_name, headers) => {
    const response = await sendAs(headers, 'POST', '/api/user/login/', [
      ['username', 'Zoë'],
      ['password', staff.password],
    ]);
    expect([response.statusCode, response.json().detail]).toEqual([403, expect.stringContaining('CSRF Failed')]);
    expect(response.cookies).toEqual([]);
  });

  test('rejects forms that are too large', async () => {
    const many = Array.from({ length: 1001 }, (_value, at): [string, string] => [`f${at}`, 'x']);
    expect((await send('POST', '/api/user/me/', many)).statusCode).toBe(400);
    expect((await send('POST', '/api/user/me/', [['x', 'x'.repeat(1024 * 1024)]])).statusCode).toBe(413);
    expect((await send('POST', '/api/user/me/', [['custom_css', 'a\0b']])).statusCode).toBe(400);
  });
});

test('rejects a malformed multipart form with a reason', async () => {
  for (const [type, payload] of [
    ['multipart/form-data', 'x'],
    [`multipart/form-data; boundary=${boundary}`, 'x'],
    [`multipart/form-data; boundary=${boundary}`, `--${boundary}\r\nContent-Disposition: form-data; name="page_size"\r\n\r\n9`],
  ] as const) {
    const response = await t.server.inject({
      method: 'POST',
      url: '/api/user/me/',
      headers: { ...staff.headers, 'content-type': type },
      payload,
    });
    expect([response.statusCode, response.json().detail], payload).toEqual([400, expect.stringContaining('Form parse error')]);
  }
});

test('ignores files in a form, and does not accept a form as a file', async () => {
  const payload = [
    `--${boundary}`,
    'Content-Disposition: form-data; name="custom_css"; filename="x.css"',
    'Content-Type: text/css',
    '',
    'x',
    `--${boundary}`,
    'Content-Disposition: form-data; name="grid_items"',
    '',
    '4',
    `--${boundary}--`,
    '',
  ].join('\r\n');
  const headers = { ...staff.headers, 'content-type': `multipart/form-data; boundary=${boundary}` };
  const response = await t.server.inject({ method: 'POST', url: '/api/user/me/', headers, payload });
  expect(response.json()).toMatchObject({ grid_items: 4, custom_css: null });
  const upload = '/api/appsettings/backup/ta_backup-20260101-x.zip/file/';
  expect((await t.server.inject({ method: 'PUT', url: upload, headers, payload })).statusCode).toBe(415);
});
