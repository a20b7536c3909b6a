import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseInput } from '../archive/sites/parse-input.ts';
import { createChannel, createUser, createVideo, testApp, type TestApp } from '../test-support/app.ts';

// Regular expressions take linear time for texts that cause backtracking.

const length = 50_000;
const evil: Record<string, string> = {
  spaces: ' '.repeat(length) + '!',
  'letters and an end that does not fit': 'a'.repeat(length) + '!',
  'digits and commas': '1,'.repeat(length / 2) + 'x',
  'all and commas': 'all,'.repeat(length / 4) + '!',
  'languages that do not end': 'en-a'.repeat(length / 4) + '!',
  'clients and tokens': 'web.gvs+T,'.repeat(length / 10) + '!',
  slashes: '/'.repeat(length),
  'addresses in each other': 'https://'.repeat(length / 8),
  at: '@'.repeat(length),
  'per cents': '%25'.repeat(length / 3),
  equals: 'v='.repeat(length / 2),
  'lines of cookies': '.youtube.com\tTRUE\t/\t'.repeat(length / 21) + '\n',
  brackets: '['.repeat(length),
  'backslashes and a NUL that is none': '\\'.repeat(length),
};
const patterns = [
  '/(a+)+$/',
  '/(a|a)*$/',
  '/(.*a){30}/',
  '/^(([a-z])+.)+[A-Z]([a-z])+$/',
  '/(x+x+)+y/',
  '/(a|aa)+$/',
  '/(.*)*$/',
  '/((a?){40}){40}/',
];

let t: TestApp;
let staff: Awaited<ReturnType<typeof createUser>>;
beforeAll(async () => {
  t = await testApp();
  staff = await createUser(t, { isStaff: true });
});
afterAll(() => t.close());

const endpoints: [name: string, send: (text: string) => Promise<{ statusCode: number }>][] = [
  ...['subtitle', 'format', 'format_sort', 'comment_max', 'extractor_lang', 'player_client', 'pot_provider_url'].map(
    (key) =>
      [
        key,
        (text: string) => staff.call('POST', '/api/appsettings/config/', { downloads: { [key]: text } }),
      ] as (typeof endpoints)[number],
  ),
  ['the day of a rule', (text) => staff.call('POST', '/api/appsettings/config/', { rules: { published_after: text } })],
  ['a PO token', (text) => staff.call('POST', '/api/appsettings/potoken/', { potoken: text })],
  ['what is pasted', async (text) => ({ statusCode: parseInput(text) ? 200 : 400 })],
  ['the queue', (text) => staff.call('POST', '/api/download/', { data: [{ youtube_id: text }] })],
  ['a channel', (text) => staff.call('POST', '/api/channel/', { data: [{ channel_id: text, channel_subscribed: false }] })],
  ['the name of a playlist', (text) => staff.call('POST', '/api/playlist/custom/', { playlist_name: text })],
  ['a theme', (text) => staff.call('POST', '/api/user/me/', { stylesheet: text })],
  ['a schedule', (text) => staff.call('POST', '/api/task/schedule/download_pending/', { schedule: text })],
  ['a notification URL', (text) => staff.call('POST', '/api/task/notification/test/', { url: text })],
  [
    'a name that logs in',
    (text) => t.server.inject({ method: 'POST', url: '/api/user/login/', payload: { username: text, password: 'x' } }),
  ],
  ['a flag', (text) => staff.call('POST', '/api/user/me/', { show_help_text: text })],
  ['a number', (text) => staff.call('POST', '/api/user/me/', { page_size: text })],
  ['a position', (text) => staff.call('POST', '/api/video/x/progress/', { position: text })],
  ['a pattern', (text) => staff.call('POST', '/api/appsettings/config/', { rules: { title_include: `/${text}/` } })],
];

test.each(endpoints)('%s', async (_, send) => {
  const time = async (text: string) => {
    const startedAt = performance.now();
    const { statusCode } = await send(text);
    expect(statusCode).toBeLessThan(500);
    return performance.now() - startedAt;
  };
  await time('x'.repeat(length));
  const benign = await time('x'.repeat(length));
  for (const [name, text] of Object.entries(evil)) {
    let elapsed = await time(text);
    if (elapsed > Math.max(3000, 20 * benign)) elapsed = await time(text); // repeated, because the machine may be busy
    expect(elapsed, `${name}: ${elapsed.toFixed(0)} ms, harmless ${benign.toFixed(0)} ms`).toBeLessThan(
      Math.max(3000, 20 * benign),
    );
  }
});

test('user patterns take linear time on long titles', async () => {
  const channelId = await createChannel(t.app.db);
  for (let n = 0; n < 20; n++) await createVideo(t.app.db, { channelId, title: `${'a'.repeat(1000)}!${n}` });
  const time = async (pattern: string) => {
    const startedAt = performance.now();
    const response = await staff.call('POST', `/api/channel/${channelId}/rules/preview/`, { title_exclude: pattern });
    expect([200, 400], pattern).toContain(response.statusCode);
    return performance.now() - startedAt;
  };
  await time('/film/');
  const benign = await time('/film/');
  for (const pattern of patterns) expect(await time(pattern), pattern).toBeLessThan(Math.max(3000, 30 * benign));
});
