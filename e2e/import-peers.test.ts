import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { importFolder } from '#server/data-folder.ts';
import { importAll } from '#server/library/import-folder.ts';
import { ImportInput } from '#server/library/importing.ts';
import { engines } from '#server/testing.ts';
import { aCatalogue, aVideo } from '#standin/builders.ts';
import { anArchiveWith, complaints, hasTools, videoOf, type Acquiring } from './acquiring.ts';
import { channel, everyFile, importTools, infoOf, namesIn, seconds } from './importing.ts';

const there = (id: string, title: string, more: object = {}) =>
  aVideo({ id, channelId: channel.id, title, durationSeconds: seconds, ...more });
const videos = [
  there('-dashFirst1', '🚂 Zug/Bahn'),
  there('_underscor1', 'Hidden', { fails: 'private' }),
  there('goneForGoo1', 'Gone', { fails: 'private' }),
  there('infoOfVide1', 'Hidden too', { fails: 'private' }),
  there('bracketVid1', 'By its name'),
  there('-metubeVid1', 'From 🎬 MeTube'),
  there('playlistVi1', 'Of a list'),
];

/** How much red, green and blue there is in a picture. */
const colourOf = (picture: Buffer) =>
  execFileSync(
    process.env.REELKEEP_FFMPEG!,
    ['-v', 'error', '-i', '-', '-vf', 'scale=1:1', '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'],
    { input: picture },
  );

describe.runIf(hasTools).each(engines)('what other programs noted of their files, on $engine', (on) => {
  let t: Acquiring;
  let shop: Awaited<ReturnType<typeof importTools>>;
  let folder: string;
  beforeAll(async () => {
    shop = await importTools();
    const red = ['-f', 'lavfi', '-i', 'color=red:size=320x180', '-frames:v', '1', shop.at('red.jpg')];
    execFileSync(process.env.REELKEEP_FFMPEG!, ['-v', 'error', ...red]);
  });
  afterAll(() => shop.remove());
  beforeEach(async () => {
    t = await anArchiveWith(aCatalogue({ channels: [channel], videos }), { on });
    folder = importFolder(t.archive.config);
  });
  afterEach(async () => {
    expect(await complaints(t)).toEqual([]);
    await t.close();
  });

  const put = async (name: string, content: { from: string } | string | object = { from: 'whole.mp4' }) => {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    if (typeof content === 'object' && 'from' in content) await copyFile(shop.at(content.from as string), join(folder, name));
    else await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  };
  async function bring(input: object = {}) {
    const lines: string[] = [];
    const result = await importAll(t.archive, {
      id: 'work',
      input: ImportInput.parse(input),
      againSince: null,
      signal: new AbortController().signal,
      report() {},
      note() {},
      skip: (what, why) => void lines.push(`${what}: ${why instanceof Error ? why.message : String(why)}`),
    });
    return { sentence: result.split('\n')[0], lines };
  }
  /** Looks first, which must change nothing, then brings in, which must leave what is there as it is. */
  async function bringTwice(input: object = {}) {
    const before = await everyFile(folder);
    const looked = await bring({ ...input, dry_run: true });
    expect((await t.staff.call('GET', '/api/video/')).json().data).toEqual([]);
    expect(await everyFile(t.archive.config.mediaFolder)).toHaveLength(1); // the mark that tells it from an unmounted disk
    expect(await everyFile(folder)).toEqual(before);
    const done = await bring({ ...input, leave_files: true });
    expect(await everyFile(folder)).toEqual(before);
    return { looked, done };
  }
  const pictureOf = async ({ vid_thumb_url: url }: { vid_thumb_url: string }) =>
    colourOf((await t.app.inject({ url, headers: t.staff.headers })).rawPayload);
  const isRed = ([red = 0, green = 255, blue = 255]: Buffer) => red > 200 && green < 60 && blue < 60;

  const show = 'TV/Night Show 🌙';
  const state = `${show}/.ytdl-sub-Night Show-download-archive.json`;
  const entry = (day: string, ...names: string[]) => ({
    upload_date: day,
    extractor: 'youtube',
    file_names: names,
    playlist_index: null,
  });
  async function putShow() {
    const stems = {
      site: 'Season 2021/s2021.e031701 - 2021-03-17 - 🚂 Zug⧸Bahn',
      nfo: 'Season 2021/s2021.e031801 - 2021-03-18 - What_ it was',
      name: 'Season 2021/s2021.e031901 - 2021-03-19 - 🌙 Only a name',
      info: 'Season 2021/s2021.e032001 - 2021-03-20 - Cut short',
    };
    for (const stem of Object.values(stems)) {
      await put(`${show}/${stem}.mp4`);
      await put(`${show}/${stem}-thumb.jpg`, { from: 'red.jpg' });
    }
    await put(`${show}/${stems.nfo}.nfo`, '<episodedetails><title>2021-03-18 - What? it was</title></episodedetails>');
    await put(`${show}/${stems.info}.info.json`, infoOf('infoOfVide1', { title: 'What it is really called' }));
    await put(`${show}/tvshow.nfo`, '<tvshow><title>Night Show</title></tvshow>');
    return [
      ['-dashFirst1', entry('2021-03-17', `${stems.site}.mp4`, `${stems.site}-thumb.jpg`)],
      ['_underscor1', entry('2021-03-18', `${stems.nfo}.mp4`, `${stems.nfo}.nfo`)],
      ['goneForGoo1', entry('2021-03-19', `${stems.name}.mp4`)],
      ['infoOfVide1', entry('2021-03-20', `${stems.info}.mp4`)],
    ] as [string, object][];
  }
  // Not by JSON.stringify: that would not write a key such as __proto__.
  const written = (entries: [string, unknown][]) =>
    `{${entries.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`).join(', ')}}`;

  test('ytdl-sub tells the id and the day; what the site does not tell is taken from names without their day', async () => {
    await put(state, written(await putShow()));
    const { looked, done } = await bringTwice();
    expect(looked.sentence).toBe(
      'Would bring in 4 videos: 1 by the info.json beside (99 % sure), 3 by what ytdl-sub noted (97 % sure). Other files that stay where they are: 1.',
    );
    expect(done.sentence).toBe('Brought in 4 videos. Other files that stay where they are: 1.');
    expect(done.lines).toEqual([]);
    expect(await videoOf(t, '-dashFirst1')).toMatchObject({ title: '🚂 Zug/Bahn', channel: { channel_id: channel.id } });
    const fromNfo = await videoOf(t, '_underscor1');
    expect(fromNfo).toMatchObject({
      title: 'What? it was',
      published: '2021-03-18T00:00:00+00:00',
      channel: { channel_name: 'Night Show' },
    });
    expect(isRed(await pictureOf(fromNfo))).toBe(true);
    expect(await videoOf(t, 'goneForGoo1')).toMatchObject({
      title: '🌙 Only a name',
      published: '2021-03-19T00:00:00+00:00',
    });
    expect(await videoOf(t, 'infoOfVide1')).toMatchObject({ title: 'What it is really called' });
    expect((await bring()).sentence).toContain('4 videos are in the archive already.');
  });

  test('files leave the import folder unless they are to stay; notes never do', async () => {
    await put(state, written(await putShow()));
    await bring();
    expect(await namesIn(folder)).toEqual([state, `${show}/tvshow.nfo`]);
  });

  test('ytdl-sub: what leads out of the folder, or makes no sense, is a line, and the rest is brought in', async () => {
    const entries = await putShow();
    await put('bracket [bracketVid1].mp4');
    await put('TV/outside.mp4');
    const hostile: [string, unknown][] = [
      ['__proto__', entry('2021-01-01', '../outside.mp4')],
      ['constructor', 'no entry'],
      ['outsideVid1', entry('2021-01-01', '../outside.mp4', 'Season 2021/../../outside.mp4', '/etc/passwd.mp4')],
      ['ofNowhere01', { extractor: 'youtube', file_names: { length: 1e9 } }],
    ];
    await put(state, written([...entries, ...hostile]));
    const { looked, done } = await bringTwice();
    const lines = [
      `${state}: Entries of it that cannot be understood, and were passed over: 3.`,
      `${state}: Files that it names outside of its folder, which are not touched: 3.`,
    ];
    for (const told of [looked.lines, done.lines]) {
      expect(told.slice(0, 2)).toEqual(lines);
      expect(told[2]).toMatch(/^TV\/outside\.mp4: Nothing tells which video it is\./);
    }
    expect(done.sentence).toMatch(/^Brought in 5 videos\. 1 was left where it is\./);
  });

  test('where a site cannot be asked a note waits for it, unless what is beside goes before', async () => {
    await put(state, written(await putShow()));
    t.archive.tools.ytdlp = null;
    expect((await bring({ leave_files: true })).sentence).toMatch(/^Brought in 1 video\. 3 were left/);
    expect((await bring({ leave_files: true, prefer_local: true })).sentence).toMatch(/^Brought in 3 videos\. 1 video is in/);
    expect(await videoOf(t, '-dashFirst1')).toMatchObject({ title: '🚂 Zug⧸Bahn', published: '2021-03-17T00:00:00+00:00' });
  });

  test.each([
    ['half', '{"-dashFirst1": {"upload_'],
    ['a list', '["-dashFirst1"]'],
    ['nothing', 'null'],
  ])('ytdl-sub: a list that is %s is one line, and other signs are looked for', async (_, text) => {
    await put(`${show}/.ytdl-sub-a-download-archive.json`, text);
    await put(`${show}/bracket [bracketVid1].mp4`);
    const { done } = await bringTwice();
    expect(done.sentence).toBe('Brought in 1 video.');
    expect(done.lines).toEqual([
      `${show}/.ytdl-sub-a-download-archive.json: What ytdl-sub noted there cannot be read, so files are recognised by other signs alone.`,
    ]);
  });

  const list = 'metube/.metube/completed.json';
  test('MeTube tells the address of each file, in whatever its version wraps the items', async () => {
    const when = { __type__: 'datetime', value: '2026-04-01T00:00:00' };
    const url = (id: string) => `https://www.youtube.com/watch?v=${id}&list=PLx`;
    const items = [
      { key: 'a', info: { url: url('-metubeVid1'), filename: '🎬 A film.mp4', title: '🎬 A film', timestamp: when } },
      { url: url('playlistVi1'), filename: 'Of a list.mp4', folder: 'A list', size: { __bytes__: 'AAEC' } },
      { url: url('bracketVid1'), filename: 'twice.mp4' },
      { url: url('infoOfVide1'), filename: 'twice.mp4' },
      { url: url('_underscor1'), filename: '../outside.mp4' },
      { url: url('goneForGoo1'), filename: '/downloads/gone.mp4', title: '🎞 It is gone' },
      { url: url('tooBadVide1'), filename: null, error: 'failed' },
      { url: 'https://www.youtube.com/@someone', filename: 'whose.mp4' },
      42,
    ];
    await put(list, { kind: 'queue', schema_version: 2, items });
    await put('metube/.metube/pending.json', { items: [] });
    const pages = [{ url: 'https://www.youtube.com/@someone', name: 'Someone', seen_ids: ['a'] }];
    await put('metube/.metube/subscriptions.json', { kind: 'subscriptions', schema_version: 2, items: pages });
    for (const name of ['🎬 A film', 'A list/Of a list', 'twice', 'gone', 'whose']) await put(`metube/${name}.mp4`);
    await put('outside.mp4');
    const { looked, done } = await bringTwice();
    const told = [
      `${list}: Entries of it that cannot be understood, and were passed over: 1.`,
      `${list}: Files that it names outside of its folder, which are not touched: 1.`,
      `${list}: Files that it names for more than one video, which are recognised by other signs alone: 1.`,
    ];
    expect(looked.sentence).toMatch(/^Would bring in 3 videos: 3 by what MeTube noted \(97 % sure\)\. 3 would be left/);
    expect(looked.lines.slice(0, 4)).toEqual([
      ...told,
      'metube/.metube/subscriptions.json: MeTube looks at 1 page(s). An import subscribes to nothing; subscribe here to those you want: https://www.youtube.com/@someone',
    ]);
    expect(done.lines.slice(0, 3)).toEqual(told);
    expect(done.lines.slice(3).map((line) => line.split(': ')[0])).toEqual([
      'outside.mp4',
      'metube/twice.mp4',
      'metube/whose.mp4',
    ]);
    expect(await videoOf(t, '-metubeVid1')).toMatchObject({ title: 'From 🎬 MeTube', channel: { channel_id: channel.id } });
    expect(await videoOf(t, 'playlistVi1')).toMatchObject({ title: 'Of a list' });
    expect(await videoOf(t, 'goneForGoo1')).toMatchObject({ title: '🎞 It is gone' });
    expect((await t.staff.call('GET', '/api/channel/?filter=subscribed')).json().data).toEqual([]);
  });

  test('MeTube: a list that is damaged, or of an old version, is one line', async () => {
    await put(list, '{"items": [');
    await put('old/.metube/completed', 'any bytes');
    await put('metube/bracket [bracketVid1].mp4');
    const { done } = await bringTwice();
    expect(done.sentence).toBe('Brought in 1 video.');
    expect(done.lines).toEqual([
      `${list}: What MeTube noted there cannot be read, so files are recognised by other signs alone.`,
      'old/.metube/completed: It is a list as old versions of MeTube wrote it, which is never opened here. Start a current MeTube once, then import again.',
    ]);
  });

  const uuid = '0b3fa5c8-6d1e-4a57-9e0c-1f2d3c4b5a69';
  const recording = `Some_Streamer/2024-01-31-2049876543-archive-${uuid}`;
  const stream = `Some_Streamer/2024-02-01-40123456789-live-${uuid}`;
  test('Ganymede: its info file tells what Twitch does not any more, else its folder; chats stay', async () => {
    await put(`${recording}/🎮 one-video.mp4`);
    await put(`${recording}/🎮 one-thumbnail.jpg`, { from: 'red.jpg' });
    await put(`${recording}/🎮 one-info.json`, {
      id: '2049876543',
      user_login: 'some_streamer',
      user_name: 'Some_Streamer',
      title: '🎮 Let’s play / all night',
      published_at: '2024-01-31T18:30:00Z',
      duration: `${seconds}s`,
      type: 'archive',
    });
    for (const chat of ['chat.json', 'live-chat.json']) await put(`${recording}/🎮 one-${chat}`, '[]');
    await put(`${recording}/🎮 one-chat.mp4`);
    await put(`${stream}/-two_-video.mp4`);
    await put(`${stream}/-two_-info.json`, '{"title": "half');
    const { looked, done } = await bringTwice({ prefer_local: true });
    expect(looked.sentence).toBe(
      'Would bring in 2 videos: 1 by what Ganymede noted (97 % sure), 1 by a folder of Ganymede (95 % sure). Other files that stay where they are: 3.',
    );
    expect(done.sentence).toBe('Brought in 2 videos. Other files that stay where they are: 3.');
    expect(done.lines).toEqual([`${stream}/-two_-video.mp4 (-two_-info.json): It is damaged, and was passed over.`]);
    const one = await videoOf(t, 'twitchvod.v2049876543');
    expect(one).toMatchObject({
      title: '🎮 Let’s play / all night',
      published: '2024-01-31T18:30:00+00:00',
      vid_type: 'streams',
      channel: { channel_name: 'Some_Streamer' },
    });
    expect(isRed(await pictureOf(one))).toBe(true);
    expect(await videoOf(t, 'twitchstream.40123456789')).toMatchObject({
      title: '-two_',
      published: '2024-02-01T00:00:00+00:00',
      channel: { channel_name: 'Some_Streamer' },
    });
  });
});
