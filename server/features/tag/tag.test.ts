import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FoundVideo } from '#contract/search.ts';
import type { Tag } from '#contract/tag.ts';
import { createChannel, createUser, createVideo, engines, testApp, type TestApp } from '../../test-support/app.ts';
import { createAppWithTrash, id as trashed } from '../../test-support/trash.ts';
import { indexPending } from '../search/index/index-pending.ts';

type User = Awaited<ReturnType<typeof createUser>>;

const listTags = async (user: User, parameters = ''): Promise<Tag[]> => (await user.call('GET', `/api/tag/${parameters}`)).json();
const countsOf = (tags: Tag[]) => Object.fromEntries(tags.map((tag) => [tag.name, [tag.videos, tag.channels, tag.notes]]));

describe.each(engines)('private tags on $engine', (on) => {
  let t: TestApp;
  let anna: User;
  let ben: User;
  let channel: string;
  let video: string;
  beforeEach(async () => {
    t = await testApp({ on });
    [anna, ben] = [await createUser(t), await createUser(t, { isStaff: true })];
    channel = await createChannel(t.app.db, { name: 'Bakers' });
    video = await createVideo(t.app.db, { channelId: channel, title: 'Rye bread', tags: '["baking"]', publishedAt: 1 });
  });
  afterEach(() => t.close());

  const put = async (name: string, body: object = {}, user = anna) => {
    const response = await user.call('PUT', `/api/tag/${encodeURIComponent(name)}/`, body);
    return { status: response.statusCode, body: response.json() };
  };
  const addNote = async (user = anna) => (await user.call('POST', '/api/note/', { video, text: 'Knead' })).json().id as number;
  const search = async (query: string, user = anna) =>
    (await user.call('GET', `/api/search/moments/?${query}`)).json() as {
      videos: FoundVideo[];
      counts: Record<string, number>;
      corrections: unknown[];
    };
  const found = async (query: string, user = anna) => (await search(query, user)).videos.map((one) => one.youtube_id).toSorted();

  test('are added, removed, renamed and deleted', async () => {
    const note = await addNote();
    expect(await put(' To  try ', { add: { video: [video], channel: [channel], note: [note] } })).toEqual({
      status: 200,
      body: { name: 'To try', videos: 1, channels: 1, notes: 1, added: { video: [video], channel: [channel], note: [note] } },
    });
    expect((await put('to TRY', { add: { video: [video] } })).body).toMatchObject({ name: 'To try', added: { video: [] } });
    expect((await put('Later')).body).toMatchObject({ name: 'Later', videos: 0 });
    expect(countsOf(await listTags(anna))).toEqual({ Later: [0, 0, 0], 'To try': [1, 1, 1] });
    expect((await put('later', { name: 'to try' })).body.error).toBe('You already have a tag “To try”.');
    expect((await put('TO TRY', { name: 'TO TRY', remove: { video: [video] } })).body).toMatchObject({
      name: 'TO TRY',
      videos: 0,
    });
    expect((await anna.call('DELETE', '/api/tag/later/')).statusCode).toBe(204);
    expect(countsOf(await listTags(anna))).toEqual({ 'TO TRY': [0, 1, 1] });
    expect(await listTags(anna, `?video=${video}`)).toEqual([]);
    expect((await listTags(anna, `?channel=${channel}`)).map(({ name }) => name)).toEqual(['TO TRY']);
  });

  test('belong to one user alone, also towards staff', async () => {
    await put('Secret', { add: { video: [video], note: [await addNote()] } });
    expect(await listTags(ben)).toEqual([]);
    expect(await listTags(ben, `?video=${video}`)).toEqual([]);
    expect((await ben.call('DELETE', '/api/tag/secret/')).json().error).toBe('tag not found');
    expect((await put('secret', { name: 'Mine' }, ben)).status).toBe(404);
    expect((await put('Mine', { add: { note: [await addNote()] } }, ben)).body.error).toBe('note not found');
    expect(await listTags(ben)).toEqual([]);
    expect((await put('secret', {}, ben)).body).toMatchObject({ name: 'secret', videos: 0 });
    expect(countsOf(await listTags(anna))).toEqual({ Secret: [1, 0, 1] });
  });

  test('bad input is refused', async () => {
    const refusal = async (name: string, body: object = {}) => {
      const { status, body: answer } = await put(name, body);
      return [status, answer.error];
    };
    for (const [name, why] of [
      ['x'.repeat(51), 'A tag can have 50 characters.'],
      [' ', 'A tag needs a name.'],
      ['..', 'A tag needs more than dots.'],
      ['a"b', 'A tag cannot contain quotation marks (") or control characters.'],
    ] as const)
      expect(await refusal('x', { name })).toEqual([400, why]);
    expect(await refusal('x'.repeat(51))).toEqual([404, 'path not found']);
    expect(await refusal('x', { name: 'y' })).toEqual([404, 'tag not found']);
    expect(await refusal('x', { add: { video: ['unknown'] } })).toEqual([404, 'video not found']);
    expect(await refusal('x', { add: { channel: ['unknown'] } })).toEqual([404, 'channel not found']);
    expect(await refusal('x', { remove: { video: [video] } })).toEqual([404, 'tag not found']);
    expect(await listTags(anna)).toEqual([]);
    for (const name of ['a/b?c#d', '🍞'.repeat(25), '文'.repeat(50), '100 % ☕']) expect((await put(name)).status).toBe(200);
    for (let number = 4; number < 500; number++)
      await t.app.db
        .insertInto('personTag')
        .values({ accountId: anna.id, name: `t${number}`, key: `t${number}` })
        .execute();
    expect(await refusal('one more')).toEqual([400, 'You have the maximum of 500 tags. Delete some first.']);
  });

  test('are found next to the tags of the site, those of a channel on all of its videos', async () => {
    const second = await createVideo(t.app.db, { channelId: channel, title: 'Spelt', publishedAt: 2 });
    const third = await createVideo(t.app.db, { title: 'Elsewhere', tags: '["holiday"]', publishedAt: 3 });
    await put('Summer holiday', { add: { channel: [channel] } });
    await put('Favourite loaf', { add: { video: [video, third] } });
    await indexPending(t.app.db);
    expect(await found('query=loaf')).toEqual([video, third].toSorted());
    expect(await found('query=tag:"favourite loaf"')).toEqual([video, third].toSorted());
    expect(await found('query=spelt tag:"summer holiday"')).toEqual([second]);
    expect(await found('tag=holiday')).toEqual([third]);
    const { videos, counts } = await search('query=holiday&in=tag');
    expect(counts).toEqual({ tag: 3 });
    expect(videos.map((one) => one.youtube_id).toSorted()).toEqual([video, second, third].toSorted());
    const moment = videos.find((one) => one.youtube_id === second)!.moments[0];
    expect(moment).toMatchObject({ kind: 'tag', text: 'Summer holiday', ranges: [[7, 14]] });
    expect(await found('query=holiday -rye&in=tag')).toEqual([second, third].toSorted());
    expect(await found('query=summer channel:bakers')).toEqual([video, second].toSorted());
    expect(await found('query=loaf is:watched')).toEqual([]);
  });

  test('of others are in no result, count or correction', async () => {
    await put('Zwetschgenkuchen', { add: { video: [video], channel: [channel] } });
    await indexPending(t.app.db);
    expect(await search('query=zwetschgenkuchen')).toMatchObject({ counts: { tag: 1 }, corrections: [] });
    for (const query of [
      'zwetschgenkuchen',
      'zwetschgenkuche',
      'zwetschenkuchen',
      'tag:zwetschgenkuchen',
      'tag:zwetschgenkuchen rye',
    ])
      expect(await search(`query=${query}`, ben)).toMatchObject({ videos: [], counts: {}, corrections: [] });
    await put('zwetschgenkuchen', {}, ben);
    expect(await search('query=tag:zwetschgenkuchen', ben)).toMatchObject({ videos: [] });
  });

  test('need the scope of notes', async () => {
    await put('Secret', { add: { video: [video] } });
    await indexPending(t.app.db);
    const callWith = async (...scopes: string[]) => {
      const { token } = (await anna.call('POST', '/api/user/tokens/', { name: scopes.join(), scopes })).json();
      return (url: string) => t.server.inject({ method: 'GET', url, headers: { authorization: `Token ${token}` } });
    };
    const everything = await callWith('staff');
    expect((await everything('/api/tag/')).statusCode).toBe(403);
    expect((await everything('/api/search/moments/?query=secret')).json()).toMatchObject({ videos: [], counts: {} });
    expect((await everything('/api/search/moments/?query=tag:secret')).json().videos).toEqual([]);
    const withNotes = await callWith('read', 'notes');
    expect((await withNotes('/api/tag/')).json()).toHaveLength(1);
    expect((await withNotes('/api/search/moments/?query=tag:secret')).json().videos).toHaveLength(1);
  });

  test('are added to all videos of a filter', async () => {
    const second = await createVideo(t.app.db, { channelId: channel });
    await createVideo(t.app.db);
    await put('Bread', { add: { video: [video] } });
    const response = await anna.call('POST', `/api/video/bulk/tag/?channel=${channel}`, { tag: 'bread' });
    expect(response.json()).toEqual({ videos: 1 });
    expect(countsOf(await listTags(anna))).toEqual({ Bread: [2, 0, 0] });
    expect(await listTags(anna, `?video=${second}`)).toHaveLength(1);
  });

  test('go with the account', async () => {
    await put('Mine', { add: { video: [video] } });
    await t.app.db.deleteFrom('account').where('id', '=', anna.id).execute();
    expect(await t.app.db.selectFrom('personTagTarget').selectAll().execute()).toEqual([]);
  });
});

describe.each(engines)('private tags in the trash, on $engine', (on) => {
  let app: Awaited<ReturnType<typeof createAppWithTrash>>;
  beforeEach(async () => {
    app = await createAppWithTrash(on);
    await app.createFullVideo();
    await app.other.call('PUT', '/api/tag/Mine/', { add: { video: [trashed], channel: [app.channelId] } });
  });
  afterEach(() => app.t.close());
  const counts = async () => countsOf(await listTags(app.other as User));
  const tagged = () => app.db.selectFrom('personTagTarget').select(['kind', 'id']).orderBy('kind').execute();

  test('come back with a restored video', async () => {
    await app.remove();
    expect(await counts()).toEqual({ Mine: [0, 1, 0] });
    await app.act('restore', trashed);
    expect(await counts()).toEqual({ Mine: [1, 1, 0] });
  });

  test('go with a permanently deleted video and channel, except from its notes', async () => {
    await app.other.call('POST', '/api/note/', { video: trashed, text: 'kept', tags: ['Mine'] });
    await app.staff.call('DELETE', `/api/channel/${app.channelId}/`);
    expect(await counts()).toEqual({ Mine: [0, 0, 1] });
    expect(await tagged()).toHaveLength(3);
    await app.act('delete', trashed);
    expect((await tagged()).map(({ kind }) => kind)).toEqual(['note']);
    expect(await counts()).toEqual({ Mine: [0, 0, 1] });
  });

  test('stay on a video that was downloaded again meanwhile', async () => {
    await app.remove();
    const [entry] = await app.db.selectFrom('trash').select('number').execute();
    await createVideo(app.db, { id: trashed, channelId: app.channelId });
    await app.act('delete', entry!.number);
    expect(await counts()).toEqual({ Mine: [1, 1, 0] });
  });
});
