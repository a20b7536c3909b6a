import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkReindex } from '#server/features/library/refresh/refresh.ts';
import { engines, testTimeouts } from '#server/test-support/app.ts';
import { aCatalogue, aChannel, aPlaylist, aVideo, cuesFrom } from '../../test-site/builders.ts';
import { add, createArchive, inconsistencies, hasTools, videoOf, type TestSiteArchive } from '../support/acquisition.ts';

const channel = aChannel({ name: 'Changing' });
const comment = { id: 'c1', text: 'First!', author: '@ann', authorId: 'UCann', likes: 1, ago: '1 day ago' };
const createVideos = () => {
  const changing = aVideo({
    id: 'changeVid01',
    channelId: channel.id,
    title: 'Old title',
    description: 'Old words',
    durationSeconds: 4,
    subtitles: [{ language: 'de', name: 'German', automatic: false, cues: cuesFrom(['Hallo'], 4) }],
    comments: [comment],
  });
  const leaving = aVideo({ id: 'leavingVid1', channelId: channel.id, title: 'Leaving', durationSeconds: 4 });
  const list = aPlaylist({ channelId: channel.id, title: 'List', videoIds: [changing.id, leaving.id] });
  return { changing, leaving, list };
};

describe.runIf(hasTools).each(engines)('refreshing metadata, on $engine', (on) => {
  let t: TestSiteArchive;
  const { changing, leaving, list } = createVideos();
  beforeAll(async () => {
    t = await createArchive(aCatalogue({ channels: [channel], videos: [changing, leaving], playlists: [list] }), { on });
    const downloads = { subtitle: 'all', subtitle_index: true, comment_max: '100,all,all,all' };
    await t.staff.call('POST', '/api/appsettings/config/', { downloads });
    await t.runner.idle();
    await add(t, list.id);
  });
  afterAll(() => t.close());
  const refresh = async (body: object, query = '') => {
    const { task_id: id } = (await t.staff.call('POST', `/api/refresh/${query}`, body)).json();
    await t.runner.idle();
    return (await t.staff.call('GET', `/api/task/by-id/${id}/`)).json() as { status: string; result: string | null };
  };
  const state = async (query = '') => (await t.staff.call('GET', `/api/refresh/${query}`)).json();
  const history = async () =>
    (await t.staff.call('GET', `/api/video/${changing.id}/history/`)).json() as { what: string; value: string }[];
  const imageAt = async (url: string) => (await t.server.inject({ url, headers: t.staff.headers })).rawPayload;

  test('updates what the site changed, and keeps the history and user data', async () => {
    await t.staff.call('POST', '/api/watched/', { id: changing.id, is_watched: true });
    const before = await videoOf(t, changing.id);
    const oldThumbnail = await imageAt(before.vid_thumb_url);
    Object.assign(changing, {
      title: 'New title',
      description: 'New words',
      views: 99_999,
      tags: ['new'],
      headline: 'NEW',
      look: { scene: 'sunset', seed: 5 },
      subtitles: [{ language: 'en', name: 'English', automatic: false, cues: cuesFrom(['Hello'], 4) }],
      comments: [comment, { ...comment, id: 'c2', text: 'Second!' }],
    });
    expect(await refresh({ video: [changing.id] })).toMatchObject({ status: 'SUCCESS', result: 'Reindexed 1 video.' });
    const after = await videoOf(t, changing.id);
    expect(after).toMatchObject({
      title: 'New title',
      description: 'New words',
      stats: { view_count: 99_999 },
      tags: ['new'],
      comment_count: 2,
      player: { watched: true },
      date_downloaded: before.date_downloaded,
      media_url: before.media_url,
    });
    // Keeps a track that the site no longer offers, because it cannot be downloaded again.
    expect(after.subtitles.map(({ lang }: { lang: string }) => lang)).toEqual(['de', 'en']);
    const lines = await t.app.db
      .selectFrom('transcriptLine')
      .select('text')
      .where('videoId', '=', changing.id)
      .orderBy('lang')
      .execute();
    expect(lines.map(({ text }) => text)).toEqual(['Hallo', 'Hello']);
    const storedHistory = await history();
    expect(storedHistory.map(({ what, value }) => (what === 'thumbnail' ? what : value)).sort()).toEqual([
      'Old title',
      'Old words',
      'thumbnail',
    ]);
    const storedThumbnail = await imageAt(storedHistory.find(({ what }) => what === 'thumbnail')!.value);
    expect(storedThumbnail.equals(oldThumbnail)).toBe(true);
    expect((await imageAt(after.vid_thumb_url)).equals(oldThumbnail)).toBe(false);
    expect(await inconsistencies(t)).toEqual([]);
  });

  test('adds no second history entry without a change', async () => {
    await refresh({ video: [changing.id] });
    expect(await history()).toHaveLength(3);
  });

  test('keeps comments that the site has disabled since', async () => {
    await t.staff.call('POST', '/api/appsettings/config/', { downloads: { comment_max: null } });
    await refresh({ video: [changing.id] });
    expect((await videoOf(t, changing.id)).comment_count).toBe(2);
  });

  test('leaves nothing of a video that is deleted during its refresh', async () => {
    Object.assign(leaving, { subtitles: [{ language: 'fr', name: 'French', automatic: false, cues: cuesFrom(['Salut'], 4) }] });
    const { task_id: id } = (await t.staff.call('POST', '/api/refresh/', { video: [leaving.id] })).json();
    const messages = async () => JSON.stringify((await t.staff.call('GET', '/api/notification/')).json());
    await expect.poll(messages, testTimeouts).toContain('Refreshing Leaving');
    expect((await t.staff.call('DELETE', `/api/video/${leaving.id}/`)).statusCode).toBe(204);
    await t.runner.idle();
    expect(await inconsistencies(t)).toEqual([]);
    expect((await t.staff.call('GET', `/api/task/by-id/${id}/`)).json()).toMatchObject({ status: 'SUCCESS', result: null });
    await add(t, leaving.id);
  });

  test('refreshes channels and playlists, and all of their videos on request', async () => {
    channel.description = 'Other words.';
    list.title = 'Renamed list';
    expect(await refresh({ channel: [channel.id], playlist: [list.id] }, '?extract_videos=true')).toMatchObject({
      result: 'Reindexed 2 videos, 1 channel, 1 playlist.',
    });
    expect((await t.staff.call('GET', `/api/channel/${channel.id}/`)).json().channel_description).toBe('Other words.');
    expect((await t.staff.call('GET', `/api/playlist/${list.id}/`)).json()).toMatchObject({
      playlist_name: 'Renamed list',
      playlist_description: list.description,
    });
  });

  test('marks nothing as unavailable during a block or an outage, and keeps pending items', async () => {
    t.testSite.catalogue.faults.push({ host: 'youtube.com', does: 'serverError' });
    await refresh({ video: [leaving.id] });
    t.testSite.catalogue.faults.length = 0;
    expect(await videoOf(t, leaving.id)).toMatchObject({ active: true });
    leaving.fails = 'botCheck';
    await refresh({ video: [leaving.id, changing.id] });
    delete leaving.fails;
    expect(await videoOf(t, leaving.id)).toMatchObject({ active: true });
    const rows = await t.app.db.selectFrom('video').select('unavailableSince').execute();
    expect(rows.map(({ unavailableSince }) => unavailableSince)).toEqual([null, null]);
    expect(await state()).toEqual({ state: 'running', total_queued: 2 });
    expect(await state(`?type=video&id=${leaving.id}`)).toEqual({ state: 'in_queue', total_queued: 2 });
    expect(await state(`?type=video&id=nothing0000`)).toEqual({ state: false, total_queued: 2 });
    expect((await t.staff.call('GET', '/api/refresh/?id=x')).json()).toMatchObject({ error: 'specified id also needs type' });
    await t.staff.call('DELETE', '/api/download/cooldowns/youtube/');
    await t.runner.idle();
    expect(await refresh({ video: [leaving.id] })).toMatchObject({ result: 'Reindexed 2 videos.' });
    expect(await state()).toEqual({ state: 'empty', total_queued: 0 });
  });

  test('marks a video as unavailable after two reports on different days, keeps its file, until it is back', async () => {
    leaving.fails = 'removedByUploader';
    const url = 'jsons://hooks.example/reelkeep';
    await t.staff.call('POST', '/api/task/notification/', { task_name: 'video.gone', url });
    const queuedEvents = async () =>
      (await t.app.db.selectFrom('outbox').select('message').execute()).map(({ message }) => JSON.parse(message));
    await refresh({ video: [leaving.id] });
    await refresh({ video: [leaving.id] });
    expect(await videoOf(t, leaving.id)).toMatchObject({ active: true });
    expect(await queuedEvents()).toEqual([]);
    const yesterday = { unavailableSince: t.app.now() - 24 * 3600 };
    await t.app.db.updateTable('video').set(yesterday).where('id', '=', leaving.id).execute();
    await refresh({ video: [leaving.id] });
    const gone = await videoOf(t, leaving.id);
    expect(gone).toMatchObject({ active: false });
    await refresh({ video: [leaving.id] }); // known already
    const data = { video: { id: leaving.id, title: gone.title }, reason: 'gone' };
    expect(await queuedEvents()).toEqual([expect.objectContaining({ event: 'video.gone', data })]);
    await t.staff.call('DELETE', '/api/task/notification/', { task_name: 'video.gone' });
    expect((await t.server.inject({ url: gone.media_url, headers: t.staff.headers, method: 'HEAD' })).statusCode).toBe(200);
    delete leaving.fails;
    await refresh({ video: [leaving.id] });
    expect(await videoOf(t, leaving.id)).toMatchObject({ active: true });
  });

  test('refreshes the least recently refreshed videos first, a share of them each day', async () => {
    const { db, now } = t.app;
    const old = now() - 100 * 86_400;
    await db.updateTable('video').set({ refreshedAt: old, publishedAt: old }).execute();
    await db
      .updateTable('video')
      .set({ refreshedAt: old - 5 })
      .where('id', '=', leaving.id)
      .execute();
    await t.app.tasks.start(checkReindex, { days: 90 });
    await t.runner.idle();
    const seen = await db.selectFrom('video').select('id').where('refreshedAt', '>', old).execute();
    expect(seen.map(({ id }) => id)).toEqual([leaving.id]);
    expect(await state()).toEqual({ state: 'empty', total_queued: 0 });
  });
});
