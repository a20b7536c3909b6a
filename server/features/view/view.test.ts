import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { execFileSync, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { View } from '#contract/view.ts';
import { createChannel, createUser, createVideo, engines, testApp, testTimeouts, type TestApp } from '../../test-support/app.ts';
import { thumbnailPath } from '../../archive/storage/thumbnail-path.ts';
import { updateViews } from './build-view.ts';
import { markOf, statOf } from './links.ts';

const otherFileSystem = '/dev/shm';
const isOtherFileSystem = statSync(otherFileSystem, { throwIfNoEntry: false })?.dev !== statSync(tmpdir()).dev;
// A small disk needs the right to mount one.
const canMount = spawnSync('sh', ['-c', 'd=$(mktemp -d) && mount -t tmpfs tmpfs "$d" && umount "$d"; rmdir "$d"']).status === 0;

let t: TestApp;
let staff: Awaited<ReturnType<typeof createUser>>;
afterEach(() => t.close());

async function start(options: Parameters<typeof testApp>[0] = {}) {
  t = await testApp(options);
  staff = await createUser(t, { isStaff: true });
  await t.runner.begin();
}

const viewsFolder = () => t.app.config.viewsFolder;
const inMedia = (path: string) => join(t.app.config.mediaFolder, path);
const published = Date.UTC(2024, 2, 9, 12) / 1000;

async function writeMedia(path: string, content: string) {
  await mkdir(dirname(inMedia(path)), { recursive: true });
  await writeFile(inMedia(path), content);
}

/** Creates a video with its file. */
async function addVideo(values: Parameters<typeof createVideo>[1] & { id: string; channelId: string }) {
  await writeMedia(`${values.channelId}/${values.id}.mp4`, `media of ${values.id}`);
  await createVideo(t.app.db, { publishedAt: published, sha256: `sha of ${values.id}`, ...values });
}

async function addThumbnail(id: string) {
  const path = join(t.app.config.cacheFolder, thumbnailPath(id));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `picture of ${id}`);
}

async function createView(body: object = {}): Promise<View> {
  const response = await staff.call('POST', '/api/view/', { name: 'Shows', root: 'shows', preset: 'jellyfin', ...body });
  expect(response.statusCode, response.body).toBe(200);
  return response.json() as View;
}
const readView = async (id: number) =>
  ((await staff.call('GET', '/api/view/')).json().data as View[]).find((view) => view.id === id);
/** Waits until no task runs. */
const idle = () => vi.waitFor(async () => expect(await t.app.tasks.activeInputs('build_view')).toEqual([]), testTimeouts);

async function build(id: number, body?: object): Promise<View> {
  const response = await staff.call('POST', `/api/view/${id}/build/`, body);
  expect(response.statusCode, response.body).toBe(200);
  await idle();
  return (await readView(id))!;
}
const problemOf = (view: View) => view.problem_messages?.map(({ id }) => id);

async function listFiles(folder = join(viewsFolder(), 'shows')): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory() && entry.name !== '.reelkeep-view')
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}
const inView = (path: string) => join(viewsFolder(), 'shows', path);
const base = 'Tea/Season 2024/Tea - S2024E030901 - First [aaaaaaaaaaa]';

describe.each(engines)('a view on $engine', (on) => {
  beforeEach(async () => {
    await start({ on });
    await createChannel(t.app.db, { id: 'UCtea', name: 'Tea', description: 'All about <tea> & more' });
  });

  test('has readable names, NFO files, artwork and subtitles, and follows changes', async () => {
    const { db } = t.app;
    await addVideo({ id: 'aaaaaaaaaaa', channelId: 'UCtea', title: 'First', tags: '["Green"]', description: 'One\nTwo' });
    await addVideo({ id: 'bbbbbbbbbbb', channelId: 'UCtea', title: 'Second/Part', publishedAt: published + 60 });
    await addThumbnail('aaaaaaaaaaa');
    await mkdir(join(t.app.config.cacheFolder, 'channels'), { recursive: true });
    await writeFile(join(t.app.config.cacheFolder, 'channels/UCtea_thumb.jpg'), 'poster');
    await writeMedia('UCtea/aaaaaaaaaaa.en.vtt', 'WEBVTT\nKind: captions\n\n00:01.000 --> 00:02.500\nHello &amp; welcome\n');
    await db
      .insertInto('subtitle')
      .values({ videoId: 'aaaaaaaaaaa', lang: 'en', source: 'user', name: 'English', path: 'UCtea/aaaaaaaaaaa.en.vtt' })
      .execute();
    const { id } = await createView({ person: staff.id });
    const view = await build(id);
    expect(view).toMatchObject({ state: 'ready', problem: null, videos: 2, pending: 0, link_used: 'hard' });
    const second = 'Tea/Season 2024/Tea - S2024E030902 - Second-Part [bbbbbbbbbbb]';
    const allFiles = [
      'Tea/fanart.jpg',
      'Tea/poster.jpg',
      'Tea/tvshow.nfo',
      'Tea/Season 2024/season.nfo',
      ...['-thumb.jpg', '.en.srt', '.mp4', '.nfo'].map((suffix) => base + suffix),
      ...['.mp4', '.nfo'].map((suffix) => second + suffix),
    ].sort();
    expect(await listFiles()).toEqual(allFiles);
    expect(view.files).toBe(allFiles.length);
    expect((await lstat(inView(`${base}.mp4`))).ino).toBe((await lstat(inMedia('UCtea/aaaaaaaaaaa.mp4'))).ino);
    expect(await readFile(inView(`${base}.en.srt`), 'utf8')).toBe('1\n00:00:01,000 --> 00:00:02,500\nHello & welcome\n');
    expect(await readFile(inView('Tea/tvshow.nfo'), 'utf8')).toContain('<plot>All about &lt;tea&gt; &amp; more</plot>');
    const nfo = () => readFile(inView(`${base}.nfo`), 'utf8');
    expect(await nfo()).toContain('<plot>One\nTwo</plot>');
    for (const element of [
      '<title>First</title>',
      '<showtitle>Tea</showtitle>',
      '<season>2024</season>',
      '<episode>30901</episode>',
      '<uniqueid type="youtube" default="true">aaaaaaaaaaa</uniqueid>',
      '<tag>Green</tag>',
      '<aired>2024-03-09</aired>',
      '<studio>Tea</studio>',
      '<watched>false</watched>',
    ])
      expect(await nfo()).toContain(element);
    expect(await nfo()).not.toMatch(/playcount|lastplayed/); // never watched

    // The watched state of the chosen person, a new title, a new file and a deletion.
    await staff.call('POST', '/api/watched/', { id: 'aaaaaaaaaaa', is_watched: true });
    await updateViews(t.app);
    expect(await nfo()).toContain('<playcount>1</playcount>');
    await writeMedia('UCtea/aaaaaaaaaaa.new.mp4', 'other media');
    await rename(inMedia('UCtea/aaaaaaaaaaa.new.mp4'), inMedia('UCtea/aaaaaaaaaaa.mp4'));
    await db.updateTable('video').set({ title: 'Renamed', sha256: 'other' }).where('id', '=', 'aaaaaaaaaaa').execute();
    expect((await readView(id))!.pending).toBe(1);
    await updateViews(t.app);
    const renamed = base.replace('First', 'Renamed');
    expect(await listFiles()).toEqual(allFiles.map((path) => path.replace('First', 'Renamed')).sort());
    expect(await readFile(inView(`${renamed}.mp4`), 'utf8')).toBe('other media');
    expect((await staff.call('DELETE', '/api/video/aaaaaaaaaaa/')).statusCode).toBe(204);
    await updateViews(t.app);
    // The fanart was its thumbnail.
    expect(await listFiles()).toEqual(allFiles.filter((path) => !/First|fanart/.test(path)));
    const { data } = (await staff.call('GET', '/api/trash/')).json();
    const restored = await staff.call('POST', '/api/trash/', { action: 'restore', ids: [data[0].id] });
    expect(restored.statusCode, restored.body).toBeLessThan(300);
    await vi.waitFor(async () => {
      await updateViews(t.app);
      expect(await listFiles()).toContain(`${renamed}.mp4`);
    }, testTimeouts);

    // A new name of the channel moves everything, and nothing is left of the old folder.
    await db.updateTable('channel').set({ name: 'Té' }).where('id', '=', 'UCtea').execute();
    await updateViews(t.app);
    expect((await listFiles()).every((path) => path.startsWith('Té/'))).toBe(true);
    expect(await readdir(join(viewsFolder(), 'shows'))).not.toContain('Tea');
    expect(await readView(id)).toMatchObject({ videos: 2, files: (await listFiles()).length, pending: 0 });
  });

  test('is built again without changes, repairs what is missing, and removes only its own files', async () => {
    await addVideo({ id: 'aaaaaaaaaaa', channelId: 'UCtea', title: 'First' });
    // A folder with foreign files, one of them at the path of a file of the view.
    await mkdir(inView('Tea/Season 2024'), { recursive: true });
    await writeFile(inView('Tea/Season 2024/mine.mp4'), 'mine');
    await writeFile(inView('Tea/tvshow.nfo'), 'mine');
    const { id } = await createView();
    await build(id);
    const times = async () =>
      Promise.all((await listFiles()).map(async (path) => `${path} ${(await lstat(inView(path))).ctimeMs}`));
    const [files, before] = [await listFiles(), await times()];
    expect(files).toEqual(
      [`${base}.mp4`, `${base}.nfo`, 'Tea/Season 2024/mine.mp4', 'Tea/Season 2024/season.nfo', 'Tea/tvshow.nfo'].sort(),
    );
    await build(id);
    expect(await times()).toEqual(before);
    await rm(inView(`${base}.mp4`));
    await build(id);
    expect(await listFiles()).toEqual(files);
    // Another program has written its own NFO file: it stays.
    await writeFile(inView(`${base}.nfo`), '<episodedetails>edited elsewhere</episodedetails>');
    await build(id);
    expect((await staff.call('DELETE', `/api/view/${id}/`)).statusCode).toBe(204);
    await idle();
    expect(await listFiles()).toEqual([`${base}.nfo`, 'Tea/Season 2024/mine.mp4', 'Tea/tvshow.nfo'].sort());
    expect(await readFile(inView('Tea/tvshow.nfo'), 'utf8')).toBe('mine');
    expect(await readView(id)).toBeUndefined();
    expect(await readFile(inMedia('UCtea/aaaaaaaaaaa.mp4'), 'utf8')).toBe('media of aaaaaaaaaaa');
  });

  test('removes and creates no file outside its folder, whatever its manifest and the languages of subtitles say', async () => {
    await addVideo({ id: 'aaaaaaaaaaa', channelId: 'UCtea', title: 'First' });
    await writeMedia('UCtea/aaaaaaaaaaa.en.vtt', 'WEBVTT\n\n00:01.000 --> 00:02.500\nHello\n');
    const { id } = await createView();
    await build(id);
    await t.app.db
      .insertInto('subtitle')
      .values({ videoId: 'aaaaaaaaaaa', lang: '/../../../../out', source: 'user', name: 'x', path: 'UCtea/aaaaaaaaaaa.en.vtt' })
      .execute();
    const outside = join(viewsFolder(), 'precious.txt');
    await writeFile(outside, 'precious');
    const row = { viewNumber: id, owner: 'zzzzzzzzzzz', part: 'media', groupId: '', season: null, stamp: '', slot: null };
    const path = '../precious.txt';
    const mark = await markOf(outside, (await statOf(outside))!);
    await t.app.db
      .insertInto('viewFile')
      .values({ ...row, key: path, path, mark, slotNumber: null })
      .execute();
    await build(id);
    expect(await readFile(outside, 'utf8')).toBe('precious');
    expect(await readdir(viewsFolder())).toEqual(['precious.txt', 'shows']);
    const runs = await t.app.db.selectFrom('runLog').select('reason').execute();
    expect(JSON.stringify(runs)).toContain('view.path-outside');
  });

  test('renames links when its template changes, and tells equal names apart', async () => {
    await createChannel(t.app.db, { id: 'UCother', name: 'TEA?', addedAt: 5 });
    await addVideo({ id: 'aaaaaaaaaaa', channelId: 'UCtea', title: 'First' });
    await addVideo({ id: 'AAAAAAAAAAA', channelId: 'UCtea', title: 'FIRST' });
    await addVideo({ id: 'ccccccccccc', channelId: 'UCother', title: 'First' });
    const { id } = await createView({ preset: 'custom', template: '{channel}/{title} [{id}]', nfo: false, link: 'copy' });
    await build(id);
    // Names that differ in case only are one name on NTFS and SMB.
    const files = await listFiles();
    expect(files).toHaveLength(3);
    expect(files.filter((path) => path.endsWith('] (2).mp4'))).toHaveLength(1);
    expect(files).toContain('TEA [UCother]/First [ccccccccccc].mp4');
    const path = files.find((one) => one.includes('ccccccccccc'))!;
    const { ino } = await lstat(inView(path));
    const changed = await staff.call('POST', `/api/view/${id}/`, { template: '{published:yyyy}/{title} [{id}]' });
    expect(changed.statusCode, changed.body).toBe(200);
    await idle();
    expect(await listFiles()).toHaveLength(3);
    expect((await lstat(inView('2024/First [ccccccccccc].mp4'))).ino).toBe(ino); // the copy was moved
    expect((await readdir(join(viewsFolder(), 'shows'))).sort()).toEqual(['.reelkeep-view', '2024']);
  });

  test('contains a playlist in order, a channel, or the videos of a smart list', async () => {
    const { db } = t.app;
    for (const [index, id] of ['aaaaaaaaaaa', 'bbbbbbbbbbb', 'ccccccccccc'].entries())
      await addVideo({ id, channelId: 'UCtea', title: `V${index}`, tags: index === 1 ? '["rare"]' : '[]' });
    await addVideo({ id: 'ddddddddddd', channelId: await createChannel(db), title: 'Elsewhere' });
    await db
      .insertInto('playlist')
      .values({ id: 'PL1', kind: 'regular', name: 'Mix', sortName: 'mix', refreshedAt: 0 })
      .execute();
    for (const [position, videoId] of ['ccccccccccc', 'aaaaaaaaaaa'].entries())
      await db.insertInto('playlistEntry').values({ playlistId: 'PL1', position, videoId, title: '' }).execute();
    const { id: list } = (await staff.call('POST', '/api/list/', { name: 'Rare', filter: { tag: 'rare' } })).json();
    const options = { nfo: false };
    const inOrder = await createView({ ...options, preset: 'playlist', content: { type: 'playlist', id: 'PL1' } });
    const ofChannel = await createView({ ...options, name: 'C', root: 'c', content: { type: 'channel', id: 'UCtea' } });
    const ofList = await createView({ ...options, name: 'L', root: 'l', content: { type: 'smart-list', id: String(list) } });
    for (const { id } of [inOrder, ofChannel, ofList]) await build(id);
    expect(await listFiles()).toEqual([
      'Mix/Season 1/Mix - S01E001 - V2 [ccccccccccc].mp4',
      'Mix/Season 1/Mix - S01E002 - V0 [aaaaaaaaaaa].mp4',
    ]);
    expect(await listFiles(join(viewsFolder(), 'c'))).toHaveLength(3);
    expect((await listFiles(join(viewsFolder(), 'l'))).join()).toMatch(/V1/);
    await db.updateTable('video').set({ tags: '["rare"]' }).where('id', '=', 'ddddddddddd').execute();
    await db.deleteFrom('playlistEntry').where('videoId', '=', 'ccccccccccc').execute();
    await updateViews(t.app);
    expect(await listFiles()).toHaveLength(1);
    expect((await listFiles(join(viewsFolder(), 'l'))).join()).toMatch(/Elsewhere.*V1|V1.*Elsewhere/);
    // Without its smart list the view stays as it is.
    await staff.call('DELETE', `/api/list/${list}/`);
    expect(problemOf(await build(ofList.id))).toEqual(['view.content-gone']);
    expect(await listFiles(join(viewsFolder(), 'l'))).toHaveLength(2);
  });

  test('of a smart list follows the private tags of its owner', async () => {
    for (const id of ['aaaaaaaaaaa', 'bbbbbbbbbbb']) await addVideo({ id, channelId: 'UCtea', title: id });
    const tag = (change: object) => staff.call('PUT', '/api/tag/mine/', change);
    await tag({ add: { video: ['aaaaaaaaaaa'] } });
    const list = (await staff.call('POST', '/api/list/', { name: 'L', filter: { own_tag: 'mine' } })).json().id as number;
    const { id } = await createView({ nfo: false, content: { type: 'smart-list', id: String(list) } });
    await build(id);
    const names = async () => (await listFiles()).join().match(/\[(\w+)\]/g);
    expect(await names()).toEqual(['[aaaaaaaaaaa]']);
    await tag({ remove: { video: ['aaaaaaaaaaa'] }, add: { channel: ['UCtea'] } });
    await updateViews(t.app);
    expect(await names()).toEqual(['[aaaaaaaaaaa]', '[bbbbbbbbbbb]']);
    await tag({ remove: { channel: ['UCtea'] }, add: { video: ['bbbbbbbbbbb'] } });
    await updateViews(t.app);
    expect(await names()).toEqual(['[bbbbbbbbbbb]']);
  });

  test('ends with a playlist that its owner made private, but not a private one of the user who chose it', async () => {
    for (const id of ['aaaaaaaaaaa', 'bbbbbbbbbbb']) await addVideo({ id, channelId: 'UCtea', title: id });
    const ann = await createUser(t);
    const add = async (user: typeof ann, list: string, video_id: string) =>
      user.call('POST', `/api/playlist/custom/${list}/`, { action: 'create', video_id });
    const playlistOf = async (user: typeof ann) => {
      const body = { playlist_name: 'Mine', is_shared: user === ann };
      const list = (await user.call('POST', '/api/playlist/custom/', body)).json().playlist_id as string;
      await add(user, list, 'aaaaaaaaaaa');
      return list;
    };
    const [ofAnn, ofStaff] = [await playlistOf(ann), await playlistOf(staff)];
    const { id } = await createView({ preset: 'flat', content: { type: 'playlist', id: ofAnn } });
    const own = await createView({ preset: 'flat', name: 'Own', root: 'own', content: { type: 'playlist', id: ofStaff } });
    for (const view of [id, own.id]) expect(await build(view)).toMatchObject({ videos: 1 });
    await ann.call('POST', `/api/playlist/custom/${ofAnn}/sharing/`, { is_shared: false });
    await add(ann, ofAnn, 'bbbbbbbbbbb');
    await add(staff, ofStaff, 'bbbbbbbbbbb');
    await updateViews(t.app);
    expect(await readView(id)).toMatchObject({ videos: 0, content: { name: null } });
    expect(await listFiles()).toEqual([]);
    expect(await readView(own.id)).toMatchObject({ videos: 2, content: { name: 'Mine' } });
    await ann.call('POST', `/api/playlist/custom/${ofAnn}/sharing/`, { is_shared: true });
    await updateViews(t.app);
    expect(await readView(id)).toMatchObject({ videos: 2 });
    // The content is still that of the user who chose it when another one changes the name.
    const eva = await createUser(t, { isStaff: true });
    const changeOwn = async (body: object) => {
      expect((await eva.call('POST', `/api/view/${own.id}/`, body)).statusCode).toBe(200);
      await idle();
      return readView(own.id);
    };
    const share = (is_shared: boolean) => staff.call('POST', `/api/playlist/custom/${ofStaff}/sharing/`, { is_shared });
    await share(true);
    await changeOwn({ name: 'Renamed' });
    await share(false);
    await updateViews(t.app);
    expect(await readView(own.id)).toMatchObject({ videos: 2, content: { name: 'Mine' } });
    const content = { type: 'playlist', id: await playlistOf(eva) };
    expect(await changeOwn({ content })).toMatchObject({ videos: 1, content: { name: 'Mine' } });
  });

  test('contains the watch state of another user only while that user agrees', async () => {
    await addVideo({ id: 'aaaaaaaaaaa', channelId: 'UCtea', title: 'First' });
    const ann = await createUser(t);
    await ann.call('POST', '/api/watched/', { id: 'aaaaaaaaaaa', is_watched: true });
    const { id } = await createView({ person: ann.id });
    await build(id);
    const nfo = async () => {
      await updateViews(t.app);
      return readFile(inView(`${base}.nfo`), 'utf8');
    };
    expect(await nfo()).not.toMatch(/playcount|watched/);
    const agree = (shares_watch_state: boolean) => ann.call('POST', '/api/user/watch-sharing/', { shares_watch_state });
    expect((await agree(true)).statusCode).toBe(204);
    expect((await ann.call('GET', '/api/user/account/')).json()).toMatchObject({ shares_watch_state: true });
    expect(await nfo()).toContain('<playcount>1</playcount>');
    await agree(false);
    expect(await nfo()).not.toMatch(/playcount|watched/);
    // Who chooses the own watch state agrees; saving the view later does not agree again.
    await staff.call('POST', `/api/view/${id}/`, { person: staff.id });
    await idle();
    expect(await nfo()).toContain('<watched>false</watched>');
    await staff.call('POST', '/api/user/watch-sharing/', { shares_watch_state: false });
    await staff.call('POST', `/api/view/${id}/`, { name: 'Renamed', person: staff.id });
    await idle();
    expect(await nfo()).not.toMatch(/playcount|watched/);
    // Nor is the choice of another user a consent.
    await staff.call('POST', `/api/view/${id}/`, { person: ann.id });
    await idle();
    expect(await nfo()).not.toMatch(/playcount|watched/);
  });

  test('continues an interrupted build', async () => {
    for (let index = 0; index < 250; index++)
      await addVideo({ id: `v${String(index).padStart(10, '0')}`, channelId: 'UCtea', publishedAt: published + index });
    const { id } = await createView({ nfo: false });
    const { task_id } = (await staff.call('POST', `/api/view/${id}/build/`)).json();
    await vi.waitFor(async () => expect((await readView(id))!.videos).toBeGreaterThan(0), { timeout: 60_000, interval: 1 });
    await t.runner.end(); // as at shutdown
    expect(await t.app.db.selectFrom('task').select('status').where('id', '=', task_id).executeTakeFirst()).toMatchObject({});
    await t.runner.begin();
    await idle();
    expect(await readView(id)).toMatchObject({ state: 'ready', videos: 250, pending: 0 });
    expect(await listFiles()).toHaveLength(250);
  });
});

describe('a view', () => {
  beforeEach(async () => {
    await start();
    await createChannel(t.app.db, { id: 'UCtea', name: 'Tea' });
  });

  test('has relative symbolic links that work elsewhere', async () => {
    await addVideo({ id: 'aaaaaaaaaaa', channelId: 'UCtea', title: 'First' });
    const { id } = await createView({ link: 'symbolic' });
    expect((await build(id)).link_used).toBe('symbolic');
    expect(await readlink(inView(`${base}.mp4`))).toBe('../../../../media/UCtea/aaaaaaaaaaa.mp4');
    expect(await readFile(inView(`${base}.mp4`), 'utf8')).toBe('media of aaaaaaaaaaa');
  });

  test('reports a video without its file, and keeps the link that it has', async () => {
    await addVideo({ id: 'aaaaaaaaaaa', channelId: 'UCtea', title: 'First' });
    await addVideo({ id: 'bbbbbbbbbbb', channelId: 'UCtea', title: 'Second' });
    await rm(inMedia('UCtea/bbbbbbbbbbb.mp4'));
    const { id } = await createView();
    expect(await build(id)).toMatchObject({ state: 'ready', videos: 1 });
    expect((await listFiles()).join()).not.toContain('Second');
    const log = await t.app.db.selectFrom('runLog').select(['subject', 'reason']).where('kind', '=', 'problem').execute();
    expect(log).toMatchObject([{ subject: expect.stringContaining('Second'), reason: expect.stringContaining('view.no-file') }]);
    await rm(inMedia('UCtea/aaaaaaaaaaa.mp4'));
    await t.app.db.updateTable('video').set({ sha256: 'other' }).where('id', '=', 'aaaaaaaaaaa').execute();
    await updateViews(t.app);
    expect(await readFile(inView(`${base}.mp4`), 'utf8')).toBe('media of aaaaaaaaaaa');
  });

  test('stops without its disk or that of the media, and deletes nothing', async () => {
    await addVideo({ id: 'aaaaaaaaaaa', channelId: 'UCtea', title: 'First' });
    const { id } = await createView();
    await build(id);
    const root = join(viewsFolder(), 'shows');
    await rename(root, `${root}.unmounted`);
    await mkdir(root);
    await t.app.db.deleteFrom('video').execute();
    await updateViews(t.app);
    expect(await readView(id)).toMatchObject({ state: 'failed', videos: 1, problem_messages: [{ id: 'view.root-missing' }] });
    expect(problemOf(await build(id))).toEqual(['view.root-missing']);
    expect(await readdir(root)).toEqual([]);
    await rm(root, { recursive: true });
    await rename(`${root}.unmounted`, root);
    await rename(inMedia('.reelkeep'), inMedia('.away'));
    expect((await build(id)).state).toBe('failed');
    expect(await listFiles()).toContain(`${base}.mp4`);
    await rename(inMedia('.away'), inMedia('.reelkeep'));
    expect(await build(id)).toMatchObject({ state: 'ready', videos: 0, files: 0 });
    expect(await listFiles()).toEqual([]);
  });

  test('starts over in an emptied folder only on request', async () => {
    await addVideo({ id: 'aaaaaaaaaaa', channelId: 'UCtea', title: 'First' });
    const { id } = await createView();
    await build(id);
    await rm(join(viewsFolder(), 'shows'), { recursive: true });
    expect(problemOf(await build(id))).toEqual(['view.root-missing']);
    expect(await build(id, { start_over: true })).toMatchObject({ state: 'ready', videos: 1, problem: null });
    expect(await listFiles()).toContain(`${base}.mp4`);
    // A folder of another installation is not touched.
    await writeFile(inView('.reelkeep-view'), 'another');
    expect(problemOf(await build(id, { start_over: true }))).toEqual(['view.root-other']);
    expect((await staff.call('DELETE', `/api/view/${id}/?forget=true`)).statusCode).toBe(204);
    expect(await listFiles()).toContain(`${base}.mp4`);
  });

  test('recognizes its copies when it starts over', async () => {
    await addVideo({ id: 'aaaaaaaaaaa', channelId: 'UCtea', title: 'First' });
    // Most file systems store parts of a millisecond, which a Date rounds.
    await utimes(inMedia('UCtea/aaaaaaaaaaa.mp4'), 1_700_000_000.123_7, 1_700_000_000.123_7);
    const { id } = await createView({ link: 'copy', nfo: false });
    await build(id);
    const { ino } = await lstat(inView(`${base}.mp4`));
    expect(await build(id, { start_over: true })).toMatchObject({ state: 'ready', videos: 1, problem: null });
    expect((await lstat(inView(`${base}.mp4`))).ino).toBe(ino);
  });

  test('does not follow a link in the place of one of its folders', async () => {
    await addVideo({ id: 'aaaaaaaaaaa', channelId: 'UCtea', title: 'First' });
    const outside = await mkdtemp(join(t.folder, 'outside-'));
    await mkdir(join(viewsFolder(), 'shows'), { recursive: true });
    await symlink(outside, inView('Tea'));
    const { id } = await createView();
    expect(await build(id)).toMatchObject({ state: 'ready', videos: 0 });
    expect(await readdir(outside)).toEqual([]);
  });

  test.skipIf(!isOtherFileSystem)(
    'falls back to a link type that works, and says why; a chosen one that does not is refused',
    async () => {
      await t.close();
      const folder = await mkdtemp(join(otherFileSystem, 'reelkeep-views-'));
      await start({ env: { REELKEEP_VIEWS: folder } });
      try {
        await createChannel(t.app.db, { id: 'UCtea', name: 'Tea' });
        await addVideo({ id: 'aaaaaaaaaaa', channelId: 'UCtea', title: 'First' });
        await addThumbnail('aaaaaaaaaaa');
        const { id } = await createView();
        const view = await build(id);
        expect(view).toMatchObject({ state: 'ready', link_used: 'symbolic', videos: 1 });
        expect(view.link_reason).toMatch(/Symbolic links work here.*Hard links do not work: EXDEV/);
        expect(await readFile(inView(`${base}.mp4`), 'utf8')).toBe('media of aaaaaaaaaaa');
        expect(await readFile(inView(`${base}-thumb.jpg`), 'utf8')).toBe('picture of aaaaaaaaaaa');
        for (const link of ['hard', 'reflink']) {
          const chosen = await build((await createView({ name: link, root: link, link })).id);
          expect(chosen).toMatchObject({ state: 'failed', videos: 0 });
          expect(chosen.problem).toMatch(
            /(Hard links|Reflinks) of the media files do not work in this folder: \w+\. Choose another/,
          );
          expect(await listFiles(join(folder, link))).toEqual([]);
        }
      } finally {
        await rm(folder, { recursive: true });
      }
    },
  );

  test.skipIf(!canMount)('stops on a full disk without deleting anything, and continues when there is space', async () => {
    await mkdir(viewsFolder(), { recursive: true });
    const mount = (options: string) =>
      execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', viewsFolder()], { stdio: 'ignore' });
    mount('size=256k');
    try {
      for (const [index, id] of ['aaaaaaaaaaa', 'bbbbbbbbbbb', 'ccccccccccc'].entries()) {
        await addVideo({ id, channelId: 'UCtea', title: 'First', publishedAt: published + index });
        await writeFile(inMedia(`UCtea/${id}.mp4`), Buffer.alloc(100_000));
      }
      const { id } = await createView({ link: 'copy', nfo: false });
      const full = await build(id);
      expect(full).toMatchObject({ state: 'failed', videos: 2, problem_messages: [{ id: 'view.disk-full' }] });
      const [first] = await listFiles();
      expect(await listFiles()).toHaveLength(2);
      mount('remount,size=1m');
      vi.spyOn(t.app, 'now').mockReturnValue(t.app.now() + 100);
      await updateViews(t.app);
      expect(await readView(id)).toMatchObject({ state: 'ready', videos: 3, problem: null, pending: 0 });
      expect(await listFiles()).toContain(first);
      mount('remount,ro');
      await addVideo({ id: 'ddddddddddd', channelId: 'UCtea', title: 'On a read-only disk', publishedAt: 0 });
      await updateViews(t.app);
      expect((await readView(id))!.problem).toMatch(/cannot be used: EROFS/);
      expect(await readView(id)).toMatchObject({ state: 'failed', videos: 3, pending: 1 });
    } finally {
      execFileSync('umount', [viewsFolder()]);
    }
  });

  test('previews ten files, or says what is wrong', async () => {
    for (let index = 0; index < 12; index++) await createVideo(t.app.db, { channelId: 'UCtea', title: `V${index}` });
    const preview = async (body: object) => (await staff.call('POST', '/api/view/preview/', body)).json();
    const { files } = await preview({ preset: 'custom', template: '{channel}/{title} {id}' });
    expect(files).toHaveLength(10);
    expect(files[0].path).toMatch(/^Tea\/V11 vid\d+\.mp4$/);
    expect(await preview({ preset: 'custom', template: '{title}' })).toMatchObject({
      files: [],
      problem_messages: [{ id: 'view.template-id' }],
    });
    expect(await preview({ preset: 'flat', root: '../out' })).toMatchObject({
      files: [],
      problem_messages: [{ id: 'view.root-outside' }],
    });
  });

  test.each([
    [{ root: '../elsewhere' }, /must be below/],
    [{ root: '/etc/views' }, /must be below/],
    [{ root: 'a/../../media' }, /must be below/],
    [{ root: '.' }, /must be below/],
    [{ root: 'linked/shows' }, /symbolic link/],
    [{ root: 'dangling/shows' }, /cannot be used/],
    [{ root: 'file' }, /is a file/],
    [{ root: 'taken/inner' }, /the view Taken/],
    [{ preset: 'custom' }, /needs a template/],
    [{ preset: 'custom', template: '{title}' }, /needs \{id\}/],
    [{ preset: 'flat', template: '{id}' }, /Only the preset/],
    [{ content: { type: 'channel' } }, /Choose a channel/],
    [{ content: { type: 'channel', id: 'nobody' } }, /no longer exists/],
    [{ content: { type: 'smart-list', id: 'x' } }, /no longer exists/],
    [{ name: 'Taken' }, /already is a view/],
    [{ person: 999 }, /no such user/],
  ])('is refused with %j', async (body, reason) => {
    await mkdir(viewsFolder(), { recursive: true });
    await symlink(t.folder, join(viewsFolder(), 'linked'));
    await symlink(join(t.folder, 'nowhere'), join(viewsFolder(), 'dangling'));
    await writeFile(join(viewsFolder(), 'file'), '');
    await createView({ name: 'Taken', root: 'taken' });
    const response = await staff.call('POST', '/api/view/', { name: 'Shows', root: 'shows', preset: 'jellyfin', ...body });
    expect(response.statusCode).toBe(400);
    expect(response.json().error).toMatch(reason);
    expect((await staff.call('GET', '/api/view/')).json().data).toHaveLength(1);
  });
});
