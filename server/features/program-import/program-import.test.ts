import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createChannel, createVideo, engines, type TestApp } from '../../test-support/app.ts';
import {
  archiveForImports,
  channelOf,
  contentsOf,
  countsOf,
  importFromProgram,
  problemsOf,
  reportOf,
  undo,
  videoIdOf,
  writeImports,
  type Staff,
} from '../../test-support/program-import.ts';
import { zipOf } from '../../test-support/zip.ts';

const outline = (n: number) =>
  `<outline type="rss" text="Feed ${n} &amp; more" xmlUrl="https://www.youtube.com/feeds/videos.xml?channel_id=${channelOf(n)}"/>`;
const opmlOf = (...feeds: string[]) =>
  `<?xml version="1.0"?><opml version="1.1"><body><outline text="YouTube">${feeds.join('\n')}</outline></body></opml>`;

describe.each(engines)('imports from other programs, on $engine', (on) => {
  let t: TestApp;
  let staff: Staff;
  beforeEach(async () => {
    ({ t, staff } = await archiveForImports({ on }));
  });
  afterEach(() => t.close());

  test('report in a dry run what the import then adds, and undo removes exactly that', async () => {
    const { db } = t.app;
    await createChannel(db, { id: channelOf(1), isSubscribed: 1 });
    await createChannel(db, { id: channelOf(2), isSubscribed: 0, name: 'Known' });
    await writeImports(t, { 'feeds.opml': opmlOf(outline(1), outline(2), outline(3), outline(3)) });
    const before = await contentsOf(t);
    const dry = await importFromProgram(t, staff, { from: 'opml', path: 'feeds.opml', dry_run: true });
    expect(dry).toMatchObject({ status: 'done', dry_run: true, undo_until: null, problems: 0 });
    expect(await contentsOf(t)).toEqual(before);

    const done = await importFromProgram(t, staff, { from: 'opml', path: 'feeds.opml' });
    expect(countsOf(done)).toEqual(countsOf(dry));
    expect(countsOf(done)).toEqual({ subscriptions: [4, 2, 2, 0] });
    const rows = await db.selectFrom('channel').select(['id', 'name', 'isSubscribed', 'backCatalogue']).orderBy('id').execute();
    expect(rows).toMatchObject([
      { id: channelOf(1), isSubscribed: 1 },
      { id: channelOf(2), name: 'Known', isSubscribed: 1 },
      { id: channelOf(3), name: 'Feed 3 & more', isSubscribed: 1, backCatalogue: 'none' },
    ]);
    expect(await undo(t, staff, done.id)).toMatchObject({ status: 'undone', undo_until: null });
    expect(await contentsOf(t)).toEqual(before);
    expect((await staff.call('POST', `/api/migrate/${done.id}/undo/`)).statusCode).toBe(400);
  });

  test('take the list of yt-dlp as ignored or as already seen, one faulty line at a time', async () => {
    const { db } = t.app;
    await createVideo(db, { id: videoIdOf(1) });
    await writeImports(t, {
      'archive.txt': `youtube ${videoIdOf(1)}\nyoutube ${videoIdOf(2)}\r\nvimeo 12345\n\nnonsense\nyoutube too-short\nyoutube -bcDEF_hi-1\n`,
    });
    const before = await contentsOf(t);
    const ignored = await importFromProgram(t, staff, { from: 'archive', path: 'archive.txt' });
    expect(countsOf(ignored)).toEqual({ ignored: [4, 3, 1, 0] });
    expect(problemsOf(ignored)).toEqual(['nonsense: The entry cannot be read.', 'youtube too-short: The entry cannot be read.']);
    expect(await db.selectFrom('download').select(['id', 'status', 'site']).orderBy('id').execute()).toEqual([
      { id: '-bcDEF_hi-1', status: 'ignore', site: 'youtube' },
      { id: videoIdOf(2), status: 'ignore', site: 'youtube' },
      { id: 'vimeo.12345', status: 'ignore', site: 'vimeo' },
    ]);
    const have = await importFromProgram(t, staff, { from: 'archive', path: 'archive.txt', take: ['have'] });
    expect(countsOf(have)).toEqual({ have: [4, 4, 0, 0] });
    await undo(t, staff, have.id);
    // A later change of a user is kept.
    await db.updateTable('download').set({ status: 'pending', autoStart: 1 }).where('id', '=', 'vimeo.12345').execute();
    await undo(t, staff, ignored.id);
    expect((await contentsOf(t)).seenEntry).toEqual(before.seenEntry);
    expect((await db.selectFrom('download').select('id').execute()).map(({ id }) => id)).toEqual(['vimeo.12345']);
  });

  test('read a Takeout in an unknown language by its content', async () => {
    const { db } = t.app;
    await createVideo(db, { id: videoIdOf(1) });
    await createVideo(db, { id: videoIdOf(2) });
    await createVideo(db, { id: videoIdOf(3) });
    await db
      .insertInto('watch')
      .values({ accountId: staff.id, videoId: videoIdOf(3), watchedAt: 5, positionSeconds: null, updatedAt: 5 })
      .execute();
    const history = [
      {
        header: 'YouTube',
        title: 'Έχετε παρακολουθήσει το A',
        titleUrl: `https://www.youtube.com/watch?v\u003d${videoIdOf(1)}`,
        time: '2024-03-01T10:00:00.500Z',
      },
      {
        title: 'ad',
        titleUrl: `https://www.youtube.com/watch?v=${videoIdOf(2)}`,
        time: '2024-03-01T10:00:00Z',
        details: [{ name: 'Από Google Ads' }],
      },
      {
        title: 'gone { "[',
        titleUrl: `https://music.youtube.com/watch?v=${videoIdOf(9)}`,
        time: '2024-03-02T10:00:00Z',
        subtitles: [{ name: 'C \\" }', url: `https://www.youtube.com/channel/${channelOf(4)}` }],
      },
      { title: 'search', titleUrl: 'https://www.youtube.com/results?search_query=x' },
      { title: 'again', titleUrl: `https://www.youtube.com/watch?v=${videoIdOf(3)}`, time: '2024-03-02T10:00:00Z' },
    ];
    const root = 'Takeout/YouTube και YouTube Music';
    await writeImports(t, {
      [`${root}/συνδρομές/συνδρομές.csv`]: `\uFEFFΑναγνωριστικό,Διεύθυνση,Τίτλος\n${channelOf(4)},http://www.youtube.com/channel/${channelOf(4)},"Κανάλι, ένα ""δύο"""\nnot-an-id,x,y\n`,
      [`${root}/ιστορικό/ιστορικό.json`]: JSON.stringify(history),
      [`${root}/ιστορικό/αλλο.html`]: `<html><div class="outer-cell"><div class="content-cell mdl-typography--body-1">Έχετε <a href="https://www.youtube.com/watch?v=${videoIdOf(2)}">B &amp; C</a><br><a href="https://www.youtube.com/channel/${channelOf(4)}">K</a><br>1 Μαρ 2024, 10:00:00 π.μ.<br></div></div></html>`,
      [`${root}/λίστες/λίστες.csv`]: `Α,Β\nPLabcdefghijklmnopqrstuvwxyz012345,Καλά 😀\n`,
      [`${root}/λίστες/Καλά 😀-βίντεο.csv`]: `Α,Β\n${videoIdOf(1)},2024-01-01T00:00:00+00:00\n${videoIdOf(9)},2024-01-02T00:00:00+00:00\n`,
    });
    const before = await contentsOf(t);
    const report = await importFromProgram(t, staff, {
      from: 'takeout',
      path: 'Takeout',
      take: ['subscriptions', 'watched', 'playlists', 'queue'],
    });
    expect(countsOf(report)).toEqual({
      subscriptions: [1, 1, 0, 0],
      queue: [1, 1, 0, 0],
      watched: [4, 2, 1, 1],
      playlists: [1, 1, 0, 0],
    });
    expect(problemsOf(report)).toHaveLength(1);
    expect(report.lines.find(({ kind }) => kind === 'note')?.why).toMatch(/no readable date/);
    const watched = await db.selectFrom('watch').select(['videoId', 'watchedAt']).orderBy('videoId').execute();
    expect(watched).toMatchObject([
      { watchedAt: Date.parse('2024-03-01T10:00:00Z') / 1000 },
      { videoId: videoIdOf(2) },
      { watchedAt: 5 },
    ]);
    expect(await db.selectFrom('channel').select('name').where('id', '=', channelOf(4)).executeTakeFirst()).toEqual({
      name: 'Κανάλι, ένα "δύο"',
    });
    expect(await db.selectFrom('playlist').select(['name', 'ownerId', 'isShared']).execute()).toEqual([
      { name: 'Καλά 😀', ownerId: staff.id, isShared: 0 },
    ]);
    expect(await db.selectFrom('playlistEntry').select('videoId').orderBy('position').execute()).toHaveLength(2);
    await undo(t, staff, report.id);
    expect(await contentsOf(t)).toEqual(before);
  });

  test('continue after a restart, with the counts of both attempts, and are undone completely', async () => {
    const ids = Array.from({ length: 3000 }, (_, n) => videoIdOf(n));
    await createVideo(t.app.db, { id: ids[0]! });
    await writeImports(t, { 'archive.txt': ids.map((id) => `youtube ${id}`).join('\n') });
    const before = await contentsOf(t);
    const started = await staff.call('POST', '/api/migrate/', { from: 'archive', path: 'archive.txt' });
    const { id } = started.json<{ id: string }>();
    const count = async () => (await t.app.db.selectFrom('download').select('id').execute()).length;
    await expect.poll(count, { timeout: 60_000, interval: 1 }).toBeGreaterThan(0);
    await t.runner.end();
    expect(await count()).toBeLessThan(2999);
    await t.runner.begin();
    const report = await reportOf(t, staff, id);
    expect(report).toMatchObject({ status: 'done', problems: 0 });
    expect(countsOf(report)).toEqual({ ignored: [3000, 2999, 1, 0] });
    await undo(t, staff, id);
    expect(await contentsOf(t)).toEqual(before);
  });

  test('fail when the server ended during them three times, and the next one can start', async () => {
    await writeImports(t, { 'a.opml': opmlOf(outline(1)) });
    await t.runner.end();
    const body = { from: 'opml', path: 'a.opml' };
    const { id } = (await staff.call('POST', '/api/migrate/', body)).json<{ id: string }>();
    await t.app.db.updateTable('task').set({ crashes: 3 }).execute();
    await t.runner.begin();
    const report = await reportOf(t, staff, id);
    expect([report.status, report.error]).toEqual(['failed', expect.stringMatching(/server ended 3 times/)]);
    expect(await t.app.db.selectFrom('channel').select('id').execute()).toEqual([]);
    expect(await importFromProgram(t, staff, body)).toMatchObject({ status: 'done' });
  });

  test('keep one at a time', async () => {
    await writeImports(t, { 'a.opml': opmlOf(outline(1)) });
    const [one, other] = await Promise.all([
      staff.call('POST', '/api/migrate/', { from: 'opml', path: 'a.opml' }),
      staff.call('POST', '/api/migrate/', { from: 'opml', path: 'a.opml' }),
    ]);
    expect([one.statusCode, other.statusCode].sort()).toEqual([200, 400]);
    expect([one, other].find(({ statusCode }) => statusCode === 400)!.json().error).toMatch(/already running/);
    const { id } = [one, other].find(({ statusCode }) => statusCode === 200)!.json<{ id: string }>();
    expect(await reportOf(t, staff, id)).toMatchObject({ status: 'done' });
    expect((await staff.call('GET', '/api/migrate/')).json().migrations).toHaveLength(1);
  });
});

describe('hostile and faulty sources', () => {
  let t: TestApp;
  let staff: Staff;
  beforeEach(async () => {
    ({ t, staff } = await archiveForImports());
  });
  afterEach(() => t.close());
  const refusal = async (body: object) => {
    const response = await staff.call('POST', '/api/migrate/', body);
    if (response.statusCode !== 200) return response.json<{ error: string }>().error;
    return (await reportOf(t, staff, response.json<{ id: string }>().id)).error;
  };

  test('paths outside the folders and through links are rejected', async () => {
    const root = await writeImports(t, { 'a/feeds.opml': opmlOf(outline(1)) });
    await symlink('/etc', join(root, 'etc'));
    await symlink(join(root, 'a/feeds.opml'), join(root, 'a/link.opml'));
    for (const path of ['/etc/passwd', '../reelkeep.db', 'a/../../secret.key', `${root}x/feeds.opml`])
      expect(await refusal({ from: 'opml', path })).toMatch(/outside the folders/);
    for (const path of ['etc/passwd', 'a/link.opml']) expect(await refusal({ from: 'opml', path })).toMatch(/symbolic link/);
    expect(await refusal({ from: 'opml', path: 'nothing.opml' })).toMatch(/no file or folder/);
    expect(await refusal({ from: 'opml' })).toMatch(/one source/);
    expect(await refusal({ from: 'opml', upload: '../../reelkeep.db' })).toMatch(/no longer exists/);
    // A link within a folder is not followed.
    expect(countsOf(await importFromProgram(t, staff, { from: 'opml', path: 'a' }))).toEqual({ subscriptions: [1, 1, 0, 0] });
  });

  test('OPML bombs are rejected: entities, size and depth', async () => {
    const bomb = '<!DOCTYPE o [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><opml><body><outline text="&b;"/></body></opml>';
    await writeImports(t, {
      'entities.opml': bomb,
      'deep.opml': `<opml><body>${'<outline text="x">'.repeat(100_000)}${'</outline>'.repeat(100_000)}</body></opml>`,
      'large.opml': opmlOf('<!-- -->'.padEnd(17 * 1024 * 1024)),
      'broken.opml': '<opml><body>',
      'other.opml': '<html></html>',
    });
    expect(await refusal({ from: 'opml', path: 'entities.opml' })).toMatch(/DOCTYPE or entities/);
    expect(await refusal({ from: 'opml', path: 'deep.opml' })).toMatch(/nested too deeply/);
    expect(await refusal({ from: 'opml', path: 'large.opml' })).toMatch(/larger than allowed/);
    expect(await refusal({ from: 'opml', path: 'broken.opml' })).toMatch(/not valid OPML/);
    expect(await refusal({ from: 'opml', path: 'other.opml' })).toMatch(/not valid OPML/);
    expect((await contentsOf(t)).channel).toEqual([]);
  });

  test('OPML with many closed elements is no bomb', async () => {
    const feeds = Array.from({ length: 100 }, (_, n) => outline(n).replace('/>', '></outline>'));
    await writeImports(t, { 'feeds.opml': opmlOf(...feeds) });
    const report = await importFromProgram(t, staff, { from: 'opml', path: 'feeds.opml' });
    expect(countsOf(report)).toEqual({ subscriptions: [100, 100, 0, 0] });
  });

  test('a ZIP bomb is rejected, a ZIP with an export is read', async () => {
    const csv = Buffer.from(`Id,Url,Title\n${channelOf(1)},http://www.youtube.com/channel/${channelOf(1)},One\n`);
    await writeImports(t, {
      'bomb.zip': zipOf({ 'Takeout/history.json': Buffer.alloc(300 * 1024 * 1024) }),
      'good.zip': zipOf({ 'Takeout/YouTube/subscriptions.csv': csv }),
      'no.zip': 'PK nothing',
    });
    expect(await refusal({ from: 'takeout', path: 'bomb.zip' })).toMatch(/ZIP bomb/);
    expect(await refusal({ from: 'takeout', path: 'no.zip' })).toMatch(/ZIP cannot be read/);
    expect(countsOf(await importFromProgram(t, staff, { from: 'takeout', path: 'good.zip' }))).toMatchObject({
      subscriptions: [1, 1, 0, 0],
    });
  });

  test('damaged files are lines of the report, and the rest is imported', async () => {
    await writeImports(t, {
      'T/history.json': `[{"titleUrl":"https://www.youtube.com/watch?v=${videoIdOf(1)}"},{"broken": tru},`,
      'T/other.json': '{"not": "a list"}',
      'T/subs.csv': `a,b,c\n${channelOf(1)},http://www.youtube.com/channel/${channelOf(1)},"open quote\n`,
      'T/latin.csv': Buffer.from([0x61, 0xe4, 0x2c, 0x62]),
    });
    const report = await importFromProgram(t, staff, { from: 'takeout', path: 'T' });
    expect(report.status).toBe('done');
    expect(countsOf(report)).toMatchObject({ subscriptions: [1, 1, 0, 0], watched: [1, 0, 0, 1] });
    expect(problemsOf(report).join('\n')).toMatch(/latin\.csv: .*UTF-8/);
    expect(problemsOf(report).join('\n')).toMatch(/history\.json: .*ends too early/);
    expect(problemsOf(report).join('\n')).toMatch(/other\.json: .*no array/);
  });

  test('an uploaded file is imported', async () => {
    const body = Buffer.from(opmlOf(outline(7)));
    const headers = { ...staff.headers, 'content-type': 'application/octet-stream' };
    const put = (name: string) =>
      t.server.inject({ method: 'PUT', url: `/api/migrate/upload/${encodeURIComponent(name)}/`, headers, payload: body });
    const { upload } = (await put('my feeds.opml')).json<{ upload: string }>();
    const report = await importFromProgram(t, staff, { from: 'opml', upload });
    expect(report).toMatchObject({ source: 'my feeds.opml', status: 'done' });
    expect(countsOf(report)).toEqual({ subscriptions: [1, 1, 0, 0] });
    expect((await put('../x.opml')).statusCode).toBe(400);
    expect((await put('.hidden')).statusCode).toBe(400);
  });
});
