import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { noteOfGanymede, readGanymede } from './import-ganymede.ts';
import { walk, type Group } from './import-groups.ts';
import { entriesOfMetube } from './import-metube.ts';
import { placeBelow } from './import-note.ts';
import { noteFor, readNotes } from './import-notes.ts';
import { withoutDay } from './import-ytdl-sub.ts';

describe('a folder of other programs', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reelkeep-notes-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const put = async (name: string, text = '') => {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  };
  async function read(states: string[]) {
    const lines: string[] = [];
    const { signal } = new AbortController();
    const skip = (what: string, why: unknown) => void lines.push(`${what}: ${why instanceof Error ? why.message : String(why)}`);
    return { notes: await readNotes(states, { folder, signal, skip, isDry: true }), lines };
  }
  async function found() {
    const groups: Group[] = [];
    const states: string[] = [];
    const others: string[] = [];
    for await (const one of walk(folder))
      if ('group' in one) groups.push(one.group);
      else if ('state' in one) states.push(one.state);
      else others.push(`${one.path}: ${one.why}`);
    return { groups, states, others };
  }

  test('has their notes wherever they are, and nothing else that is hidden', async () => {
    await put('a/.metube/completed.json');
    await put('a/b/.ytdl-sub-A show-download-archive.json');
    await put('.ytdl-sub-archive.json');
    await put('c/.metube');
    await symlink('/etc', join(folder, 'c/.ytdl-sub-x-download-archive.json'));
    expect((await found()).states).toEqual(['a/.metube', 'a/b/.ytdl-sub-A show-download-archive.json']);
  });

  test('of Ganymede has videos, each with its info file and picture; a chat drawn as a film is none', async () => {
    const names = ['video.mp4', 'info.json', 'thumbnail.jpg', 'chat.json', 'live-chat.json', 'chat.mp4'];
    for (const name of names) await put(`-x 🎮-${name}`);
    await put('my-chat.mp4');
    await put('other-info.json');
    const { groups, others } = await found();
    expect(groups.map(({ media, ganymede, info, pictures }) => ({ media, ganymede, info, pictures }))).toEqual([
      { media: '-x 🎮-video.mp4', ganymede: '-x 🎮-info.json', info: null, pictures: ['-x 🎮-thumbnail.jpg'] },
      { media: 'my-chat.mp4', ganymede: null, info: null, pictures: [] },
    ]);
    expect(others).toEqual([
      '-x 🎮-chat.json: Nothing like it is brought in.',
      '-x 🎮-chat.mp4: Nothing like it is brought in.',
      '-x 🎮-live-chat.json: Nothing like it is brought in.',
      'other-info.json: It is no video, and belongs to none that is here.',
    ]);
  });

  const list = '.ytdl-sub-x-download-archive.json';
  test('may note very much', async () => {
    const entries = Array.from({ length: 100_000 }, (_, place) => {
      const id = `v${String(place).padStart(10, '0')}`;
      return [id, { upload_date: '2021-02-03', extractor: 'youtube', file_names: [`${id}.mp4`, `${id}.nfo`] }];
    });
    await put(list, JSON.stringify(Object.fromEntries(entries)));
    const { notes, lines } = await read([list]);
    expect([notes.size, lines]).toEqual([100_000, []]);
    expect(noteFor(notes, 'v0000099999.mp4')).toMatchObject({ id: 'v0000099999', said: { upload_date: '20210203' } });
  });

  test('but not what would fill the memory, and links are not followed', async () => {
    await put(list);
    await truncate(join(folder, list), 65 * 1024 * 1024);
    await put('.metube/queue.json', '{}');
    await symlink('/etc/passwd', join(folder, '.metube/completed.json'));
    const { notes, lines } = await read([list, '.metube']);
    expect([...notes]).toEqual([]);
    expect(lines).toEqual([
      `${list}: ${list} is too large to be what it seems.`,
      '.metube/completed.json: It is only a link. Put the file itself here.',
    ]);
  });

  test('is known by its names however their letters are composed', async () => {
    const entry = { extractor: 'youtube', file_names: ['Caf\u00e9.mp4'] };
    await put(list, JSON.stringify({ '-_-_-_-_-_-': entry }));
    expect(noteFor((await read([list])).notes, 'Cafe\u0301.mp4')?.id).toBe('-_-_-_-_-_-');
  });
});

test.each([
  ['a/b.mp4', 'a/b.mp4'],
  ['a/../b.mp4', 'b.mp4'],
  ['..b.mp4', '..b.mp4'],
  ['../b.mp4', null],
  ['a/../../b.mp4', null],
  ['/b.mp4', null],
  ['..', null],
  ['a\0.mp4', null],
])('a note of %j is of the file %j', (name, place) => expect(placeBelow(name)).toBe(place));

test.each([
  ['s2021.e031701 - 2021-03-17 - A title', 'A title'],
  ['2021-03-17 - 2020-01-01 - New year', '2020-01-01 - New year'],
  ['2021-03-17 - ', '2021-03-17 - '],
  ['2021-03-17 A title', '2021-03-17 A title'],
])('%j is called %j', (name, title) => expect(withoutDay(name)).toBe(title));

const item = { url: 'https://youtu.be/-d_sh_Vide1', filename: 'a.mp4', title: 'A' };
test.each<[string, unknown]>([
  ['a list', { items: [item] }],
  ['nothing but a list', [item]],
  ['a table', { items: { key: item } }],
  ['a table by address', { items: { [item.url]: { filename: 'a.mp4', title: 'A' } } }],
  ['something around each', { items: [{ key: item.url, value: item }] }],
  ['pairs', { items: [[item.url, item]] }],
  ['an address around each', { items: [{ url: item.url, info: { filename: 'a.mp4', title: 'A' } }] }],
])('MeTube’s items are found in %s', (_, json) => {
  expect([...entriesOfMetube(json)]).toMatchObject([{ names: ['a.mp4'], note: { id: '-d_sh_Vide1', said: { title: 'A' } } }]);
});

test.each<[string, unknown, object]>([
  ['as Twitch tells of videos', { id: '2049876543', user_name: 'Ann_B', title: 'T', type: 'archive', duration: '1h2m3s' }, { id: '2049876543', login: 'ann_b', seconds: 3723 }],
  ['with numbers', { id: 2049876543, title: 'T', duration: 3600.5, created_at: 1_700_000_000 }, { seconds: 3600.5, at: 1_700_000_000 }],
  ['one level down', { video: { id: '2049876543', title: 'T' }, channel: { name: 'ann', display_name: 'Ann' } }, { title: 'T', name: 'Ann', login: 'ann' }],
  ['with an address', { id: 'b7a6', title: 'T', url: 'https://www.twitch.tv/videos/2049876543' }, { id: '2049876543', type: 'archive' }],
  ['with times that are none', { title: 'T', published_at: '0001-01-01T00:00:00Z', created_at: '2024-01-31T18:30:00Z' }, { at: 1_706_725_800, id: null }],
  ['with names of another language', { title: 'T', user_name: '안녕' }, { name: '안녕', login: null }],
  ['that is a list', [{ title: 'T' }], { title: null }],
  ['with nothing of use', { title: 7, id: {}, duration: 'long', channel: 12 }, { id: null, title: null, seconds: null, name: null }],
])('an info file of Ganymede %s', (_, json, told) => expect(readGanymede(json)).toMatchObject(told)); // prettier-ignore

test.each([
  ['ann/2024-01-31-2049876543-archive', 'TwitchVod', 'v2049876543', 'https://www.twitch.tv/videos/2049876543'],
  ['ann/2024-01-31-2049876543-live', 'TwitchStream', '2049876543', ''],
])('a folder of Ganymede, %s, names the video', (name, extractor, id, url) => {
  const folder = `${name}-0b3fa5c8-6d1e-4a57-9e0c-1f2d3c4b5a69`;
  const note = noteOfGanymede({ path: `${folder}/a-video.mp4`, folder: `/import/${folder}` }, null);
  expect(note).toMatchObject({ extractor, id, url, said: { upload_date: '20240131', uploader_id: 'ann' }, isWhole: false });
  expect(noteOfGanymede({ path: `${name}/a-video.mp4`, folder: `/import/${name}` }, null)).toBeNull();
});
