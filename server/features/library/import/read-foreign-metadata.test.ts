import { message, type Message } from '#contract/messages.ts';
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { messagesOf } from '../../../platform/messages/message-error.ts';
import { renderMessages } from '../../../platform/messages/render.ts';
import { ganymedeMetadata, readGanymede } from './ganymede.ts';
import { walkGroups, type FileGroup } from './group-files.ts';
import { entriesOfMetube } from './metube.ts';
import { relativeFolder } from './foreign-metadata.ts';
import { metadataFor, readForeignMetadata } from './read-foreign-metadata.ts';
import { withoutDate } from './ytdl-sub.ts';

describe('folders of other programs', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reelkeep-notes-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const createFile = async (name: string, text = '') => {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  };
  async function read(states: string[]) {
    const lines: string[] = [];
    const { signal } = new AbortController();
    const skip = (what: string, why: Message | Message[] | Error) =>
      void lines.push(`${what}: ${renderMessages(why instanceof Error ? messagesOf(why) : why)}`);
    return { notes: await readForeignMetadata(states, { folder, signal, skip, isDry: true }), lines };
  }
  async function readGroups() {
    const groups: FileGroup[] = [];
    const states: string[] = [];
    const others: string[] = [];
    for await (const item of walkGroups(folder))
      if ('group' in item) groups.push(item.group);
      else if ('state' in item) states.push(item.state);
      else others.push(`${item.path}: ${item.why.id}`);
    return { groups, states, others };
  }

  test('finds their metadata everywhere, and no other hidden files', async () => {
    await createFile('a/.metube/completed.json');
    await createFile('a/b/.ytdl-sub-A show-download-archive.json');
    await createFile('.ytdl-sub-archive.json');
    await createFile('c/.metube');
    await symlink('/etc', join(folder, 'c/.ytdl-sub-x-download-archive.json'));
    expect((await readGroups()).states).toEqual(['a/.metube', 'a/b/.ytdl-sub-A show-download-archive.json']);
  });

  test('Ganymede: finds videos with info file and image, and no rendered chat', async () => {
    const names = ['video.mp4', 'info.json', 'thumbnail.jpg', 'chat.json', 'live-chat.json', 'chat.mp4'];
    for (const name of names) await createFile(`-x 🎮-${name}`);
    await createFile('my-chat.mp4');
    await createFile('other-info.json');
    const { groups, others } = await readGroups();
    expect(groups.map(({ media, ganymede, info, pictures }) => ({ media, ganymede, info, pictures }))).toEqual([
      { media: '-x 🎮-video.mp4', ganymede: '-x 🎮-info.json', info: null, pictures: ['-x 🎮-thumbnail.jpg'] },
      { media: 'my-chat.mp4', ganymede: null, info: null, pictures: [] },
    ]);
    expect(others).toEqual([
      '-x 🎮-chat.json: import.unsupported-type',
      '-x 🎮-chat.mp4: import.unsupported-type',
      '-x 🎮-live-chat.json: import.unsupported-type',
      'other-info.json: import.unrelated',
    ]);
  });

  const list = '.ytdl-sub-x-download-archive.json';
  test('accepts large metadata files', async () => {
    const entries = Array.from({ length: 100_000 }, (_, place) => {
      const id = `v${String(place).padStart(10, '0')}`;
      return [id, { upload_date: '2021-02-03', extractor: 'youtube', file_names: [`${id}.mp4`, `${id}.nfo`] }];
    });
    await createFile(list, JSON.stringify(Object.fromEntries(entries)));
    const { notes, lines } = await read([list]);
    expect([notes.size, lines]).toEqual([100_000, []]);
    expect(metadataFor(notes, 'v0000099999.mp4')).toMatchObject({ id: 'v0000099999', fields: { upload_date: '20210203' } });
  });

  test('rejects files that would exhaust memory, and follows no links', async () => {
    await createFile(list);
    await truncate(join(folder, list), 65 * 1024 * 1024);
    await createFile('.metube/queue.json', '{}');
    await symlink('/etc/passwd', join(folder, '.metube/completed.json'));
    const { notes, lines } = await read([list, '.metube']);
    expect([...notes]).toEqual([]);
    expect(lines).toEqual([
      `${list}: ${renderMessages(message('import.too-large', { file: list }))}`,
      `.metube/completed.json: ${renderMessages(message('import.link'))}`,
    ]);
  });

  test('matches names in any Unicode normal form', async () => {
    const entry = { extractor: 'youtube', file_names: ['Caf\u00e9.mp4'] };
    await createFile(list, JSON.stringify({ '-_-_-_-_-_-': entry }));
    expect(metadataFor((await read([list])).notes, 'Cafe\u0301.mp4')?.id).toBe('-_-_-_-_-_-');
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
])('the entry %j belongs to the file %j', (name, place) => expect(relativeFolder(name)).toBe(place));

test.each([
  ['s2021.e031701 - 2021-03-17 - A title', 'A title'],
  ['2021-03-17 - 2020-01-01 - New year', '2020-01-01 - New year'],
  ['2021-03-17 - ', '2021-03-17 - '],
  ['2021-03-17 A title', '2021-03-17 A title'],
])('%j is named %j', (name, title) => expect(withoutDate(name)).toBe(title));

const item = { url: 'https://youtu.be/-d_sh_Vide1', filename: 'a.mp4', title: 'A' };
test.each<[string, unknown]>([
  ['a list', { items: [item] }],
  ['a bare array', [item]],
  ['a table', { items: { key: item } }],
  ['a table by address', { items: { [item.url]: { filename: 'a.mp4', title: 'A' } } }],
  ['wrapped items', { items: [{ key: item.url, value: item }] }],
  ['pairs', { items: [[item.url, item]] }],
  ['items wrapped with an address', { items: [{ url: item.url, info: { filename: 'a.mp4', title: 'A' } }] }],
])('finds MeTube items in %s', (_, json) => {
  expect([...entriesOfMetube(json)]).toMatchObject([{ names: ['a.mp4'], note: { id: '-d_sh_Vide1', fields: { title: 'A' } } }]);
});

test.each([
  ['https://vimeo.com/4711?share=copy', { extractor: 'vimeo', id: '4711', url: 'https://vimeo.com/4711' }],
  ['https://www.bilibili.com/video/BV13x41117TL', { id: null }],
  ['https://clips.example/a', { extractor: 'clips.example', id: null }],
])('identifies a MeTube item of %s', (url, note) => {
  expect([...entriesOfMetube([{ ...item, url }])]).toMatchObject([{ note }]);
});

test.each<[string, unknown, object]>([
  ['as returned by Twitch', { id: '2049876543', user_name: 'Ann_B', title: 'T', type: 'archive', duration: '1h2m3s' }, { id: '2049876543', login: 'ann_b', seconds: 3723 }],
  ['with numbers', { id: 2049876543, title: 'T', duration: 3600.5, created_at: 1_700_000_000 }, { seconds: 3600.5, at: 1_700_000_000 }],
  ['one level down', { video: { id: '2049876543', title: 'T' }, channel: { name: 'ann', display_name: 'Ann' } }, { title: 'T', name: 'Ann', login: 'ann' }],
  ['with an address', { id: 'b7a6', title: 'T', url: 'https://www.twitch.tv/videos/2049876543' }, { id: '2049876543', type: 'archive' }],
  ['with invalid times', { title: 'T', published_at: '0001-01-01T00:00:00Z', created_at: '2024-01-31T18:30:00Z' }, { at: 1_706_725_800, id: null }],
  ['with names of another language', { title: 'T', user_name: '안녕' }, { name: '안녕', login: null }],
  ['that is a list', [{ title: 'T' }], { title: null }],
  ['without usable fields', { title: 7, id: {}, duration: 'long', channel: 12 }, { id: null, title: null, seconds: null, name: null }],
])('Ganymede info file %s', (_, json, expected) => expect(readGanymede(json)).toMatchObject(expected)); // prettier-ignore

test.each([
  ['ann/2024-01-31-2049876543-archive', 'TwitchVod', 'v2049876543', 'https://www.twitch.tv/videos/2049876543'],
  ['ann/2024-01-31-2049876543-live', 'TwitchStream', '2049876543', ''],
])('Ganymede: the folder %s identifies the video', (name, extractor, id, url) => {
  const folder = `${name}-0b3fa5c8-6d1e-4a57-9e0c-1f2d3c4b5a69`;
  const note = ganymedeMetadata({ path: `${folder}/a-video.mp4`, folder: `/import/${folder}` }, null);
  expect(note).toMatchObject({ extractor, id, url, fields: { upload_date: '20240131', uploader_id: 'ann' }, isWhole: false });
  expect(ganymedeMetadata({ path: `${name}/a-video.mp4`, folder: `/import/${name}` }, null)).toBeNull();
});
