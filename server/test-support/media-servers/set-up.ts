import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, vi } from 'vitest';
import type { MediaServer, MediaServerReport, MediaServerTest } from '#contract/media-server.ts';
import type { View } from '#contract/view.ts';
import { createChannel, createUser, createVideo, testApp, testTimeouts, type TestApp, type TestOptions } from '../app.ts';
import { startJellyfin } from './jellyfin.ts';
import { startKodi } from './kodi.ts';
import { startPlex } from './plex.ts';

export type FakeKind = 'jellyfin' | 'emby' | 'plex' | 'kodi';
export type Fake =
  | Awaited<ReturnType<typeof startJellyfin>>
  | Awaited<ReturnType<typeof startKodi>>
  | Awaited<ReturnType<typeof startPlex>>;

export function startFakeServer(kind: FakeKind, options: { isApiKey?: boolean } = {}): Promise<Fake> {
  if (kind === 'plex') return startPlex();
  return kind === 'kodi' ? startKodi() : startJellyfin({ kind, ...options });
}

export type Setup = Awaited<ReturnType<typeof setUp>>;

/** Creates an archive with a view of three videos, a fake server that has its files below `/media`, and a staff user, Ann. */
export async function setUp(kind: FakeKind, { isApiKey, ...options }: TestOptions & { isApiKey?: boolean } = {}) {
  const t: TestApp = await testApp({ ...options, env: { REELKEEP_ALLOW_PRIVATE: '127.0.0.1', ...options.env } });
  await t.runner.begin();
  const ann = await createUser(t, { name: 'Ann', isStaff: true });
  const fake = await startFakeServer(kind, { ...(isApiKey && { isApiKey }) });
  const { db, config } = t.app;
  const clock = { seconds: Math.floor(Date.now() / 1000) };
  Object.assign(t.app, { now: () => clock.seconds });

  await createChannel(db, { id: 'UCa', name: 'A' });
  const addVideo = async (id: string, title: string, channelId = 'UCa') => {
    const path = join(config.mediaFolder, `${channelId}/${id}.mp4`);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, `media of ${id}`);
    await createVideo(db, { id, title, channelId, durationSeconds: 3600, sha256: `sha of ${id}` });
  };
  for (const [id, title] of [
    ['aaaaaaaaaa1', 'One'],
    ['aaaaaaaaaa2', 'Two'],
    ['aaaaaaaaaa3', 'Three'],
  ] as const)
    await addVideo(id, title);
  const created = await ann.call('POST', '/api/view/', {
    name: 'Shows',
    root: 'shows',
    preset: 'custom',
    template: '{channel}/{title} [{id}]',
    nfo: false,
    artwork: false,
  });
  expect(created.statusCode, created.body).toBe(200);
  const view = created.json<View>();
  const idle = () =>
    vi.waitFor(async () => {
      for (const task of ['build_view', 'sync_media_server']) expect(await t.app.tasks.activeInputs(task)).toEqual([]);
    }, testTimeouts);
  await ann.call('POST', `/api/view/${view.id}/build/`);
  await idle();

  const library = fake.addLibrary('Archive', '/media', kind === 'plex' ? 'show' : 'tvshows');
  const item = (id: string, title: string) => fake.addItem(library, `/media/A/${title} [${id}].mp4`, { title });
  const items = {
    one: item('aaaaaaaaaa1', 'One'),
    two: item('aaaaaaaaaa2', 'Two'),
    three: item('aaaaaaaaaa3', 'Three'),
  };

  const body = (more: object = {}) => ({
    kind,
    name: 'TV',
    address: fake.address,
    token: fake.settings.token,
    mappings: [{ from: view.root, to: '/media' }],
    ...more,
  });
  const call = async <T>(...request: Parameters<typeof ann.call>): Promise<T> => {
    const response = await ann.call(...request);
    expect(response.statusCode, response.body).toBeLessThan(300);
    return response.body === '' ? (undefined as T) : response.json<T>();
  };
  const person = { account: ann.id, user: fake.userId, user_name: 'Ann' };
  return {
    t,
    ann,
    fake,
    clock,
    view,
    library,
    items,
    person,
    body,
    call,
    idle,
    addVideo,
    add: (more: object = { persons: [person] }) => call<MediaServer>('POST', '/api/media-server/', body(more)),
    change: (id: number, change: object) => call<MediaServer>('POST', `/api/media-server/${id}/`, change),
    read: async (id: number) =>
      (await call<{ data: MediaServer[] }>('GET', '/api/media-server/')).data.find((server) => server.id === id)!,
    test: (id: number) => call<MediaServerTest>('POST', `/api/media-server/${id}/test/`),
    /** Synchronizes by button, and returns the report. */
    async sync(id: number, dryRun = false): Promise<MediaServerReport> {
      await call('POST', `/api/media-server/${id}/sync/`, { dry_run: dryRun });
      await idle();
      return (await call<{ report: MediaServerReport }>('GET', `/api/media-server/${id}/sync/`)).report;
    },
    async close() {
      await fake.close();
      await t.close();
    },
  };
}

export const problemIds = ({ problem_messages: messages }: { problem_messages: { id: string }[] | null }) =>
  messages?.map(({ id }) => id);
