import { execFileSync } from 'node:child_process';
import { rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Playback } from '#contract/playback.ts';
import type { TrashEntry } from '#contract/trash.ts';
import { createUser } from '#server/test-support/app.ts';
import { aCatalogue, aChannel, aVideo } from '../../test-site/builders.ts';
import { add, createArchive, hasTools, inconsistencies, type TestSiteArchive } from '../support/acquisition.ts';

const channel = aChannel({ name: 'Night Trains' });
const other = aChannel({ name: 'Day Trains' });
const film = (id: string, more: object = {}) =>
  aVideo({ id, channelId: channel.id, title: `Title of ${id}`, durationSeconds: 4, extraFormats: ['vp9', 'ladder'], ...more });
const videos = [
  film('inWebm00001'),
  film('plain000001', { extraFormats: [] }),
  film('deleted0001'),
  film('damaged0001'),
  film('otherCut001'),
  film('withCopy001'),
  film('ofOther0001', { channelId: other.id }),
  film('goneLater01'),
];
/** What Safari before 17.4 plays. */
const can = {
  video: [{ codec: 'avc1.640028', containers: ['mp4'] }],
  audio: [{ codec: 'mp4a.40.2', containers: ['mp4'] }],
  hdr: false,
};

describe.runIf(hasTools)('compatible copies', () => {
  let t: TestSiteArchive;
  beforeAll(async () => {
    t = await createArchive(aCatalogue({ channels: [channel, other], videos }));
    await set({ format: 'bv[ext=webm]+ba[ext=webm]/bv+ba' });
    const first = videos.filter(({ id }) => !['withCopy001', 'ofOther0001'].includes(id));
    await add(t, first.map(({ id }) => id).join(' '));
  });
  afterAll(() => t.close());
  const call = async (path: string, body: object, status = 200) => {
    const response = await t.staff.call('POST', path, body);
    expect(response.statusCode, response.body).toBe(status);
    return response.json();
  };
  const set = (downloads: object) => call('/api/appsettings/config/', { downloads });
  const copyOf = (id: string) => t.app.db.selectFrom('smallCopy').selectAll().where('videoId', '=', id).executeTakeFirst();
  const fetchFor = async (...ids: string[]) => {
    const { task_id } = (await call('/api/video/copies/', { ids })) as { task_id: string };
    await t.runner.idle();
    const { result, notes } = (await t.staff.call('GET', `/api/task/runs/${task_id}/`)).json() as {
      result: string;
      notes: { kind: string; why: string }[];
    };
    return { result, why: notes.filter(({ kind }) => kind === 'problem').map((note) => note.why) };
  };
  const play = async (id: string, more: object = {}) => (await call(`/api/video/${id}/playback/`, { can, ...more })) as Playback;
  const pathOf = (path: string) => join(t.app.config.mediaFolder, path);
  const exists = (path: string) =>
    stat(pathOf(path)).then(
      () => true,
      () => false,
    );
  const inCatalogue = (id: string) => t.testSite.catalogue.videos.find((video) => video.id === id)!;

  test('are fetched with one lookup, and play where the file does not', async () => {
    expect((await play('inWebm00001')).method).toBe('none');
    expect(await fetchFor('inWebm00001')).toEqual({ result: 'A compatible copy of 1 video fetched.', why: [] });
    const copy = (await copyOf('inWebm00001'))!;
    expect(copy).toMatchObject({ path: `${channel.id}/inWebm00001.small.mp4`, width: 320, height: 180, durationSeconds: 4 });
    const args = ['-v', 'error', '-show_entries', 'stream=codec_name', '-of', 'csv=p=0', pathOf(copy.path)];
    expect(execFileSync(process.env.REELKEEP_FFPROBE ?? 'ffprobe', args, { encoding: 'utf8' }).split(/\s+/)).toEqual(
      expect.arrayContaining(['h264', 'aac']),
    );
    const { method, media_url: url, reasons } = await play('inWebm00001');
    expect([method, reasons.at(-1)]).toEqual(['small', 'A copy from the source plays instead: H.264, 180p.']);
    const part = await t.server.inject({ url: url!, headers: { ...t.staff.headers, range: 'bytes=0-99' } });
    expect([part.statusCode, part.headers['content-type'], part.headers['content-range']]).toEqual([
      206,
      'video/mp4',
      `bytes 0-99/${copy.sizeBytes}`,
    ]);
    expect((await play('inWebm00001', { previous_failed: ['small'] })).method).toBe('none');
    expect(await inconsistencies(t)).toEqual([]);
  });

  test('are sent instead of the file to clients that ask for them', async () => {
    const { media_url: url, media_size: size } = (await t.staff.call('GET', '/api/video/inWebm00001/')).json();
    expect((await t.staff.call('GET', url)).rawPayload.length).toBe(size);
    const { sizeBytes } = (await copyOf('inWebm00001'))!;
    expect((await t.staff.call('GET', `${url}?compatible=1`)).rawPayload.length).toBe(sizeBytes);
    const plain = (await t.staff.call('GET', '/api/video/deleted0001/')).json();
    expect((await t.staff.call('GET', `${plain.media_url}?compatible=1`)).rawPayload.length).toBe(plain.media_size);
  });

  test('are not fetched twice, nor for videos that play everywhere', async () => {
    const before = t.testSite.requests.length;
    expect(await fetchFor('inWebm00001', 'unknown', 'plain000001')).toMatchObject({
      result: expect.stringContaining('0 videos'),
    });
    // The file of a video without WebM is H.264 and AAC.
    expect(t.testSite.requests.length).toBe(before);
  });

  test('of another edit, or of videos that the source no longer has, are not taken, and the reason is told', async () => {
    inCatalogue('otherCut001').durationSeconds = 9;
    inCatalogue('goneLater01').fails = 'private';
    const { why } = await fetchFor('otherCut001', 'goneLater01');
    expect(why).toEqual([
      'The version at the source is 9 s long, and the archived file 4 s.',
      expect.stringContaining('Private'),
    ]);
    inCatalogue('otherCut001').durationSeconds = 4;
    expect([await copyOf('otherCut001'), await copyOf('goneLater01')]).toEqual([undefined, undefined]);
    expect(await inconsistencies(t)).toEqual([]);
  });

  test('go to the trash and return with their video, and are deleted with it', async () => {
    await fetchFor('deleted0001');
    const { path } = (await copyOf('deleted0001'))!;
    expect((await t.staff.call('DELETE', '/api/video/deleted0001/')).statusCode).toBe(204);
    expect([await copyOf('deleted0001'), await exists(path)]).toEqual([undefined, false]);
    const trash = async () => (await t.staff.call('GET', '/api/trash/')).json().data as TrashEntry[];
    await call('/api/trash/', { action: 'restore', ids: [(await trash())[0]!.id] });
    expect([(await copyOf('deleted0001'))?.path, await exists(path)]).toEqual([path, true]);
    expect(await inconsistencies(t)).toEqual([]);
    expect((await t.staff.call('DELETE', '/api/video/deleted0001/')).statusCode).toBe(204);
    await call('/api/trash/', { action: 'delete', ids: [(await trash())[0]!.id] });
    expect(await exists(path)).toBe(false);
    expect(await inconsistencies(t)).toEqual([]);
  });

  test('are not taken for videos, and are removed when they are damaged', async () => {
    await fetchFor('damaged0001');
    await call('/api/task/by-name/rescan_filesystem/', {});
    await t.runner.idle();
    expect(await t.app.db.selectFrom('video').select('id').where('id', 'like', '%small%').execute()).toEqual([]);
    const { path } = (await copyOf('damaged0001'))!;
    await writeFile(pathOf(path), 'damaged');
    expect(await inconsistencies(t)).toEqual([expect.stringContaining('compatible copy of video damaged0001')]);
    await call('/api/task/by-name/verify/', {});
    await t.runner.idle();
    expect([await copyOf('damaged0001'), await exists(path)]).toEqual([undefined, false]);
    const { damage } = (await t.staff.call('GET', '/api/video/damaged0001/')).json();
    expect(damage).toBeUndefined();
    expect(await inconsistencies(t)).toEqual([]);
  });

  test('go when the file is replaced by one of another length, and stay otherwise', async () => {
    expect(await fetchFor('otherCut001')).toMatchObject({ why: [] });
    const { path } = (await copyOf('otherCut001'))!;
    await add(t, 'otherCut001', '?autostart=true&force=true');
    expect([(await copyOf('otherCut001'))?.path, await exists(path)]).toEqual([path, true]);
    inCatalogue('otherCut001').durationSeconds = 7;
    await add(t, 'otherCut001', '?autostart=true&force=true');
    expect([await copyOf('otherCut001'), await exists(path)]).toEqual([undefined, false]);
    expect(await inconsistencies(t)).toEqual([]);
  });

  test('come with downloads where the settings or the channel want them, without another lookup', async () => {
    await set({ small_copy: '360' });
    await call(`/api/channel/${channel.id}/`, { channel_overwrites: { small_copy: '480' } });
    const pages = () => t.testSite.requests.filter(({ path }) => path.startsWith('/watch')).length;
    const before = pages();
    await add(t, 'withCopy001');
    expect(await copyOf('withCopy001')).toMatchObject({ height: 180 });
    expect(pages() - before).toBeLessThanOrEqual(2);
    inCatalogue('ofOther0001').durationSeconds = 4;
    await add(t, 'ofOther0001');
    expect(await copyOf('ofOther0001')).toBeDefined();
    await set({ small_copy: 'off' });
  });

  test('of which a crash left the file without a row leave nothing', async () => {
    await fetchFor('damaged0001');
    const copy = (await copyOf('damaged0001'))!;
    await t.app.db.deleteFrom('smallCopy').where('videoId', '=', 'damaged0001').execute();
    await t.app.db.insertInto('pendingDeletion').values({ path: copy.path }).execute();
    expect(await fetchFor('damaged0001')).toMatchObject({ why: [] });
    expect([(await copyOf('damaged0001'))?.path, await exists(copy.path)]).toEqual([copy.path, true]);
    expect(await t.app.db.selectFrom('pendingDeletion').selectAll().execute()).toEqual([]);
    await rename(pathOf(copy.path), `${pathOf(copy.path)}.away`);
    expect((await t.staff.call('GET', (await play('damaged0001')).media_url!)).statusCode).toBe(404);
    await rename(`${pathOf(copy.path)}.away`, pathOf(copy.path));
  });

  test('are fetched by staff only, with ids', async () => {
    const viewer = await createUser(t, {});
    expect((await viewer.call('POST', '/api/video/copies/', { ids: ['inWebm00001'] })).statusCode).toBe(403);
    await call('/api/video/copies/', { ids: [] }, 400);
    await call('/api/appsettings/config/', { downloads: { small_copy: '1080' } }, 400);
  });
});
