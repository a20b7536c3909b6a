import { copyFile, mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importFolder } from '#server/platform/config/data-folder.ts';
import { workFolder } from '#server/platform/files/files.ts';
import { aCatalogue, aVideo } from '../../test-site/builders.ts';
import { createArchive, inconsistencies, hasTools, queueOf, videoOf, type TestSiteArchive } from '../support/acquisition.ts';
import { channel, listFiles, infoOf, namesIn, packetsOf, seconds, createImportSources } from '../support/importing.ts';

const siteVideo = (id: string, title: string, overrides: object = {}) =>
  aVideo({ id, channelId: channel.id, title, durationSeconds: seconds, ...overrides });
const emojiTitle = '🚂 Zug/Bahn \\ “23:40”';
const videos = [
  siteVideo('-dashFirst1', emojiTitle),
  siteVideo('_underscor1', 'Under'),
  siteVideo('muteVideo01', 'Without a word'),
  siteVideo('taggedVid01', 'Tagged'),
  siteVideo('nfoNamed001', 'Named by its NFO'),
  siteVideo('privateVid1', 'Not for you', { fails: 'private' }),
  siteVideo('endingVide1', 'Ends right'),
  siteVideo('endingVide2', 'Ends wrong', { durationSeconds: 60 }),
  siteVideo('tooShortVi1', 'Only the beginning', { durationSeconds: 60 }),
];

const vtt = (words: string) => `WEBVTT\n\n00:00.500 --> 00:01.500\n${words}\n`;

describe.runIf(hasTools)('the import folder', () => {
  let t: TestSiteArchive;
  let sources: Awaited<ReturnType<typeof createImportSources>>;
  let folder: string;
  let before: string[];
  let packets: string;
  const addFile = async (name: string, from: string | { text: string }) => {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    if (typeof from === 'string') await copyFile(sources.at(from), join(folder, name));
    else await writeFile(join(folder, name), from.text);
  };
  const mediaPath = (path: string) => join(t.app.config.mediaFolder, path);
  /** Runs the import through the API. Returns its result and the lines of its report. */
  async function runImport(body: object = {}) {
    const response = await t.staff.call('POST', '/api/appsettings/manual-import/', body);
    expect(response.json()).toEqual({ task_id: expect.any(String), status: 'PENDING' });
    await t.runner.idle();
    const { task_id } = response.json() as { task_id: string };
    const notices = (await t.staff.call('GET', '/api/notification/')).json() as { id: string; messages: string[] }[];
    const { status, result } = (await t.staff.call('GET', `/api/task/by-id/${task_id}/`)).json();
    expect(status).toBe('SUCCESS');
    return { result: result as string, lines: notices.find(({ id }) => id === task_id)?.messages ?? [] };
  }
  let dryRun: Awaited<ReturnType<typeof runImport>>;
  let imported: Awaited<ReturnType<typeof runImport>>;

  beforeAll(async () => {
    sources = await createImportSources();
    t = await createArchive(aCatalogue({ channels: [channel], videos }));
    folder = importFolder(t.app.config);
    const emoji = 'Night Trains/🚂 Zug⧸Bahn ⧹ “23：40” [-dashFirst1]';
    await addFile(`${emoji}.mp4`, 'whole.mp4');
    await utimes(join(folder, `${emoji}.mp4`), 1_500_000_000, 1_500_000_000);
    const subtitles = { 'zh-Hans': [{ name: 'Chinese (Simplified)' }] };
    await addFile(`${emoji}.info.json`, { text: infoOf('-dashFirst1', { subtitles, automatic_captions: { 'zh-TW': [{}] } }) });
    await addFile(`${emoji}.zh-Hans.vtt`, { text: vtt('请上车') });
    await addFile(`${emoji}.zh-TW.vtt`, { text: vtt('請上車') });
    await addFile(`${emoji}.webp`, 'cover.jpg');
    await addFile(`${emoji}.description`, { text: 'Over the bridge.' });
    await addFile(`Night Trains/Night Trains [${channel.id}].info.json`, { text: infoOf(channel.id, { _type: 'playlist' }) });
    await addFile('Under [_underscor1].m4v', 'whole.mp4');
    await addFile('Under [_underscor1].en-US.srt', 'one.srt');
    await addFile('Under [_underscor1].info.json', { text: infoOf('PLotherlist', { _type: 'playlist' }) });
    await addFile('Mute [muteVideo01].mp4', 'mute.mp4');
    await addFile('deep/er/Just a title.mkv', 'tagged.mkv');
    packets = packetsOf(sources.at('tagged.mkv'));
    await addFile('Season 2021/s2021.e01 - A title.mkv', 'vp9.mkv');
    const unique = '<uniqueid type="imdb">tt0133093</uniqueid><uniqueid type="youtube" default="True">nfoNamed001</uniqueid>';
    await addFile('Season 2021/s2021.e01 - A title.nfo', {
      text: `<?xml version="1.0"?><episodedetails>${unique}</episodedetails>`,
    });
    await addFile('Season 2021/s2021.e01 - A title-thumb.jpg', 'cover.jpg');
    await addFile('privateVid1.mp4', 'whole.mp4');
    await addFile('privateVid1.info.json', {
      text: infoOf('privateVid1', { comments: [{ id: 'c1', text: 'I saw it', author: '@ann' }] }),
    });
    await addFile('Some title-endingVide1.mp4', 'whole.mp4');
    await addFile('Other title-endingVide2.mp4', 'whole.mp4');
    await addFile('Beginning [tooShortVi1].mp4', 'whole.mp4');
    await addFile('Nobody knows a-thing-about-it.mp4', 'whole.mp4');
    await addFile('Broken [brokenVide1].mp4', { text: 'not a video' });
    await addFile('Half [halfOfVideo].mp4.part', { text: 'part' });
    await addFile('Half [halfOfVideo].f137.mp4', { text: 'part' });
    await addFile('old.avi', { text: 'avi' });
    before = await listFiles(folder);
    dryRun = await runImport({ dry_run: true });
    expect(await listFiles(folder)).toEqual(before);
    expect((await t.staff.call('GET', '/api/video/')).json().data).toEqual([]);
    expect(await queueOf(t)).toEqual([]);
    expect(await readdir(workFolder(t.app.config))).toEqual([]);
    imported = await runImport();
  });
  afterAll(async () => {
    await t.close();
    await sources.remove();
  });

  test('a dry run reports how each file is identified, and every problem', () => {
    const [sentence, ...problems] = dryRun.result.split('\n');
    expect(sentence).toBe(
      'Would import 8 videos: 2 by adjacent info.json (99 % confidence), 1 by adjacent NFO file (97 % confidence), 3 by [ID] in the file name (95 % confidence), 1 by embedded URL (95 % confidence), 1 by end of file name and duration (60 % confidence). 4 files would be left in place. Other files left in place: 3.',
    );
    expect(problems).toEqual([
      expect.stringMatching(/^old\.avi: The file format is not supported/),
      expect.stringMatching(/^Broken \[brokenVide1\]\.mp4: The file cannot be read to its end as a video/),
      expect.stringMatching(/^Nobody knows a-thing-about-it\.mp4: The video cannot be identified/),
      expect.stringMatching(/^Other title-endingVide2\.mp4: The video may be endingVide2, “Ends wrong”/),
      expect.stringMatching(/^Half .*\.f137\.mp4: The download is incomplete\./),
      expect.stringMatching(/^Half .*\.mp4\.part: The download is incomplete\./),
      expect.stringMatching(/^Night Trains.*info\.json: The file is not a video and belongs to no video in the folder\./),
    ]);
  });

  test('archives identified files, keeps and names the others', async () => {
    expect(imported.result).toBe('Imported 7 videos. 5 files were left in place. Other files left in place: 3.');
    expect(imported.lines.join('\n')).toMatch(/Beginning \[tooShortVi1\]\.mp4: The file is 4 s long, but the video 60 s/);
    expect(imported.lines.join('\n')).toMatch(/Mute \[muteVideo01\]\.mp4: The file has no audio track\./);
    expect(await namesIn(folder)).toEqual(
      [
        `Night Trains/Night Trains [${channel.id}].info.json`,
        'Night Trains/🚂 Zug⧸Bahn ⧹ “23：40” [-dashFirst1].description',
        'Under [_underscor1].info.json',
        'Other title-endingVide2.mp4',
        'Beginning [tooShortVi1].mp4',
        'Nobody knows a-thing-about-it.mp4',
        'Broken [brokenVide1].mp4',
        'Half [halfOfVideo].mp4.part',
        'Half [halfOfVideo].f137.mp4',
        'old.avi',
      ].sort(),
    );
    expect((await readdir(folder)).filter((name) => ['deep', 'Season 2021'].includes(name))).toEqual([]);
    expect(await queueOf(t)).toEqual([]);
  });

  test('keeps titles with emoji and slashes, and ids that start with - or _', async () => {
    const dashed = await videoOf(t, '-dashFirst1');
    expect(dashed).toMatchObject({
      title: emojiTitle,
      date_downloaded: 1_600_000_000,
      media_url: `/youtube/${channel.id}/-dashFirst1.mp4`,
      channel: { channel_name: 'Night Trains' },
    });
    expect(await videoOf(t, '_underscor1')).toMatchObject({
      title: 'Under',
      media_url: `/youtube/${channel.id}/_underscor1.mp4`,
    });
    const storedInfo = JSON.parse(await readFile(mediaPath(`${channel.id}/-dashFirst1.info.json`), 'utf8'));
    expect(storedInfo.title).toBe('Once called -dashFirst1');
    const fetchedInfo = JSON.parse(await readFile(mediaPath(`${channel.id}/_underscor1.info.json`), 'utf8'));
    expect(fetchedInfo).toMatchObject({ id: '_underscor1', title: 'Under' });
  });

  test('keeps both Chinese language codes, and converts SRT to WebVTT', async () => {
    const { subtitles } = await videoOf(t, '-dashFirst1');
    expect(subtitles.map((one: { lang: string; source: string; name: string }) => [one.lang, one.source, one.name])).toEqual([
      ['zh-Hans', 'user', 'Chinese (Simplified)'],
      ['zh-TW', 'auto', 'zh-TW'],
    ]);
    expect(await readFile(mediaPath(`${channel.id}/-dashFirst1.zh-TW.vtt`), 'utf8')).toContain('請上車');
    expect(await readFile(mediaPath(`${channel.id}/_underscor1.en-US.vtt`), 'utf8')).toMatch(
      /^WEBVTT[^]*00:00:00\.500 --> 00:00:01\.500\nAlle einsteigen &amp; bitte/,
    );
  });

  test('remuxes a compatible MKV without changing packets, and extracts its attachments', async () => {
    const video = await videoOf(t, 'taggedVid01');
    expect(video.media_url).toBe(`/youtube/${channel.id}/taggedVid01.mp4`);
    expect(packetsOf(mediaPath(`${channel.id}/taggedVid01.mp4`))).toBe(packets);
    expect((await readFile(mediaPath(`${channel.id}/taggedVid01.mp4`))).subarray(4, 8).toString()).toBe('ftyp');
    expect(video.subtitles).toMatchObject([{ lang: 'de', source: 'file' }]);
    expect((await t.server.inject({ url: video.vid_thumb_url, headers: t.staff.headers })).headers['content-type']).toBe(
      'image/jpeg',
    );
  });

  test('keeps an incompatible MKV unchanged', async () => {
    expect(await videoOf(t, 'nfoNamed001')).toMatchObject({
      title: 'Named by its NFO',
      media_url: `/youtube/${channel.id}/nfoNamed001.mkv`,
    });
    expect(await readFile(mediaPath(`${channel.id}/nfoNamed001.mkv`))).toEqual(await readFile(sources.at('vp9.mkv')));
  });

  test('imports a video without audio, and an unavailable one by its info.json', async () => {
    expect((await videoOf(t, 'muteVideo01')).streams.map(({ type }: { type: string }) => type)).toEqual(['video']);
    expect(await videoOf(t, 'privateVid1')).toMatchObject({
      title: 'Once called privateVid1',
      is_protected: true,
      published: expect.stringContaining('2020-02-29'),
      comment_count: 1,
    });
  });

  test('a second run changes nothing', async () => {
    const files = await listFiles(t.app.config.mediaFolder);
    const remaining = await listFiles(folder);
    expect((await runImport()).result).toBe('Imported 0 videos. 5 files were left in place. Other files left in place: 5.');
    expect(await listFiles(t.app.config.mediaFolder)).toEqual(files);
    expect(await listFiles(folder)).toEqual(remaining);
  });

  test('reports and skips archived videos', async () => {
    const video = await videoOf(t, 'taggedVid01');
    await addFile('Again [taggedVid01].mp4', 'whole.mp4');
    const { result, lines } = await runImport();
    expect(result).toContain('1 video is already in the archive.');
    expect(lines.join('\n')).toContain(
      'Again [taggedVid01].mp4: The video is already in the archive. The file was left in place.',
    );
    expect(await namesIn(folder)).toContain('Again [taggedVid01].mp4');
    expect(await videoOf(t, 'taggedVid01')).toEqual(video);
    await rm(join(folder, 'Again [taggedVid01].mp4'));
  });

  test('accepts a wrong duration when errors are ignored', async () => {
    const { lines } = await runImport({ ignore_error: true });
    expect(await videoOf(t, 'tooShortVi1')).toMatchObject({ player: { duration: seconds } });
    expect(await videoOf(t, 'endingVide2')).toBeNull();
    expect(lines.join('\n')).toContain('The file was imported anyway.');
  });

  test('reads subtitles and info.json in the encodings of other editors, and keeps unreadable subtitles', async () => {
    const name = 'Umlauts [umlautsVid1]';
    const srt = '1\n00:00:00,500 --> 00:00:01,500\nAlle ausgestiegen, Übermüdete\n';
    await addFile(`${name}.mp4`, 'whole.mp4');
    await writeFile(join(folder, `${name}.info.json`), `\ufeff${infoOf('umlautsVid1')}`);
    await writeFile(join(folder, `${name}.de.srt`), Buffer.from(`\ufeff${srt}`, 'utf16le'));
    await writeFile(join(folder, `${name}.de-AT.srt`), Buffer.from(srt, 'latin1'));
    await addFile(`${name}.fr.srt`, { text: 'rien' });
    const { lines } = await runImport({ prefer_local: true });
    expect((await videoOf(t, 'umlautsVid1')).subtitles).toMatchObject([{ lang: 'de' }]);
    expect(await readFile(mediaPath(`${channel.id}/umlautsVid1.de.vtt`), 'utf8')).toContain('Übermüdete');
    for (const subtitle of [`${name}.de-AT.srt`, `${name}.fr.srt`])
      expect(lines).toContainEqual(expect.stringContaining(`(${subtitle}): The file contains no readable UTF-8 subtitles`));
    const remaining = (await namesIn(folder)).filter((one) => one.startsWith('Umlauts'));
    expect(remaining).toEqual([`${name}.de-AT.srt`, `${name}.fr.srt`]);
  });

  test('reports and keeps an unrelated JSON file', async () => {
    await addFile('Chat [jsonListVi1].mp4', 'whole.mp4');
    await addFile('Chat [jsonListVi1].json', { text: '[{"said": "hello"}]' });
    const { lines } = await runImport({ dry_run: true });
    expect(lines).toContainEqual(
      expect.stringMatching(/\(Chat \[jsonListVi1\]\.json\): The file is not the info\.json of a video and was skipped\.$/),
    );
    expect(lines.join('\n')).not.toContain('invalid_type');
  });

  test('names files that cannot be imported, with the reason', async () => {
    await rm(folder, { recursive: true });
    await addFile('Half [halfOfVideo].mp4.part', { text: 'part' });
    await addFile('Show/poster.jpg', 'cover.jpg');
    const { result, lines } = await runImport();
    expect(result).toBe('No file in the import folder can be imported. Files left in place: 2.');
    expect(lines.join('\n')).toContain('Half [halfOfVideo].mp4.part: The download is incomplete. Finish it first.');
    expect(lines.join('\n')).toContain('Show/poster.jpg: The file is not a video and belongs to no video in the folder.');
    expect(await namesIn(folder)).toHaveLength(2);
    await rm(folder, { recursive: true });
    await mkdir(folder);
    expect((await runImport()).result).toBe('The import folder is empty.');
  });

  test('leaves rows and files consistent', async () => {
    expect(await inconsistencies(t)).toEqual([]);
  });
});
