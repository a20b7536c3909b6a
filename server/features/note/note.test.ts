import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import yauzl from 'yauzl';
import type { Note } from '#contract/note.ts';
import { createChannel, createUser, createVideo, engines, testApp, type TestApp } from '../../test-support/app.ts';
import { indexPending } from '../search/index/index-pending.ts';
import { fileName } from './markdown.ts';

/** Reads the text files of a ZIP. */
async function readZip(bytes: Buffer): Promise<Record<string, string>> {
  const zip = await yauzl.fromBufferPromise(bytes);
  const files: Record<string, string> = {};
  for await (const entry of zip.eachEntry()) {
    const parts = [];
    for await (const part of await zip.openReadStreamPromise(entry)) parts.push(part as Buffer);
    files[entry.fileName] = Buffer.concat(parts).toString();
  }
  return files;
}

describe.each(engines)('notes on $engine', (on) => {
  let t: TestApp;
  let anna: Awaited<ReturnType<typeof createUser>>;
  let ben: Awaited<ReturnType<typeof createUser>>;
  let video: string;
  beforeEach(async () => {
    t = await testApp({ on });
    [anna, ben] = [await createUser(t), await createUser(t, { isStaff: true })];
    const channelId = await createChannel(t.app.db, { name: 'Bakers' });
    video = await createVideo(t.app.db, {
      channelId,
      title: 'Rye: how? [1/2]',
      durationSeconds: 750,
      url: 'https://www.youtube.com/watch?v=x',
    });
  });
  afterEach(() => t.close());

  const add = async (note: object, user = anna): Promise<Note> => {
    const response = await user.call('POST', '/api/note/', { video, ...note });
    expect(response.statusCode, response.body).toBe(200);
    return response.json();
  };
  const list = async (parameters = '', user = anna): Promise<Note[]> =>
    (await user.call('GET', `/api/note/${parameters}`)).json().data;
  const refusal = async (note: object) => {
    const response = await anna.call('POST', '/api/note/', { video, ...note });
    return [response.statusCode, response.json().error];
  };

  test('belong to their writer alone, also towards staff', async () => {
    const note = await add({ start: 12.5, text: 'Knead **well**' });
    expect(note).toMatchObject({ kind: 'note', start: 12.5, end: null, video_title: 'Rye: how? [1/2]', channel_name: 'Bakers' });
    expect(await list('', ben)).toEqual([]);
    for (const [method, body] of [
      ['PATCH', { revision: 1, text: 'x' }],
      ['DELETE', undefined],
    ] as const) {
      const response = await ben.call(method, `/api/note/${note.id}/`, body);
      expect([response.statusCode, response.json().error]).toEqual([404, 'note not found']);
    }
    expect(await list()).toEqual([note]);
    expect((await anna.call('DELETE', `/api/note/${note.id}/`)).statusCode).toBe(204);
    expect(await list()).toEqual([]);
  });

  test('are listed by time for a video, else newest first', async () => {
    const late = await add({ start: 100, text: 'late' });
    const early = await add({ start: 5, end: 9, kind: 'bookmark' });
    const other = await add({ video: await createVideo(t.app.db), text: 'about the whole' });
    expect((await list(`?video=${video}`)).map(({ id }) => id)).toEqual([early.id, late.id]);
    expect((await list()).map(({ id }) => id)).toEqual([other.id, early.id, late.id]);
    expect((await list('?kind=bookmark')).map(({ id }) => id)).toEqual([early.id]);
  });

  test('survive their video, and are still found', async () => {
    const note = await add({ text: 'Sourdough of Grandmother', start: 3 });
    await t.app.db.deleteFrom('video').where('id', '=', video).execute();
    await indexPending(t.app.db);
    expect(await list()).toEqual([{ ...note, is_archived: false }]);
    expect((await list('?query=sourdough%20grandm')).map(({ id }) => id)).toEqual([note.id]);
    expect((await list('?query=bakers')).map(({ id }) => id)).toEqual([note.id]);
    expect(await list('?query=sourdough%20-grandmother')).toEqual([]);
    expect(await list('?query=sourdough', ben)).toEqual([]);
  });

  test('a change made elsewhere is not overwritten', async () => {
    const { id } = await add({ text: 'one', start: 1 });
    const changed = await anna.call('PATCH', `/api/note/${id}/`, { revision: 1, text: 'two', end: 4 });
    expect(changed.json()).toMatchObject({ text: 'two', start: 1, end: 4, revision: 2 });
    const late = await anna.call('PATCH', `/api/note/${id}/`, { revision: 1, text: 'three' });
    expect([late.statusCode, late.json().error, late.json().note.text]).toEqual([409, 'This note was changed elsewhere.', 'two']);
    expect((await list())[0]).toMatchObject({ text: 'two' });
  });

  test('bad input is refused', async () => {
    expect(await refusal({ text: 'x', start: 5, end: 4 })).toEqual([400, 'The end is before the start.']);
    expect(await refusal({ text: 'x', end: 4 })).toEqual([400, 'The end is before the start.']);
    expect(await refusal({ text: 'x', start: 760 })).toEqual([400, 'The video is 12:30 long.']);
    expect(await refusal({ text: 'x', start: 750.4 })).not.toContain(400);
    expect(await refusal({ text: 'x'.repeat(10_001) })).toEqual([400, 'A note can have 10,000 characters.']);
    expect(await refusal({ text: ' ' })).toEqual([400, 'A note needs a text.']);
    expect(await refusal({ text: 'x', video: 'unknown' })).toEqual([404, 'video not found']);
    const { id } = await add({ text: 'x', start: 5, end: 10 });
    for (const [change, text] of [
      [{ start: 11 }, 'The end is before the start.'],
      [{ start: 8, end: 7 }, 'The end is before the start.'],
      [{ end: 760 }, 'The video is 12:30 long.'],
      [{ text: '' }, 'A note needs a text.'],
    ] as const) {
      const response = await anna.call('PATCH', `/api/note/${id}/`, { revision: 1, ...change });
      expect([response.statusCode, response.json().error]).toEqual([400, text]);
    }
  });

  test('are moments of the search for their writer only', async () => {
    const { id } = await add({ text: 'proving basket', start: 30, end: 40 });
    await add({ text: 'proving basket of Ben' }, ben);
    await indexPending(t.app.db);
    const { videos, counts } = (await anna.call('GET', '/api/search/moments/?query=proving')).json();
    expect(videos[0].moments).toMatchObject([{ kind: 'note', note_id: id, text: 'proving basket', start: 30, end: 40 }]);
    expect(counts).toEqual({ note: 1 });
    expect((await anna.call('GET', '/api/search/moments/?query=ben&in=note')).json().videos).toEqual([]);
  });

  test('need their own scope', async () => {
    await add({ text: 'secret ingredient' });
    await indexPending(t.app.db);
    const tokenWith = async (...scopes: string[]) => {
      const response = await anna.call('POST', '/api/user/tokens/', { name: scopes.join(), scopes });
      return response.json().token as string;
    };
    const call = (token: string, url: string) =>
      t.server.inject({ method: 'GET', url, headers: { authorization: `Token ${token}` } });
    const everything = await tokenWith('staff');
    const refused = await call(everything, '/api/note/');
    expect([refused.statusCode, refused.json().detail]).toEqual([
      403,
      'This token lacks the scope “notes”. Create one with it in Settings → Apps and API tokens.',
    ]);
    expect((await call(everything, '/api/search/moments/?query=secret')).json().counts).toEqual({});
    const withNotes = await tokenWith('read', 'notes');
    expect((await call(withNotes, '/api/note/')).json().data).toHaveLength(1);
    expect((await call(withNotes, '/api/search/moments/?query=secret')).json().counts).toEqual({ note: 1 });
  });

  test('have private tags, which filter them and go with them', async () => {
    const tagged = await add({ text: 'one', tags: ['Recipe', 'to  try', 'recipe'] });
    expect(tagged.tags).toEqual(['Recipe', 'to try']);
    const other = await add({ text: 'two' });
    expect((await list('?tag=RECIPE')).map(({ id }) => id)).toEqual([tagged.id]);
    expect(await list('?tag=unknown')).toEqual([]);
    await add({ text: 'of Ben', tags: ['recipe'] }, ben);
    const change = (body: object) => anna.call('PATCH', `/api/note/${other.id}/`, { revision: 1, ...body });
    expect((await change({ tags: ['recipe'] })).json()).toMatchObject({ text: 'two', tags: ['Recipe'], revision: 2 });
    expect((await list('?tag=recipe')).map(({ id }) => id)).toEqual([other.id, tagged.id]);
    const notes = async () =>
      ((await anna.call('GET', '/api/tag/')).json() as { name: string; notes: number }[]).map((tag) => [tag.name, tag.notes]);
    expect(await notes()).toEqual([
      ['Recipe', 2],
      ['to try', 1],
    ]);
    await anna.call('DELETE', `/api/note/${tagged.id}/`);
    expect(await notes()).toEqual([
      ['Recipe', 1],
      ['to try', 0],
    ]);
  });

  test('never suggest their words to others', async () => {
    await add({ text: 'Kardamomschnecken', start: 1 });
    await createVideo(t.app.db, { description: 'Sauerteig' });
    await indexPending(t.app.db);
    const search = async (query: string, user = anna) => (await user.call('GET', `/api/search/moments/?query=${query}`)).json();
    expect(await search('kardamomschneken')).toMatchObject({
      counts: { note: 1 },
      corrections: [{ word: 'kardamomschneken', instead: 'kardamomschnecken' }],
    });
    expect(await search('kardamomschnecken')).toMatchObject({ counts: { note: 1 }, corrections: [] });
    expect((await list('?query=kardamomschneken')).map(({ text }) => text)).toEqual(['Kardamomschnecken']);
    expect(await search('kardamomschneken', ben)).toMatchObject({ counts: {}, corrections: [] });
    expect(await search('saurteig', ben)).toMatchObject({ corrections: [{ instead: 'sauerteig' }] });
    const words = () => t.app.db.selectFrom('searchWord').select('space').where('word', '=', 'kardamomschnecken').execute();
    expect(await words()).toHaveLength(1);
    await t.app.db.deleteFrom('account').where('name', '=', anna.name).execute();
    expect(await words()).toEqual([]);
  });

  test('are exported as Markdown, the same bytes each time, and as JSON', async () => {
    await add({ text: 'First line\nsecond', start: 5.25, tags: ['to try', 'Bread'] });
    await anna.call('PUT', '/api/tag/kitchen/', { add: { video: [video] } });
    await add({ kind: 'bookmark', start: 60, end: 75.5 });
    await add({ kind: 'highlight', start: 100, end: 104, quote: 'rye is\nbest', quote_lang: 'en', text: 'true' });
    const old = await createVideo(t.app.db, { title: 'Old' });
    await add({ video: old, text: 'gone' });
    await t.app.db.deleteFrom('video').where('id', '=', old).execute();
    await add({ text: 'of Ben' }, ben);
    const exported = (parameters = '') => anna.call('GET', `/api/note/export/${parameters}`);
    const response = await exported();
    expect(response.headers['content-type']).toBe('application/zip');
    const files = await readZip(response.rawPayload);
    expect(Object.keys(files).toSorted()).toEqual([`Old (${old}).md`, `Rye how 1 2 (${video}).md`]);
    const [first, second, third] = (await list(`?video=${video}`)).map(({ id }) => id);
    const day = new Date(
      ((await t.app.db.selectFrom('video').select('publishedAt').executeTakeFirst())?.publishedAt ?? 0) * 1000,
    );
    const origin = /^source: "(.*)\/video\//m.exec(files[`Rye how 1 2 (${video}).md`]!)![1];
    expect(files[`Rye how 1 2 (${video}).md`]).toBe(`---
title: "Rye: how? [1/2]"
channel: "Bakers"
url: "https://www.youtube.com/watch?v=x"
published: ${day.toISOString().slice(0, 10)}
duration: "12:30"
tags: ["Bread","kitchen","to-try"]
source: "${origin}/video/${video}"
---

- [0:05](${origin}/video/${video}?t=5#t=5.25) First line
  second ^rk-${first}
- [1:00–1:15](${origin}/video/${video}?t=60#t=60,75.5) 🔖 ^rk-${second}
> [!quote] [1:40–1:44](${origin}/video/${video}?t=100#t=100,104)
> rye is
> best
>
> true

^rk-${third}
`);
    const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
    expect(hash((await exported()).rawPayload)).toBe(hash(response.rawPayload));
    const json = (await exported('?format=json')).json() as Note[];
    expect(json).toHaveLength(4);
    // They may have been written in two seconds.
    const last = Math.max(...json.map(({ updated }) => updated));
    expect((await exported(`?format=json&since=${last + 1}`)).json()).toEqual([]);
  });
});

test.each([
  ['a/b\\c:d*e?f"g<h>i|j#k^l[m]', 'a b c d e f g h i j k l m (id).md'],
  ['...hidden', 'hidden (id).md'],
  ['  ', '(id).md'],
  ['ü'.repeat(300), `${'ü'.repeat(96)} (id).md`],
])('names the file of %s', (videoTitle, name) => {
  const file = fileName({ videoTitle, videoId: 'id' });
  expect(file.trim()).toBe(name);
  expect(Buffer.byteLength(file)).toBeLessThanOrEqual(200);
});
