import { copyFile, mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importFolder } from '#server/data-folder.ts';
import { incomingFolder } from '#server/media/shelf.ts';
import { aCatalogue, aVideo } from '#standin/builders.ts';
import { anArchiveWith, complaints, hasTools, queueOf, videoOf, type Acquiring } from './acquiring.ts';
import { channel, everyFile, infoOf, namesIn, packetsOf, seconds, importTools } from './importing.ts';

const there = (id: string, title: string, more: object = {}) =>
  aVideo({ id, channelId: channel.id, title, durationSeconds: seconds, ...more });
const emojiTitle = '🚂 Zug/Bahn \\ “23:40”';
const videos = [
  there('-dashFirst1', emojiTitle),
  there('_underscor1', 'Under'),
  there('muteVideo01', 'Without a word'),
  there('taggedVid01', 'Tagged'),
  there('nfoNamed001', 'Named by its NFO'),
  there('privateVid1', 'Not for you', { fails: 'private' }),
  there('endingVide1', 'Ends right'),
  there('endingVide2', 'Ends wrong', { durationSeconds: 60 }),
  there('tooShortVi1', 'Only the beginning', { durationSeconds: 60 }),
];

const vtt = (words: string) => `WEBVTT\n\n00:00.500 --> 00:01.500\n${words}\n`;

describe.runIf(hasTools)('the import folder', () => {
  let t: Acquiring;
  let shop: Awaited<ReturnType<typeof importTools>>;
  let folder: string;
  let before: string[];
  let packets: string;
  const put = async (name: string, from: string | { text: string }) => {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    if (typeof from === 'string') await copyFile(shop.at(from), join(folder, name));
    else await writeFile(join(folder, name), from.text);
  };
  const shelf = (path: string) => join(t.archive.config.mediaFolder, path);
  /** Runs the import as a person does; answers its sentence and the lines of its report. */
  async function bring(body: object = {}) {
    const answer = await t.staff.call('POST', '/api/appsettings/manual-import/', body);
    expect(answer.json()).toEqual({ task_id: expect.any(String), status: 'PENDING' });
    await t.runner.idle();
    const { task_id } = answer.json() as { task_id: string };
    const notices = (await t.staff.call('GET', '/api/notification/')).json() as { id: string; messages: string[] }[];
    const { status, result } = (await t.staff.call('GET', `/api/task/by-id/${task_id}/`)).json();
    expect(status).toBe('SUCCESS');
    return { result: result as string, lines: notices.find(({ id }) => id === task_id)?.messages ?? [] };
  }
  let looked: Awaited<ReturnType<typeof bring>>;
  let done: Awaited<ReturnType<typeof bring>>;

  beforeAll(async () => {
    shop = await importTools();
    t = await anArchiveWith(aCatalogue({ channels: [channel], videos }));
    folder = importFolder(t.archive.config);
    const emoji = 'Night Trains/🚂 Zug⧸Bahn ⧹ “23：40” [-dashFirst1]';
    await put(`${emoji}.mp4`, 'whole.mp4');
    await utimes(join(folder, `${emoji}.mp4`), 1_500_000_000, 1_500_000_000);
    const subtitles = { 'zh-Hans': [{ name: 'Chinese (Simplified)' }] };
    await put(`${emoji}.info.json`, { text: infoOf('-dashFirst1', { subtitles, automatic_captions: { 'zh-TW': [{}] } }) });
    await put(`${emoji}.zh-Hans.vtt`, { text: vtt('请上车') });
    await put(`${emoji}.zh-TW.vtt`, { text: vtt('請上車') });
    await put(`${emoji}.webp`, 'cover.jpg');
    await put(`${emoji}.description`, { text: 'Over the bridge.' });
    await put(`Night Trains/Night Trains [${channel.id}].info.json`, { text: infoOf(channel.id, { _type: 'playlist' }) });
    await put('Under [_underscor1].m4v', 'whole.mp4');
    await put('Under [_underscor1].en-US.srt', 'one.srt');
    await put('Under [_underscor1].info.json', { text: infoOf('PLotherlist', { _type: 'playlist' }) });
    await put('Mute [muteVideo01].mp4', 'mute.mp4');
    await put('deep/er/Just a title.mkv', 'tagged.mkv');
    packets = packetsOf(shop.at('tagged.mkv'));
    await put('Season 2021/s2021.e01 - A title.mkv', 'vp9.mkv');
    const unique = '<uniqueid type="imdb">tt0133093</uniqueid><uniqueid type="youtube" default="True">nfoNamed001</uniqueid>';
    await put('Season 2021/s2021.e01 - A title.nfo', { text: `<?xml version="1.0"?><episodedetails>${unique}</episodedetails>` });
    await put('Season 2021/s2021.e01 - A title-thumb.jpg', 'cover.jpg');
    await put('privateVid1.mp4', 'whole.mp4');
    await put('privateVid1.info.json', {
      text: infoOf('privateVid1', { comments: [{ id: 'c1', text: 'I saw it', author: '@ann' }] }),
    });
    await put('Some title-endingVide1.mp4', 'whole.mp4');
    await put('Other title-endingVide2.mp4', 'whole.mp4');
    await put('Beginning [tooShortVi1].mp4', 'whole.mp4');
    await put('Nobody knows a-thing-about-it.mp4', 'whole.mp4');
    await put('Broken [brokenVide1].mp4', { text: 'not a video' });
    await put('Half [halfOfVideo].mp4.part', { text: 'part' });
    await put('Half [halfOfVideo].f137.mp4', { text: 'part' });
    await put('old.avi', { text: 'avi' });
    before = await everyFile(folder);
    looked = await bring({ dry_run: true });
    expect(await everyFile(folder)).toEqual(before);
    expect((await t.staff.call('GET', '/api/video/')).json().data).toEqual([]);
    expect(await queueOf(t)).toEqual([]);
    expect(await readdir(incomingFolder(t.archive.config.mediaFolder))).toEqual([]);
    done = await bring();
  });
  afterAll(async () => {
    await t.close();
    await shop.remove();
  });

  test('a look beforehand says how each would be recognised, and every problem', () => {
    const [sentence, ...problems] = looked.result.split('\n');
    expect(sentence).toBe(
      'Would bring in 8 videos: 2 by the info.json beside (99 % sure), 1 by the NFO beside (97 % sure), 3 by the [id] in the name (95 % sure), 1 by the address inside (95 % sure), 1 by the end of the name and the length (60 % sure). 4 would be left where they are. Other files that stay where they are: 3.',
    );
    expect(problems).toEqual([
      expect.stringMatching(/^old\.avi: Files of this kind cannot be brought in/),
      expect.stringMatching(/^Broken \[brokenVide1\]\.mp4: It cannot be read as a video/),
      expect.stringMatching(/^Nobody knows a-thing-about-it\.mp4: Nothing tells which video it is/),
      expect.stringMatching(/^Other title-endingVide2\.mp4: Please confirm: it may be endingVide2, “Ends wrong”/),
      expect.stringMatching(/^Half .*\.f137\.mp4: It is an unfinished download\./),
      expect.stringMatching(/^Half .*\.mp4\.part: It is an unfinished download\./),
      expect.stringMatching(/^Night Trains.*info\.json: It is no video, and belongs to none that is here\./),
    ]);
  });

  test('what could be recognised is in the archive, the rest stays and is named', async () => {
    expect(done.result).toBe('Brought in 7 videos. 5 were left where they are. Other files that stay where they are: 3.');
    expect(done.lines.join('\n')).toMatch(/Beginning \[tooShortVi1\]\.mp4: The file lasts 4 s, but the video 60 s/);
    expect(done.lines.join('\n')).toMatch(/Mute \[muteVideo01\]\.mp4: It has no sound\./);
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

  test('titles with emoji and slashes, and ids that begin with - and _, come as the site has them', async () => {
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
    const kept = JSON.parse(await readFile(shelf(`${channel.id}/-dashFirst1.info.json`), 'utf8'));
    expect(kept.title).toBe('Once called -dashFirst1');
    const asked = JSON.parse(await readFile(shelf(`${channel.id}/_underscor1.info.json`), 'utf8'));
    expect(asked).toMatchObject({ id: '_underscor1', title: 'Under' });
  });

  test('both variants of Chinese keep their whole codes, SRT becomes WebVTT', async () => {
    const { subtitles } = await videoOf(t, '-dashFirst1');
    expect(subtitles.map((one: { lang: string; source: string; name: string }) => [one.lang, one.source, one.name])).toEqual([
      ['zh-Hans', 'user', 'Chinese (Simplified)'],
      ['zh-TW', 'auto', 'zh-TW'],
    ]);
    expect(await readFile(shelf(`${channel.id}/-dashFirst1.zh-TW.vtt`), 'utf8')).toContain('請上車');
    expect(await readFile(shelf(`${channel.id}/_underscor1.en-US.vtt`), 'utf8')).toMatch(
      /^WEBVTT[^]*00:00:00\.500 --> 00:00:01\.500\nAlle einsteigen &amp; bitte/,
    );
  });

  test('an MKV that fits into an MP4 becomes one, with the same packets; what is inside is taken out', async () => {
    const video = await videoOf(t, 'taggedVid01');
    expect(video.media_url).toBe(`/youtube/${channel.id}/taggedVid01.mp4`);
    expect(packetsOf(shelf(`${channel.id}/taggedVid01.mp4`))).toBe(packets);
    expect((await readFile(shelf(`${channel.id}/taggedVid01.mp4`))).subarray(4, 8).toString()).toBe('ftyp');
    expect(video.subtitles).toMatchObject([{ lang: 'de', source: 'file' }]);
    expect((await t.app.inject({ url: video.vid_thumb_url, headers: t.staff.headers })).headers['content-type']).toBe(
      'image/jpeg',
    );
  });

  test('one that does not fit stays an MKV, bit by bit', async () => {
    expect(await videoOf(t, 'nfoNamed001')).toMatchObject({
      title: 'Named by its NFO',
      media_url: `/youtube/${channel.id}/nfoNamed001.mkv`,
    });
    expect(await readFile(shelf(`${channel.id}/nfoNamed001.mkv`))).toEqual(await readFile(shop.at('vp9.mkv')));
  });

  test('a video without sound is taken; one that its site does not show any more comes from its info.json', async () => {
    expect((await videoOf(t, 'muteVideo01')).streams.map(({ type }: { type: string }) => type)).toEqual(['video']);
    expect(await videoOf(t, 'privateVid1')).toMatchObject({
      title: 'Once called privateVid1',
      is_kept: true,
      published: expect.stringContaining('2020-02-29'),
      comment_count: 1,
    });
  });

  test('a second run does nothing', async () => {
    const files = await everyFile(t.archive.config.mediaFolder);
    const left = await everyFile(folder);
    expect((await bring()).result).toBe(
      'Brought in 0 videos. 5 were left where they are. Other files that stay where they are: 5.',
    );
    expect(await everyFile(t.archive.config.mediaFolder)).toEqual(files);
    expect(await everyFile(folder)).toEqual(left);
  });

  test('what is in the archive already is reported and left alone', async () => {
    const video = await videoOf(t, 'taggedVid01');
    await put('Again [taggedVid01].mp4', 'whole.mp4');
    const { result, lines } = await bring();
    expect(result).toContain('1 video is in the archive already.');
    expect(lines.join('\n')).toContain('Again [taggedVid01].mp4: It is in the archive already, and was left alone.');
    expect(await namesIn(folder)).toContain('Again [taggedVid01].mp4');
    expect(await videoOf(t, 'taggedVid01')).toEqual(video);
    await rm(join(folder, 'Again [taggedVid01].mp4'));
  });

  test('a length that is wrong is no reason any more when errors are to be ignored', async () => {
    const { lines } = await bring({ ignore_error: true });
    expect(await videoOf(t, 'tooShortVi1')).toMatchObject({ player: { duration: seconds } });
    expect(await videoOf(t, 'endingVide2')).toBeNull();
    expect(lines.join('\n')).toContain('it was taken all the same');
  });

  test('subtitles and info.json are read as editors of other systems save them; subtitles that cannot be read stay', async () => {
    const name = 'Umlauts [umlautsVid1]';
    const srt = '1\n00:00:00,500 --> 00:00:01,500\nAlle ausgestiegen, Übermüdete\n';
    await put(`${name}.mp4`, 'whole.mp4');
    await writeFile(join(folder, `${name}.info.json`), `\ufeff${infoOf('umlautsVid1')}`);
    await writeFile(join(folder, `${name}.de.srt`), Buffer.from(`\ufeff${srt}`, 'utf16le'));
    await writeFile(join(folder, `${name}.de-AT.srt`), Buffer.from(srt, 'latin1'));
    await put(`${name}.fr.srt`, { text: 'rien' });
    const { lines } = await bring({ prefer_local: true });
    expect((await videoOf(t, 'umlautsVid1')).subtitles).toMatchObject([{ lang: 'de' }]);
    expect(await readFile(shelf(`${channel.id}/umlautsVid1.de.vtt`), 'utf8')).toContain('Übermüdete');
    for (const left of [`${name}.de-AT.srt`, `${name}.fr.srt`])
      expect(lines).toContainEqual(expect.stringContaining(`(${left}): No subtitles in UTF-8 could be read in it`));
    const mine = (await namesIn(folder)).filter((one) => one.startsWith('Umlauts'));
    expect(mine).toEqual([`${name}.de-AT.srt`, `${name}.fr.srt`]);
  });

  test('a JSON beside that is something else is told in words, and stays', async () => {
    await put('Chat [jsonListVi1].mp4', 'whole.mp4');
    await put('Chat [jsonListVi1].json', { text: '[{"said": "hello"}]' });
    const { lines } = await bring({ dry_run: true });
    expect(lines).toContainEqual(
      expect.stringMatching(/\(Chat \[jsonListVi1\]\.json\): It is no info\.json of a video, and was passed over\.$/),
    );
    expect(lines.join('\n')).not.toContain('invalid_type');
  });

  test('where nothing can be brought in, what lies there is named, and why it stays', async () => {
    await rm(folder, { recursive: true });
    await put('Half [halfOfVideo].mp4.part', { text: 'part' });
    await put('Show/poster.jpg', 'cover.jpg');
    const { result, lines } = await bring();
    expect(result).toBe('Nothing in the import folder can be brought in. Files that stay where they are: 2.');
    expect(lines.join('\n')).toContain('Half [halfOfVideo].mp4.part: It is an unfinished download. Let it be finished first.');
    expect(lines.join('\n')).toContain('Show/poster.jpg: It is no video, and belongs to none that is here.');
    expect(await namesIn(folder)).toHaveLength(2);
    await rm(folder, { recursive: true });
    await mkdir(folder);
    expect((await bring()).result).toBe('There is nothing in the import folder.');
  });

  test('and every promise about files and rows holds', async () => {
    expect(await complaints(t)).toEqual([]);
  });
});
