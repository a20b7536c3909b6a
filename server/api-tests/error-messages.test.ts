import { afterAll, beforeAll, expect, test } from 'vitest';
import { createChannel, createQueueItem, createUser, createVideo, testApp, type TestApp } from '../test-support/app.ts';

// Error messages that API clients of TubeArchivist know.

let t: TestApp;
let staff: Awaited<ReturnType<typeof createUser>>;
const [channel, video] = ['UCwords0000000000000001', 'words000001'];
beforeAll(async () => {
  t = await testApp();
  staff = await createUser(t, { isStaff: true });
  await createChannel(t.app.db, { id: channel });
  await createVideo(t.app.db, { id: video, channelId: channel });
  await createQueueItem(t.app.db, { title: 'Grün & blau' });
});
afterAll(() => t.close());

const required = 'This field is required.';
const missing = (field: string) => ({ [field]: [required], error: `${field}: ${required}` });
const error = (text: string) => ({ error: text });
const noList = { error: 'Invalid data. Expected a dictionary, but got list.' };

test.each<[method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body: object | undefined, status: number, says: object]>([
  ['POST', 'channel/', {}, 400, { error: 'missing expected data key', message: 'missing expected data key' }],
  ['POST', 'channel/', { data: [{ channel_id: channel }] }, 400, { data: [{ channel_subscribed: [required] }] }],
  ['POST', 'channel/', { data: 'x' }, 400, { message: expect.stringContaining('data') }],
  ['GET', 'channel/search/', undefined, 400, missing('q')],
  ['GET', `channel/search/?q=${video}`, undefined, 400, error('expected channel data')],
  ['GET', 'channel/search/?q=@nobody', undefined, 404, { error: 'channel not found: @nobody', channel_subscribed: false }],
  ['POST', `channel/${channel}/`, { channel_overwrites: { odd: 1 } }, 400, error('Unknown fields: odd')],
  ['POST', 'playlist/', { data: [] }, 400, error('nothing to subscribe')],
  [
    'POST',
    'playlist/',
    { data: [{ playlist_id: 'PL1', playlist_subscribed: false }] },
    400,
    { error: expect.stringContaining('"False" is not a valid choice.') },
  ],
  ['POST', 'playlist/custom/', { playlist_name: ' ' }, 400, { playlist_name: ['This field may not be blank.'] }],
  ['GET', 'playlist/?subscribed=perhaps', undefined, 400, { subscribed: ['Must be a valid boolean.'] }],
  ['GET', 'playlist/?subscribed=null', undefined, 200, { data: [] }],
  ['GET', 'download/?page_size=5&odd=1', undefined, 400, error('Unknown fields: page_size, odd')],
  [
    'GET',
    `download/?q=${encodeURIComponent(encodeURIComponent('grün &'))}`,
    undefined,
    200,
    { paginate: expect.objectContaining({ total_hits: 1 }) },
  ],
  ['GET', 'download/?error=null', undefined, 200, { paginate: expect.objectContaining({ total_hits: 1 }) }],
  ['PATCH', 'download/', { status: 'pending' }, 400, missing('filter')],
  ['DELETE', 'download/', undefined, 400, missing('filter')],
  ['POST', 'download/nothing0000/', { status: 'pending' }, 404, error('Download item not found')],
  ['GET', 'video/?page=-1', undefined, 400, { page: [expect.stringContaining('Ensure this value')] }],
  ['GET', 'video/?page=abc', undefined, 400, { page: ['A valid integer is required.'] }],
  ['GET', 'video/?sort=filesize', undefined, 400, { sort: ['"filesize" is not a valid choice.'] }],
  ['GET', 'video/?page=999', undefined, 200, { data: [] }],
  ['POST', `video/${video}/progress/`, undefined, 200, { position: 0 }],
  ['POST', `video/${video}/progress/`, { position: null }, 400, { position: ['This field may not be null.'] }],
  ['POST', `video/${video}/progress/`, { position: '12.5', youtube_id: null, user_id: null }, 200, { position: 12.5 }],
  ['POST', 'watched/', { is_watched: 'maybe' }, 400, { id: [required], is_watched: ['Must be a valid boolean.'] }],
  ['POST', 'watched/', { id: 'nothing0000', is_watched: true }, 404, error('video not found')],
  ['POST', 'watched/', { id: 'UCnothing000000000000000', is_watched: true }, 404, error('channel not found')],
  ['POST', 'watched/', { id: 'PLnothing00000000000000000000000000', is_watched: true }, 404, error('playlist not found')],
  ['POST', 'watched/', { id: 'TA_playlist_nothing', is_watched: true }, 404, error('playlist not found')],
  ['POST', 'watched/', { id: 'peertube.nothing', is_watched: true }, 404, error('video, channel or playlist not found')],
  ['POST', 'user/me/', { grid_items: 9 }, 400, { grid_items: ['Ensure this value is less than or equal to 7.'] }],
  ['POST', 'user/me/', { stylesheet: 'blue.css' }, 400, { stylesheet: ['"blue.css" is not a valid choice.'] }],
  ['POST', 'user/me/', { stylesheet: 5 }, 400, { stylesheet: ['Not a valid string.'] }],
  ['POST', 'user/me/', { sort_order: true }, 400, { error: 'sort_order: "true" is not a valid choice.' }],
  ['POST', 'user/me/', { page_size: true }, 400, { page_size: ['A valid integer is required.'] }],
  ['POST', 'user/me/', { page_size: null }, 400, { page_size: ['This field may not be null.'] }],
  ['POST', 'user/me/', { hide_watched: {} }, 400, { hide_watched: ['Must be a valid boolean.'] }],
  [
    'POST',
    'appsettings/config/',
    { downloads: { limit_speed: true } },
    400,
    error('downloads.limit_speed: A valid integer is required.'),
  ],
  ['POST', 'appsettings/config/', { downloads: { format: 5 } }, 400, { downloads: { format: ['Not a valid string.'] } }],
  ['POST', `video/${video}/progress/`, { position: [] }, 400, { position: ['A valid number is required.'] }],
  ['POST', 'user/login/', { username: '', password: 5 }, 400, { password: ['Not a valid string.'] }],
  ['POST', 'task/schedule/run_backup/', { config: [] }, 400, { config: { non_field_errors: [noList.error] } }],
  ['POST', 'trash/', { action: 'delete', ids: [true] }, 400, { ids: [['A valid integer is required.']] }],
  ['POST', 'video/delete/', { ids: [''] }, 400, { ids: [['This field may not be blank.']] }],
  [
    'POST',
    'list/',
    { name: 'Mine', filter: 'x' },
    400,
    { filter: { non_field_errors: ['Invalid data. Expected a dictionary, but got str.'] } },
  ],
  ['POST', 'appsettings/config/', [], 400, noList],
  [
    'POST',
    'appsettings/config/',
    { downloads: { odd: 1 } },
    400,
    { error: 'Unknown fields: odd', downloads: { error: 'Unknown fields: odd' } },
  ],
  [
    'POST',
    'appsettings/config/',
    { downloads: 5 },
    400,
    { downloads: { non_field_errors: ['Invalid data. Expected a dictionary, but got number.'] } },
  ],
  [
    'POST',
    'channel/',
    { data: [{ channel_id: 'UC1', channel_subscribed: true }, { channel_subscribed: 'maybe' }] },
    400,
    { data: [{}, { channel_id: [required], channel_subscribed: ['Must be a valid boolean.'] }] },
  ],
  ['GET', 'appsettings/potoken/', undefined, 404, error('PO token not found')],
  ['GET', 'refresh/?id=x', undefined, 400, error('specified id also needs type')],
  ['POST', 'task/by-name/extract_download/', undefined, 404, error('can not start task through this endpoint')],
  ['POST', 'task/by-name/odd/', undefined, 404, error('task name not found')],
  ['GET', 'task/by-id/odd/', undefined, 404, error('task ID not found')],
  ['GET', 'task/schedule/odd/', undefined, 404, { detail: 'No CustomPeriodicTask matches the given query.' }],
  [
    'POST',
    'task/schedule/update_subscribed/',
    { schedule: '* 1 *' },
    400,
    error('Invalid value for minutes. Must be an integer.'),
  ],
])('%s %s with %j returns %i', async (method, path, body, status, expected) => {
  const response = await staff.call(method, `/api/${path}`, body);
  expect(response.json()).toMatchObject(expected);
  expect(response.statusCode).toBe(status);
});
