import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ContainerMetadata } from '../../../platform/media/container-metadata.ts';
import { readInfo } from '../../../platform/ytdlp/info.ts';
import { hasExpectedDuration } from './verify-duration.ts';
import { walkGroups, type FileGroup } from './group-files.ts';
import { listImportFolder } from './list-import-folder.ts';
import { identify } from './identify.ts';
import type { Sidecars } from './sidecars.ts';
import { readNfo } from './nfo.ts';
import { foreignFieldsOf, type ForeignMetadata } from './foreign-metadata.ts';

describe('grouping files of a video', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reelkeep-import-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const createFiles = async (...names: string[]) => {
    for (const name of names) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), name);
    }
  };
  const readGroups = async () => {
    const groups: FileGroup[] = [];
    const rejected: string[] = [];
    const ignored: string[] = [];
    const states: string[] = [];
    for await (const item of walkGroups(folder)) {
      if ('group' in item) groups.push(item.group);
      else if ('state' in item) states.push(item.state);
      else if (item.isRest) ignored.push(`${item.path}: ${item.why.id}`);
      else rejected.push(`${item.path}: ${item.why.id}`);
    }
    return { groups, rejected, ignored, states };
  };

  test('lists the first entries of the folder', async () => {
    await createFiles('b.mp4', 'a/Film.mp4', '.hidden', ...Array.from({ length: 19 }, (_, index) => `c${index}.mp4`));
    const { names, count, is_more } = await listImportFolder(folder);
    expect([names.slice(0, 2), names.length, count, is_more]).toEqual([['a/', 'b.mp4'], 20, 21, false]);
    expect(await listImportFolder(join(folder, 'none'))).toMatchObject({ names: [], count: 0 });
  });

  test('groups by base name and language suffix', async () => {
    await createFiles('a/Film.mp4', 'a/Film.info.json', 'a/Film-thumb.jpg', 'a/Film.webp', 'a/Film.nfo', 'a/Film.description');
    await createFiles(
      'a/Film.zh-Hans.vtt',
      'a/Film.en-orig.srt',
      'a/Film.srt',
      'a/Film.de-eEY6OEpapPo.vtt',
      'a/Film.live_chat.json',
      'a/poster.jpg',
      'a/Other.en.vtt',
    );
    const { groups, rejected, ignored } = await readGroups();
    expect(rejected).toEqual([]);
    expect(ignored).toEqual(['a/Other.en.vtt: import.unrelated', 'a/poster.jpg: import.unrelated']);
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
        chat: 'Film.live_chat.json',
      },
    ]);
  });

  test('accepts known subtitle formats, and names unknown ones', async () => {
    await createFiles(
      'A. B.mp4',
      'A. B.fr.json3',
      'A. B.de.ass',
      'A. B.en.forced.srt',
      'A. B.zh_Hans.vtt',
      'A. B.es.srv3',
      'C.de.ass',
    );
    const { groups, rejected, ignored } = await readGroups();
    expect(groups.map(({ subtitles }) => subtitles)).toEqual([[{ lang: 'fr', file: 'A. B.fr.json3' }]]);
    const reason = 'import.unsupported-subtitle';
    expect(rejected).toEqual(
      ['A. B.de.ass', 'A. B.en.forced.srt', 'A. B.es.srv3', 'A. B.zh_Hans.vtt'].map((path) => `${path}: ${reason}`),
    );
    expect(ignored).toEqual(['C.de.ass: import.unrelated']);
  });

  test('accepts all playable audio formats', async () => {
    const names = ['a.aac', 'b.flac', 'c.m4a', 'd.mp3', 'e.ogg', 'f.opus', 'g.wav'];
    await createFiles(...names, 'stream/1.aac', 'stream/list.m3u8');
    await writeFile(join(folder, 'stream/list.m3u8'), '#EXTM3U\n#EXTINF:10,\n1.aac\n#EXT-X-ENDLIST\n');
    const { groups, rejected } = await readGroups();
    expect(groups.map(({ media }) => media)).toEqual(names);
    expect(rejected).toEqual(['stream/list.m3u8: import.segmented']);
  });

  test('prefers the longest base name when one is a prefix of another', async () => {
    await createFiles('Talk.mp4', 'Talk.en.mp4', 'Talk.en.vtt', 'Talk.en.info.json', 'Talk.de.vtt');
    const { groups } = await readGroups();
    expect(groups.map(({ media, info, subtitles }) => [media, info, subtitles.map(({ lang }) => lang)])).toEqual([
      ['Talk.en.mp4', 'Talk.en.info.json', ['und']],
      ['Talk.mp4', null, ['de']],
    ]);
  });

  test('reports a multi-part video once, and parts without a playlist individually', async () => {
    await createFiles('stream/1.ts', 'stream/2.ts', 'stream/camera.ts', 'stream/list.m3u8', 'list.m3u8', 'whole.mp4');
    await writeFile(join(folder, 'stream/list.m3u8'), '#EXTM3U\n#EXTINF:10,\n1.ts\n#EXTINF:10,\n./2.ts\n#EXT-X-ENDLIST\n');
    await writeFile(join(folder, 'list.m3u8'), '#EXTM3U\nwhole.mp4\n');
    const { groups, rejected } = await readGroups();
    expect(groups.map(({ media }) => media)).toEqual(['whole.mp4']);
    expect(rejected).toEqual(['stream/camera.ts: import.unsupported-format', 'stream/list.m3u8: import.segmented']);
  });

  test('reports file and folder names that are not UTF-8', async () => {
    await createFiles('Film.mp4');
    const latin1Path = (text: string) => Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(text, 'latin1')]);
    await writeFile(latin1Path('Café.mp4'), 'film');
    await mkdir(latin1Path('Été'));
    const { groups, rejected } = await readGroups();
    expect(groups.map(({ media }) => media)).toEqual(['Film.mp4']);
    const reason = 'import.name-not-utf8';
    expect(rejected).toEqual([`Caf\ufffd.mp4: ${reason}`, `\ufffdt\ufffd: ${reason}`]);
  });

  test('skips unfinished files, hidden files and links, and takes the larger of two files with one name', async () => {
    await createFiles(
      'a.f137.mp4',
      'a.f251-drc.webm',
      'a.temp.mp4',
      'a.mp4.part',
      'a.mp4.part-Frag3',
      'a.mp4.ytdl',
      '.hidden.mp4',
    );
    await createFiles('@Recycle/c.mp4', '@Recently-Snapshot/d.mp4', '#snapshot/e.mp4', 'System Volume Information/f.mp4');
    await createFiles('@eaDir/b.mp4', 'Formel.f1.mp4', 'two.mp4', 'two.mkv');
    await writeFile(join(folder, 'two.mkv'), 'the larger one');
    await symlink('/etc', join(folder, 'link'));
    const { groups, rejected } = await readGroups();
    expect(groups.map(({ media }) => media)).toEqual(['Formel.f1.mp4', 'two.mkv']);
    expect(rejected).toEqual(['link: import.link', 'two.mp4: import.larger']);
  });
});

describe('identifying a video', () => {
  const group = (base: string, folder = '/import') => ({ base, folder }) as FileGroup;
  const noSidecars = { info: null, isInside: false, nfoId: null } as Sidecars;
  const containerWithTags = (tags: Record<string, string> = {}) => ({ tags: new Map(Object.entries(tags)) }) as ContainerMetadata;
  const metadata = (id: string | null, overrides: Partial<ForeignMetadata> = {}, page: string | null = null) =>
    foreignFieldsOf(
      { by: 'metube', extractor: 'Youtube', id, url: '', fields: {}, isWhole: false, ...overrides },
      { title: 'A', page },
    );
  const info = readInfo({ id: 'infoVideo01', extractor_key: 'Youtube' });
  const vimeo = readInfo({ id: '4711', extractor_key: 'Vimeo', webpage_url: 'https://vimeo.com/4711' });

  test.each<[string, Parameters<typeof identify>, way: string | undefined, id?: string | null]>([
    ['its own info.json', [group('A [nameOfFile1]'), { ...noSidecars, info }, containerWithTags()], 'info', 'infoVideo01'],
    ['that of another site', [group('A'), { ...noSidecars, info: vimeo }, containerWithTags()], 'info', 'vimeo.4711'],
    ['the one inside', [group('A'), { ...noSidecars, info, isInside: true }, containerWithTags()], 'inside', 'infoVideo01'],
    [
      'what MeTube noted',
      [group('A [nameOfFile1]'), { ...noSidecars, noted: metadata('-noted_Vid1'), nfoId: 'nfoVideo001' }, containerWithTags()],
      'metube',
      '-noted_Vid1',
    ],
    [
      'its own info.json, whatever was noted',
      [group('A'), { ...noSidecars, info, noted: metadata('-noted_Vid1') }, containerWithTags()],
      'info',
      'infoVideo01',
    ],
    [
      'a page elsewhere that MeTube noted',
      [
        group('A'),
        { ...noSidecars, noted: metadata(null, { extractor: 'clips.example', url: 'https://clips.example/a' }) },
        containerWithTags(),
      ],
      'metube',
      null,
    ],
    [
      'ytdl-sub, of a site that cannot be asked',
      [group('A'), { ...noSidecars, noted: metadata('4711', { by: 'ytdl-sub', extractor: 'vimeo' }) }, containerWithTags()],
      'ytdl-sub',
      'vimeo.4711',
    ],
    [
      'ytdl-sub, of a site that says itself',
      [
        group('A'),
        { ...noSidecars, noted: metadata('4711', { by: 'ytdl-sub', extractor: 'vimeo' }, 'https://vimeo.com/4711') },
        containerWithTags(),
      ],
      'ytdl-sub',
      null,
    ],
    ['its NFO', [group('A [nameOfFile1]'), { ...noSidecars, nfoId: 'nfoVideo001' }, containerWithTags()], 'nfo', 'nfoVideo001'],
    [
      'its folder',
      [group('-dash_Vide1', `/import/UC${'x'.repeat(22)}`), noSidecars, containerWithTags()],
      'folder',
      '-dash_Vide1',
    ],
    ['brackets', [group('A [b] [-dash_Vide1]'), noSidecars, containerWithTags()], 'brackets', '-dash_Vide1'],
    [
      'brackets before tags',
      [group('A [nameOfFile1]'), noSidecars, containerWithTags({ purl: 'https://youtu.be/tagOfFile01' })],
      'brackets',
      'nameOfFile1',
    ],
    [
      'an address',
      [group('A'), noSidecars, containerWithTags({ comment: 'https://youtu.be/tagOfFile01' })],
      'tag',
      'tagOfFile01',
    ],
    ['a page elsewhere', [group('A'), noSidecars, containerWithTags({ purl: 'https://clips.example/watch/a' })], 'tag', null],
    ['an address of Vimeo', [group('A'), noSidecars, containerWithTags({ purl: 'https://vimeo.com/4711' })], 'tag', 'vimeo.4711'],
    [
      'an address that may be a list',
      [group('A'), noSidecars, containerWithTags({ purl: 'https://www.bilibili.com/video/BV13x41117TL' })],
      'tag',
      null,
    ],
    [
      'an address without an id',
      [group('A'), noSidecars, containerWithTags({ purl: 'https://soundcloud.com/a/b' })],
      'tag',
      null,
    ],
    [
      'its place in a name of TubeSync',
      [group('2026-01-31_my-channel_some_title_-d_sh_Vide1_1080p-vp9-opus'), noSidecars, containerWithTags()],
      'position',
      '-d_sh_Vide1',
    ],
    ['an old name', [group('A title--dash_Vide1'), noSidecars, containerWithTags()], 'ending', '-dash_Vide1'],
    [
      'no text that contains an address',
      [group('A'), noSidecars, containerWithTags({ comment: 'See https://youtu.be/tagOfFile01' })],
      undefined,
    ],
    ['no channel', [group('A'), noSidecars, containerWithTags({ purl: 'https://www.youtube.com/@someone' })], undefined],
    ['not the last eleven characters', [group('What I found in Antarctica'), noSidecars, containerWithTags()], undefined],
    ['no brackets elsewhere', [group('A [nameOfFile1] again'), noSidecars, containerWithTags()], undefined],
  ])('uses %s', (_, [files, sidecars, container], method, id) => {
    const candidate = identify(files, sidecars, container);
    expect([candidate?.way, candidate?.id]).toEqual([method, id]);
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
    ['<episodedetails><plot>https://vimeo.com/4711\n\nA film</plot></episodedetails>', null],
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
  ])('%d s for %s s of which %d may be cut: %s', (actual, seconds, cutSeconds, expected) =>
    expect(hasExpectedDuration(actual, { seconds, cutSeconds })).toBe(expected),
  );
});

test('expands no entities and reads no external files in an NFO', () => {
  const nfo = (definition: string) =>
    `<?xml version="1.0"?><!DOCTYPE movie [<!ENTITY e ${definition}>]><movie><youtubeid>&e;</youtubeid></movie>`;
  for (const definition of ['"abcdefghijk"', 'SYSTEM "file:///etc/passwd"', 'SYSTEM "http://127.0.0.1/x"'])
    expect(readNfo(nfo(definition)).id).toBeNull();
  const bomb = Array.from({ length: 20 }, (_, n) => `<!ENTITY e${n + 1} "&e${n};&e${n};">`).join('');
  expect(readNfo(`<!DOCTYPE m [<!ENTITY e0 "x">${bomb}]><m><youtubeid>&e20;</youtubeid></m>`).id).toBeNull();
  expect(readNfo('<movie><youtubeid>abcdefghijk</youtubeid></movie>').id).toBe('abcdefghijk');
});
