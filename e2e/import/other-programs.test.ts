import { messagesOf } from '#server/platform/messages/message-error.ts';
import { renderMessages } from '#server/platform/messages/render.ts';
import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { importFolder } from '#server/platform/config/data-folder.ts';
import { importFolderContents } from '#server/features/library/import/import-folder.ts';
import { ImportInput } from '#server/features/library/import/context.ts';
import { aCatalogue, aVideo } from '../../test-site/builders.ts';
import { createArchive, inconsistencies, hasTools, videoOf, type TestSiteArchive } from '../support/acquisition.ts';
import { channel, listFiles, createImportSources, infoOf, namesIn, seconds } from '../support/importing.ts';

const siteVideo = (id: string, title: string, overrides: object = {}) =>
  aVideo({ id, channelId: channel.id, title, durationSeconds: seconds, ...overrides });
const videos = [
  siteVideo('-dashFirst1', '🚂 Zug/Bahn'),
  siteVideo('_underscor1', 'Hidden', { fails: 'private' }),
  siteVideo('goneForGoo1', 'Gone', { fails: 'private' }),
  siteVideo('infoOfVide1', 'Hidden too', { fails: 'private' }),
  siteVideo('bracketVid1', 'By its name'),
  siteVideo('-metubeVid1', 'From 🎬 MeTube'),
  siteVideo('playlistVi1', 'Of a list'),
];

/** Returns the average colour of an image as RGB bytes. */
const averageColour = (image: Buffer) =>
  execFileSync(
    process.env.REELKEEP_FFMPEG!,
    ['-v', 'error', '-i', '-', '-vf', 'scale=1:1', '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'],
    { input: image },
  );

describe.runIf(hasTools)('metadata of other programs', () => {
  let t: TestSiteArchive;
  let sources: Awaited<ReturnType<typeof createImportSources>>;
  let folder: string;
  beforeAll(async () => {
    sources = await createImportSources();
    const red = ['-f', 'lavfi', '-i', 'color=red:size=320x180', '-frames:v', '1', sources.at('red.jpg')];
    execFileSync(process.env.REELKEEP_FFMPEG!, ['-v', 'error', ...red]);
  });
  afterAll(() => sources.remove());
  beforeEach(async () => {
    t = await createArchive(aCatalogue({ channels: [channel], videos }));
    folder = importFolder(t.app.config);
  });
  afterEach(async () => {
    expect(await inconsistencies(t)).toEqual([]);
    await t.close();
  });

  const addFile = async (name: string, content: { from: string } | string | object = { from: 'whole.mp4' }) => {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    if (typeof content === 'object' && 'from' in content) await copyFile(sources.at(content.from as string), join(folder, name));
    else await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  };
  async function runImport(input: object = {}) {
    const lines: string[] = [];
    const result = await importFolderContents(t.app, {
      id: 'work',
      input: ImportInput.parse(input),
      againSince: null,
      signal: new AbortController().signal,
      report() {},
      note() {},
      skip: (what, reason) =>
        void lines.push(`${what}: ${renderMessages(reason instanceof Error ? messagesOf(reason) : reason)}`),
    });
    return { sentence: renderMessages(result).split('\n')[0], lines };
  }
  /** Runs a dry run, which must change nothing, then an import that must keep the source files. */
  async function importAfterDryRun(input: object = {}) {
    const before = await listFiles(folder);
    const dryRun = await runImport({ ...input, dry_run: true });
    expect((await t.staff.call('GET', '/api/video/')).json().data).toEqual([]);
    expect(await listFiles(t.app.config.mediaFolder)).toHaveLength(1); // the marker file that detects an unmounted disk
    expect(await listFiles(folder)).toEqual(before);
    const imported = await runImport({ ...input, leave_files: true });
    expect(await listFiles(folder)).toEqual(before);
    return { dryRun, imported };
  }
  const pictureOf = async ({ vid_thumb_url: url }: { vid_thumb_url: string }) =>
    averageColour((await t.server.inject({ url, headers: t.staff.headers })).rawPayload);
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
      await addFile(`${show}/${stem}.mp4`);
      await addFile(`${show}/${stem}-thumb.jpg`, { from: 'red.jpg' });
    }
    await addFile(`${show}/${stems.nfo}.nfo`, '<episodedetails><title>2021-03-18 - What? it was</title></episodedetails>');
    await addFile(`${show}/${stems.info}.info.json`, infoOf('infoOfVide1', { title: 'What it is really called' }));
    await addFile(`${show}/tvshow.nfo`, '<tvshow><title>Night Show</title></tvshow>');
    return [
      ['-dashFirst1', entry('2021-03-17', `${stems.site}.mp4`, `${stems.site}-thumb.jpg`)],
      ['_underscor1', entry('2021-03-18', `${stems.nfo}.mp4`, `${stems.nfo}.nfo`)],
      ['goneForGoo1', entry('2021-03-19', `${stems.name}.mp4`)],
      ['infoOfVide1', entry('2021-03-20', `${stems.info}.mp4`)],
    ] as [string, object][];
  }
  // JSON.stringify cannot write a key such as __proto__.
  const serializeEntries = (entries: [string, unknown][]) =>
    `{${entries.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`).join(', ')}}`;

  test('ytdl-sub: reads id and date, and titles of unavailable videos from file names', async () => {
    await addFile(state, serializeEntries(await putShow()));
    const { dryRun, imported } = await importAfterDryRun();
    expect(dryRun.sentence).toBe(
      'Would import 4 videos: 1 by adjacent info.json (99 % confidence), 3 by ytdl-sub metadata (97 % confidence). Other files left in place: 1.',
    );
    expect(imported.sentence).toBe('Imported 4 videos. Other files left in place: 1.');
    expect(imported.lines).toEqual([]);
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
    expect((await runImport()).sentence).toContain('4 videos are already in the archive.');
  });

  test('deletes imported originals unless they are kept, and never metadata files', async () => {
    await addFile(state, serializeEntries(await putShow()));
    await runImport();
    expect(await namesIn(folder)).toEqual([state, `${show}/tvshow.nfo`]);
  });

  test('ytdl-sub: reports paths outside the folder and invalid entries, and imports the rest', async () => {
    const entries = await putShow();
    await addFile('bracket [bracketVid1].mp4');
    await addFile('TV/outside.mp4');
    const hostile: [string, unknown][] = [
      ['__proto__', entry('2021-01-01', '../outside.mp4')],
      ['constructor', 'no entry'],
      ['outsideVid1', entry('2021-01-01', '../outside.mp4', 'Season 2021/../../outside.mp4', '/etc/passwd.mp4')],
      ['ofNowhere01', { extractor: 'youtube', file_names: { length: 1e9 } }],
    ];
    await addFile(state, serializeEntries([...entries, ...hostile]));
    const { dryRun, imported } = await importAfterDryRun();
    const lines = [
      `${state}: 3 unreadable entries were skipped.`,
      `${state}: 3 listed files are outside its folder and were skipped.`,
    ];
    for (const reported of [dryRun.lines, imported.lines]) {
      expect(reported.slice(0, 2)).toEqual(lines);
      expect(reported[2]).toMatch(/^TV\/outside\.mp4: The video cannot be identified\./);
    }
    expect(imported.sentence).toMatch(/^Imported 5 videos\. 1 file was left in place\./);
  });

  test('keeps a metadata file of a video whose site is unavailable, unless its sidecar files suffice', async () => {
    await addFile(state, serializeEntries(await putShow()));
    t.app.tools.ytdlp = null;
    expect((await runImport({ leave_files: true })).sentence).toMatch(/^Imported 1 video\. 3 files were left/);
    expect((await runImport({ leave_files: true, prefer_local: true })).sentence).toMatch(
      /^Imported 3 videos\. 1 video is already in/,
    );
    expect(await videoOf(t, '-dashFirst1')).toMatchObject({ title: '🚂 Zug⧸Bahn', published: '2021-03-17T00:00:00+00:00' });
  });

  test.each([
    ['half', '{"-dashFirst1": {"upload_'],
    ['a list', '["-dashFirst1"]'],
    ['nothing', 'null'],
  ])('ytdl-sub: reports an archive file that is %s, and identifies files by other means', async (_, text) => {
    await addFile(`${show}/.ytdl-sub-a-download-archive.json`, text);
    await addFile(`${show}/bracket [bracketVid1].mp4`);
    const { imported } = await importAfterDryRun();
    expect(imported.sentence).toBe('Imported 1 video.');
    expect(imported.lines).toEqual([
      `${show}/.ytdl-sub-a-download-archive.json: The metadata of ytdl-sub cannot be read. Files are identified by other means.`,
    ]);
  });

  const list = 'metube/.metube/completed.json';
  test('MeTube: reads the URL of each file in all file versions', async () => {
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
    await addFile(list, { kind: 'queue', schema_version: 2, items });
    await addFile('metube/.metube/pending.json', { items: [] });
    const subscriptions = [{ url: 'https://www.youtube.com/@someone', name: 'Someone', seen_ids: ['a'] }];
    await addFile('metube/.metube/subscriptions.json', { kind: 'subscriptions', schema_version: 2, items: subscriptions });
    for (const name of ['🎬 A film', 'A list/Of a list', 'twice', 'gone', 'whose']) await addFile(`metube/${name}.mp4`);
    await addFile('outside.mp4');
    const { dryRun, imported } = await importAfterDryRun();
    const warnings = [
      `${list}: 1 unreadable entry was skipped.`,
      `${list}: 1 listed file is outside its folder and was skipped.`,
      `${list}: 1 file is listed for several videos and is identified by other means.`,
    ];
    expect(dryRun.sentence).toMatch(/^Would import 3 videos: 3 by MeTube metadata \(97 % confidence\)\. 3 files would be left/);
    expect(dryRun.lines.slice(0, 4)).toEqual([
      ...warnings,
      'metube/.metube/subscriptions.json: MeTube has 1 subscription. An import adds no subscriptions. Subscribe here: https://www.youtube.com/@someone',
    ]);
    expect(imported.lines.slice(0, 3)).toEqual(warnings);
    expect(imported.lines.slice(3).map((line) => line.split(': ')[0])).toEqual([
      'outside.mp4',
      'metube/twice.mp4',
      'metube/whose.mp4',
    ]);
    expect(await videoOf(t, '-metubeVid1')).toMatchObject({ title: 'From 🎬 MeTube', channel: { channel_id: channel.id } });
    expect(await videoOf(t, 'playlistVi1')).toMatchObject({ title: 'Of a list' });
    expect(await videoOf(t, 'goneForGoo1')).toMatchObject({ title: '🎞 It is gone' });
    expect((await t.staff.call('GET', '/api/channel/?filter=subscribed')).json().data).toEqual([]);
  });

  test('MeTube: reports a damaged or outdated list', async () => {
    await addFile(list, '{"items": [');
    await addFile('old/.metube/completed', 'any bytes');
    await addFile('metube/bracket [bracketVid1].mp4');
    const { imported } = await importAfterDryRun();
    expect(imported.sentence).toBe('Imported 1 video.');
    expect(imported.lines).toEqual([
      `${list}: The metadata of MeTube cannot be read. Files are identified by other means.`,
      'old/.metube/completed: The list is in the unsupported format of an old MeTube version. Start a current MeTube once, then import again.',
    ]);
  });

  const uuid = '0b3fa5c8-6d1e-4a57-9e0c-1f2d3c4b5a69';
  const recording = `Some_Streamer/2024-01-31-2049876543-archive-${uuid}`;
  const stream = `Some_Streamer/2024-02-01-40123456789-live-${uuid}`;
  test('Ganymede: reads its info file, else its folder, and keeps chats', async () => {
    await addFile(`${recording}/🎮 one-video.mp4`);
    await addFile(`${recording}/🎮 one-thumbnail.jpg`, { from: 'red.jpg' });
    await addFile(`${recording}/🎮 one-info.json`, {
      id: '2049876543',
      user_login: 'some_streamer',
      user_name: 'Some_Streamer',
      title: '🎮 Let’s play / all night',
      published_at: '2024-01-31T18:30:00Z',
      duration: `${seconds}s`,
      type: 'archive',
    });
    for (const chat of ['chat.json', 'live-chat.json']) await addFile(`${recording}/🎮 one-${chat}`, '[]');
    await addFile(`${recording}/🎮 one-chat.mp4`);
    await addFile(`${stream}/-two_-video.mp4`);
    await addFile(`${stream}/-two_-info.json`, '{"title": "half');
    const { dryRun, imported } = await importAfterDryRun({ prefer_local: true });
    expect(dryRun.sentence).toBe(
      'Would import 2 videos: 1 by Ganymede metadata (97 % confidence), 1 by Ganymede folder (95 % confidence). Other files left in place: 3.',
    );
    expect(imported.sentence).toBe('Imported 2 videos. Other files left in place: 3.');
    expect(imported.lines).toEqual([`${stream}/-two_-video.mp4 (-two_-info.json): The file is damaged and was skipped.`]);
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
