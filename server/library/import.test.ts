import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { saidBy } from '../http/said.ts';
import type { Inside } from '../media/inside.ts';
import { readInfo } from '../ytdlp/info.ts';
import { isAsLong } from './import-check.ts';
import { walk, type Group } from './import-groups.ts';
import { identify, ways } from './import-identify.ts';
import type { Local } from './import-local.ts';
import { readNfo } from './import-nfo.ts';
import { notedOf, type Note } from './import-note.ts';

describe('what belongs together', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reelkeep-import-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const put = async (...names: string[]) => {
    for (const name of names) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), name);
    }
  };
  const found = async () => {
    const groups: Group[] = [];
    const strange: string[] = [];
    const rest: string[] = [];
    const states: string[] = [];
    for await (const one of walk(folder)) {
      if ('group' in one) groups.push(one.group);
      else if ('state' in one) states.push(one.state);
      else if (one.isRest) rest.push(`${one.path}: ${one.why}`);
      else strange.push(`${one.path}: ${one.why}`);
    }
    return { groups, strange, rest, states };
  };

  test('is told by the base name, languages as they are written', async () => {
    await put('a/Film.mp4', 'a/Film.info.json', 'a/Film-thumb.jpg', 'a/Film.webp', 'a/Film.nfo', 'a/Film.description');
    await put(
      'a/Film.zh-Hans.vtt',
      'a/Film.en-orig.srt',
      'a/Film.srt',
      'a/Film.de-eEY6OEpapPo.vtt',
      'a/Film.live_chat.json',
      'a/poster.jpg',
      'a/Other.en.vtt',
    );
    const { groups, strange, rest } = await found();
    expect(strange).toEqual([]);
    expect(rest).toEqual([
      'a/Film.live_chat.json: Nothing like it is brought in.',
      'a/Other.en.vtt: It is no video, and belongs to none that is here.',
      'a/poster.jpg: It is no video, and belongs to none that is here.',
    ]);
    expect(groups).toEqual([
      {
        path: 'a/Film.mp4',
        folder: join(folder, 'a'),
        base: 'Film',
        media: 'Film.mp4',
        info: 'Film.info.json',
        ganymede: null,
        nfo: 'Film.nfo',
        description: 'Film.description',
        pictures: ['Film.webp', 'Film-thumb.jpg'],
        subtitles: [
          { lang: 'de-eEY6OEpapPo', file: 'Film.de-eEY6OEpapPo.vtt' },
          { lang: 'en-orig', file: 'Film.en-orig.srt' },
          { lang: 'und', file: 'Film.srt' },
          { lang: 'zh-Hans', file: 'Film.zh-Hans.vtt' },
        ],
      },
    ]);
  });

  test('subtitles of every kind that is known, and those of others are named', async () => {
    await put('A. B.mp4', 'A. B.fr.json3', 'A. B.de.ass', 'A. B.en.forced.srt', 'A. B.zh_Hans.vtt', 'A. B.es.srv3', 'C.de.ass');
    const { groups, strange, rest } = await found();
    expect(groups.map(({ subtitles }) => subtitles)).toEqual([[{ lang: 'fr', file: 'A. B.fr.json3' }]]);
    const why = 'Subtitles are brought in as VTT, SRT or JSON3 with a language before it, as in “.pt-BR.vtt”.';
    expect(strange).toEqual(
      ['A. B.de.ass', 'A. B.en.forced.srt', 'A. B.es.srv3', 'A. B.zh_Hans.vtt'].map((path) => `${path}: ${why}`),
    );
    expect(rest).toEqual(['C.de.ass: It is no video, and belongs to none that is here.']);
  });

  test('sound of every kind that plays is taken', async () => {
    const names = ['a.aac', 'b.flac', 'c.m4a', 'd.mp3', 'e.ogg', 'f.opus', 'g.wav'];
    await put(...names, 'stream/1.aac', 'stream/list.m3u8');
    await writeFile(join(folder, 'stream/list.m3u8'), '#EXTM3U\n#EXTINF:10,\n1.aac\n#EXT-X-ENDLIST\n');
    const { groups, strange } = await found();
    expect(groups.map(({ media }) => media)).toEqual(names);
    expect(strange).toEqual(['stream/list.m3u8: It is a film in pieces, as sites stream it. Make an MP4 or MKV of it first.']);
  });

  test('and by the longest one, where one name begins like another', async () => {
    await put('Talk.mp4', 'Talk.en.mp4', 'Talk.en.vtt', 'Talk.en.info.json', 'Talk.de.vtt');
    const { groups } = await found();
    expect(groups.map(({ media, info, subtitles }) => [media, info, subtitles.map(({ lang }) => lang)])).toEqual([
      ['Talk.en.mp4', 'Talk.en.info.json', ['und']],
      ['Talk.mp4', null, ['de']],
    ]);
  });

  test('a film in pieces is told once, not for each of them; a piece that no playlist names is told itself', async () => {
    await put('stream/1.ts', 'stream/2.ts', 'stream/camera.ts', 'stream/list.m3u8', 'list.m3u8', 'whole.mp4');
    await writeFile(join(folder, 'stream/list.m3u8'), '#EXTM3U\n#EXTINF:10,\n1.ts\n#EXTINF:10,\n./2.ts\n#EXT-X-ENDLIST\n');
    await writeFile(join(folder, 'list.m3u8'), '#EXTM3U\nwhole.mp4\n');
    const { groups, strange } = await found();
    expect(groups.map(({ media }) => media)).toEqual(['whole.mp4']);
    expect(strange).toEqual([
      'stream/camera.ts: Files of this kind cannot be brought in. Make an MP4 or MKV of it first.',
      'stream/list.m3u8: It is a film in pieces, as sites stream it. Make an MP4 or MKV of it first.',
    ]);
  });

  test('a name that is not in UTF-8 is told, of a file and of a folder', async () => {
    await put('Film.mp4');
    const named = (text: string) => Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(text, 'latin1')]);
    await writeFile(named('Café.mp4'), 'film');
    await mkdir(named('Été'));
    const { groups, strange } = await found();
    expect(groups.map(({ media }) => media)).toEqual(['Film.mp4']);
    const why = 'Its name is not in UTF-8, so it cannot be opened. Rename it.';
    expect(strange).toEqual([`Caf\ufffd.mp4: ${why}`, `\ufffdt\ufffd: ${why}`]);
  });

  test('what is unfinished, hidden or a link is not taken, and of two files of one name the larger', async () => {
    await put('a.f137.mp4', 'a.f251-drc.webm', 'a.temp.mp4', 'a.mp4.part', 'a.mp4.part-Frag3', 'a.mp4.ytdl', '.hidden.mp4');
    await put('@Recycle/c.mp4', '@Recently-Snapshot/d.mp4', '#snapshot/e.mp4', 'System Volume Information/f.mp4');
    await put('@eaDir/b.mp4', 'Formel.f1.mp4', 'two.mp4', 'two.mkv');
    await writeFile(join(folder, 'two.mkv'), 'the larger one');
    await symlink('/etc', join(folder, 'link'));
    const { groups, strange } = await found();
    expect(groups.map(({ media }) => media)).toEqual(['Formel.f1.mp4', 'two.mkv']);
    expect(strange).toEqual([
      'link: It is only a link. Put the file itself here.',
      'two.mp4: There is a larger file of the same name, two.mkv, which is taken.',
    ]);
  });
});

describe('which video it is', () => {
  const group = (base: string, folder = '/import') => ({ base, folder }) as Group;
  const nothing = { info: null, isInside: false, nfoId: null } as Local;
  const inside = (tags: Record<string, string> = {}) => ({ tags: new Map(Object.entries(tags)) }) as Inside;
  const noted = (id: string | null, more: Partial<Note> = {}, page: string | null = null) =>
    notedOf({ by: 'metube', extractor: 'Youtube', id, url: '', said: {}, isWhole: false, ...more }, { title: 'A', page });
  const info = readInfo({ id: 'infoVideo01', extractor_key: 'Youtube' });
  const vimeo = readInfo({ id: '4711', extractor_key: 'Vimeo', webpage_url: 'https://vimeo.com/4711' });

  test.each<[string, Parameters<typeof identify>, way: string | undefined, id?: string | null]>([
    ['its own info.json', [group('A [nameOfFile1]'), { ...nothing, info }, inside()], 'info', 'infoVideo01'],
    ['that of another site', [group('A'), { ...nothing, info: vimeo }, inside()], 'info', 'vimeo.4711'],
    ['the one inside', [group('A'), { ...nothing, info, isInside: true }, inside()], 'inside', 'infoVideo01'],
    [
      'what MeTube noted',
      [group('A [nameOfFile1]'), { ...nothing, noted: noted('-noted_Vid1'), nfoId: 'nfoVideo001' }, inside()],
      'metube',
      '-noted_Vid1',
    ],
    [
      'its own info.json, whatever was noted',
      [group('A'), { ...nothing, info, noted: noted('-noted_Vid1') }, inside()],
      'info',
      'infoVideo01',
    ],
    [
      'a page elsewhere that MeTube noted',
      [group('A'), { ...nothing, noted: noted(null, { extractor: 'clips.example', url: 'https://clips.example/a' }) }, inside()],
      'metube',
      null,
    ],
    [
      'ytdl-sub, of a site that cannot be asked',
      [group('A'), { ...nothing, noted: noted('4711', { by: 'ytdl-sub', extractor: 'vimeo' }) }, inside()],
      'ytdl-sub',
      'vimeo.4711',
    ],
    [
      'ytdl-sub, of a site that says itself',
      [
        group('A'),
        { ...nothing, noted: noted('4711', { by: 'ytdl-sub', extractor: 'vimeo' }, 'https://vimeo.com/4711') },
        inside(),
      ],
      'ytdl-sub',
      null,
    ],
    ['its NFO', [group('A [nameOfFile1]'), { ...nothing, nfoId: 'nfoVideo001' }, inside()], 'nfo', 'nfoVideo001'],
    ['its folder', [group('-dash_Vide1', `/import/UC${'x'.repeat(22)}`), nothing, inside()], 'folder', '-dash_Vide1'],
    ['brackets', [group('A [b] [-dash_Vide1]'), nothing, inside()], 'brackets', '-dash_Vide1'],
    ['brackets before tags', [group('A [nameOfFile1]'), nothing, inside({ purl: 'https://youtu.be/tagOfFile01' })], 'brackets'],
    ['an address', [group('A'), nothing, inside({ comment: 'https://youtu.be/tagOfFile01' })], 'tag', 'tagOfFile01'],
    ['a page elsewhere', [group('A'), nothing, inside({ purl: 'https://clips.example/watch/a' })], 'tag', null],
    [
      'its place in a name of TubeSync',
      [group('2026-01-31_my-channel_some_title_-d_sh_Vide1_1080p-vp9-opus'), nothing, inside()],
      'position',
      '-d_sh_Vide1',
    ],
    ['an old name', [group('A title--dash_Vide1'), nothing, inside()], 'ending', '-dash_Vide1'],
    [
      'no text that contains an address',
      [group('A'), nothing, inside({ comment: 'See https://youtu.be/tagOfFile01' })],
      undefined,
    ],
    ['no channel', [group('A'), nothing, inside({ purl: 'https://www.youtube.com/@someone' })], undefined],
    ['not the last eleven characters', [group('What I found in Antarctica'), nothing, inside()], undefined],
    ['no brackets elsewhere', [group('A [nameOfFile1] again'), nothing, inside()], undefined],
  ])('is told by %s', (_, [one, local, within], way, id) => {
    const candidate = identify(one, local, within);
    expect(candidate?.way).toBe(way);
    if (id !== undefined) expect(candidate?.id).toBe(id);
  });

  test.each([
    ['<movie><uniqueid type="imdb">tt000000001</uniqueid><youtubeid>youtarrVid1</youtubeid></movie>', 'youtarrVid1'],
    [
      '\ufeff<?xml version="1.0"?>\n<episodedetails><uniqueid type="youtube" default="True">-under_Vid1</uniqueid></episodedetails>',
      '-under_Vid1',
    ],
    [
      '<episodedetails><plot>https://youtube.com/watch?v=plotOfVide1\n\nMore at https://youtu.be/otherVideo1</plot></episodedetails>',
      'plotOfVide1',
    ],
    ['<episodedetails><plot>See https://youtu.be/otherVideo1</plot></episodedetails>', null],
    ['<tvshow><uniqueid type="youtube">UCxxxxxxxxxxxxxxxxxxxxxx</uniqueid></tvshow>', null],
    ['https://www.imdb.com/title/tt0133093/', null],
    ['<movie>', null],
  ])('NFO %s', (text, id) => expect(readNfo(text).id).toBe(id));

  test.each([
    [10, 12, 0, true],
    [10, 12.5, 0, false],
    [12.5, 10, 0, false],
    [10, 60, 48, true],
    [10, 60, 40, false],
    [10, null, 0, true],
  ])('%d s for %s s of which %d may be cut: %s', (found, seconds, cutSeconds, right) =>
    expect(isAsLong(found, { seconds, cutSeconds })).toBe(right),
  );
});

test('the result of a look is told by codes, whichever way files were recognised', () => {
  for (const { words } of Object.values(ways))
    expect(saidBy(`Would bring in 2 videos: 1 ${words} (97 % sure), 1 ${words} (60 % sure).`), words).toHaveLength(1);
  const whole =
    'Would bring in 1 video: 1 by the info.json beside (99 % sure). 2 videos are in the archive already. 1 would be left where it is. Other files that stay where they are: 3.';
  const codes = saidBy(whole)?.map(({ code }) => code);
  expect(codes).toEqual(['import.would', 'import.already', 'import.would-leave-one', 'import.others']);
  expect(saidBy('Brought in 3 videos. 1 video is in the archive already. 2 were left where they are.')).toHaveLength(3);
});

test('an NFO is text: what it defines itself, and files that it names, are not put in', () => {
  const nfo = (definition: string) =>
    `<?xml version="1.0"?><!DOCTYPE movie [<!ENTITY e ${definition}>]><movie><youtubeid>&e;</youtubeid></movie>`;
  for (const definition of ['"abcdefghijk"', 'SYSTEM "file:///etc/passwd"', 'SYSTEM "http://127.0.0.1/x"'])
    expect(readNfo(nfo(definition)).id).toBeNull();
  const bomb = Array.from({ length: 20 }, (_, n) => `<!ENTITY e${n + 1} "&e${n};&e${n};">`).join('');
  expect(readNfo(`<!DOCTYPE m [<!ENTITY e0 "x">${bomb}]><m><youtubeid>&e20;</youtubeid></m>`).id).toBeNull();
  expect(readNfo('<movie><youtubeid>abcdefghijk</youtubeid></movie>').id).toBe('abcdefghijk');
});
