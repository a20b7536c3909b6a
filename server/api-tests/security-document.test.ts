import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { createChannel, createUser, createVideo, testApp, type TestApp } from '../test-support/app.ts';

// docs/security.md says who reads and writes which data. Each row of its table, and each kind of access that ends, is tried here,
// and a row without a test fails.

type User = Awaited<ReturnType<typeof createUser>>;
type Request = [method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, body?: object];
/** Whether an anonymous client, the owner, another user and staff may. */
type Allowed = [anyone: boolean, owner: boolean, other: boolean, staff: boolean];

const users: Allowed = [false, true, true, true];
const staffOnly: Allowed = [false, false, false, true];
const ownerOnly: Allowed = [false, true, false, false];
const ownerAndStaff: Allowed = [false, true, false, true];
const noOne: Allowed = [false, false, false, false];

const text = await readFile(new URL('../../docs/security.md', import.meta.url), 'utf8');
/** The first cells of a table, by its heading. */
const firstCells = (heading: string) =>
  text
    .split(`\n## ${heading}\n`)[1]!
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) => line.split('|')[1]!.trim());

describe('the security document', () => {
  let t: TestApp;
  let [owner, other, staff]: User[] = [];
  let [shared, hidden, list]: string[] = [];
  let note: { id: number; revision: number };
  let clip: number;
  beforeAll(async () => {
    t = await testApp();
    owner = await createUser(t, { name: 'Owner' });
    other = await createUser(t, { name: 'Other' });
    staff = await createUser(t, { name: 'Staff', isStaff: true });
    await createChannel(t.app.db, { id: 'c1' });
    await createVideo(t.app.db, { id: 'v1', channelId: 'c1' });
    const file = join(t.app.config.mediaFolder, 'c1/v1.mp4');
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, 'film');
    const playlistOf = async (is_shared: boolean) =>
      (await owner!.call('POST', '/api/playlist/custom/', { playlist_name: 'P', is_shared })).json().playlist_id as string;
    [shared, hidden] = [await playlistOf(true), await playlistOf(false)];
    for (const id of [shared, hidden])
      await owner.call('POST', `/api/playlist/custom/${id}/`, { action: 'create', video_id: 'v1' });
    const smart = { name: 'L', filter: { watch: 'unwatched' }, is_shared: true };
    list = String((await owner.call('POST', '/api/list/', smart)).json().id);
    await owner.call('POST', '/api/watched/', { id: 'v1', is_watched: true });
    note = (await owner.call('POST', '/api/note/', { video: 'v1', text: 'Mine' })).json();
    const times = { startMs: 0, endMs: 1000, actualStartMs: null, createdAt: 1 };
    const made = { videoId: 'v1', mode: 'copy', state: 'failed', reason: null, path: null, bytes: 0 } as const;
    ({ number: clip } = await t.app.db
      .insertInto('clip')
      .values({ accountId: owner.id, ...times, ...made })
      .returning('number')
      .executeTakeFirstOrThrow());
  });
  afterAll(() => t.close());

  /** Returns who gets a successful reply, in the order of `Allowed`. */
  async function tryEach([method, url, body]: Request): Promise<Allowed> {
    const anonymous = await t.server.inject({ method, url, ...(body && { payload: body }) });
    const replies = [anonymous];
    for (const user of [owner!, other!, staff!]) replies.push(await user.call(method, url, body));
    return replies.map(({ statusCode }) => statusCode < 300) as Allowed;
  }

  const edit = { action: 'create', video_id: 'v1' };
  /** Requests that read or write the data of each row, and who may. */
  const rows: Record<string, () => [Request, Allowed][]> = {
    'videos, channels, playlists, subtitles, comments, files': () => [
      [['GET', '/api/video/v1/'], users],
      [['GET', '/api/channel/c1/'], users],
      [['GET', '/youtube/c1/v1.mp4'], users],
      [['GET', '/api/video/v1/comment/'], users],
      [['POST', '/api/video/v1/protect/', { is_protected: true }], staffOnly],
      [['POST', '/api/channel/c1/', { channel_subscribed: false }], staffOnly],
    ],
    'positions, watch states': () => [[['POST', '/api/video/v1/progress/', { position: 5 }], users]],
    'preferences, smart lists, sessions, tokens': () => [
      [['GET', '/api/user/me/'], users],
      [['GET', '/api/user/sessions/'], users],
      [['GET', '/api/user/tokens/'], users],
    ],
    'notes, private tags, clips': () => [
      [['PATCH', `/api/note/${note.id}/`, { revision: note.revision, text: 'Changed' }], ownerOnly],
      [['DELETE', `/api/note/${note.id}/`], ownerOnly],
      [['GET', `/api/clip/${clip}/`], ownerOnly],
      [['DELETE', `/api/clip/${clip}/`], ownerOnly],
      [['GET', '/api/tag/'], users],
    ],
    'shared smart lists': () => [
      [['GET', `/api/list/${list}/`], users],
      [['POST', `/api/list/${list}/`, { name: 'L' }], ownerOnly],
    ],
    'custom playlists that are shared': () => [
      [['GET', `/api/playlist/${shared}/`], users],
      [['GET', `/cache/playlists/${shared}.jpg`], users],
      [['POST', `/api/playlist/custom/${shared}/`, edit], ownerAndStaff],
    ],
    'private custom playlists': () => [
      [['GET', `/api/playlist/${hidden}/`], ownerOnly],
      [['GET', `/api/video/?playlist=${hidden}`], ownerOnly],
      [['GET', `/api/playlist/${hidden}/m3u/`], ownerOnly],
      [['GET', `/cache/playlists/${hidden}.jpg`], ownerOnly],
      [['POST', `/api/playlist/custom/${hidden}/`, edit], ownerOnly],
      [['POST', '/api/watched/', { id: hidden, is_watched: true }], ownerOnly],
    ],
    'queue, settings, schedules, runs, trash, backups, health': () => [
      [['GET', '/api/appsettings/config/'], users],
      ...[
        '/api/download/',
        '/api/task/schedule/',
        '/api/task/runs/',
        '/api/trash/',
        '/api/appsettings/backup/',
        '/api/health/checks/',
      ].map((url): [Request, Allowed] => [['GET', url], staffOnly]),
      [['POST', '/api/appsettings/config/', { trash: { days: 7 } }], staffOnly],
    ],
    'user names, rights, disabled accounts': () => [
      [['GET', '/api/users/'], staffOnly],
      [['POST', `/api/users/${other!.id}/`, { may_share: false }], staffOnly],
      [['POST', `/api/users/${staff!.id}/`, { is_staff: false }], noOne],
    ],
    passwords: () => [[['POST', `/api/users/${staff!.id}/password/`, {}], noOne]],
    'encrypted values (cookies, PO token, its provider, membership, notification targets)': () => [
      [['GET', '/api/appsettings/cookie/'], staffOnly],
      [['POST', '/api/task/notification/', { task_name: 'run_backup', url: 'json://user:secret@hooks.example/x' }], staffOnly],
      [['GET', '/api/task/notification/'], users],
    ],
  };

  test('has no row about access that is not tested', () => {
    expect(Object.keys(rows).toSorted()).toEqual(firstCells('Permissions').toSorted());
  });

  test.each(Object.keys(rows))('is right about %s', async (name) => {
    for (const [request, allowed] of rows[name]!()) expect(await tryEach(request), request.join(' ')).toEqual(allowed);
  });

  test('is right that encrypted values are masked for staff, and but a scheme for others', async () => {
    const of = async (user: User) => (await user.call('GET', '/api/task/notification/')).body;
    expect(await of(staff!)).toContain('hooks.example');
    for (const user of [owner!, other!]) expect(await of(user)).not.toContain('hooks.example');
    for (const user of [owner!, other!, staff!]) expect(await of(user)).not.toContain('secret');
  });

  test('is right that watch states and playlists of others are in no reply', async () => {
    const of = async (user: User) => (await user.call('GET', '/api/video/v1/')).json();
    expect(await of(owner!)).toMatchObject({ player: { watched: true }, playlist: expect.arrayContaining([shared, hidden]) });
    for (const user of [other!, staff!]) {
      const video = await of(user);
      expect([video.player.watched, video.playlist]).toEqual([false, [shared]]);
    }
  });

  test('names each call that needs a recent login', () => {
    const sentence = text.split('**Recent login.**')[1]!.split('Ending sessions')[0]!.replaceAll('\n', ' ');
    const words: Record<string, string> = {
      'POST /api/user/tokens/': 'named tokens',
      'POST /api/podcast/': 'podcast feeds',
      'POST /api/share/': 'share links',
      'POST /api/user/oidc/link/': 'linking provider accounts',
      'POST /api/users/': 'changing accounts',
      'POST /api/users/:id/': 'rights',
      'POST /api/users/:id/password/': 'passwords',
      'DELETE /api/users/:id/': 'accounts',
      'POST /api/appsettings/backup/:filename/link/': 'downloading and deleting backups',
      'DELETE /api/appsettings/backup/:filename/': 'deleting backups',
      'POST /api/appsettings/snapshot/:id/': 'restoring Reelkeep backups and snapshots',
      'DELETE /api/appsettings/snapshot/:id/': 'deleting snapshots',
    };
    const proven = Object.entries(api).flatMap(([name, call]) => ('proven' in call ? [name] : []));
    expect(proven.toSorted()).toEqual(Object.keys(words).toSorted());
    for (const word of Object.values(words)) expect(sentence).toContain(word);
  });
});
