import { execFileSync } from 'node:child_process';
import { chmod, copyFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { importFolder } from '#server/data-folder.ts';
import { importAll } from '#server/library/import-folder.ts';
import { ImportInput } from '#server/library/importing.ts';
import { aUser, testArchive } from '#server/testing.ts';
import { complaints, hasTools } from './acquiring.ts';
import { importTools, infoOf, namesIn } from './importing.ts';

describe.runIf(hasTools)('what stands beside a video that is imported', () => {
  let t: Awaited<ReturnType<typeof testArchive>>;
  let staff: Awaited<ReturnType<typeof aUser>>;
  let shop: Awaited<ReturnType<typeof importTools>>;
  let folder: string;
  const id = 'besideVide1';
  const stem = `A title [${id}]`;
  beforeAll(async () => {
    shop = await importTools();
  });
  afterAll(() => shop.remove());
  beforeEach(async () => {
    t = await testArchive({ withTools: true });
    t.archive.tools.ytdlp = null; // nothing here needs a site
    staff = await aUser(t, { isStaff: true });
    folder = importFolder(t.archive.config);
    await copyFile(shop.at('whole.mp4'), join(folder, `${stem}.mp4`));
  });
  afterEach(async () => {
    expect(await complaints(t)).toEqual([]);
    await t.close();
  });

  const put = (ending: string, content: string | Buffer) => writeFile(join(folder, `${stem}${ending}`), content);
  async function bring(input: object = {}) {
    const lines: string[] = [];
    const result = await importAll(t.archive, {
      id: 'work',
      input: ImportInput.parse({ prefer_local: true, ...input }),
      againSince: null,
      signal: new AbortController().signal,
      report() {},
      note() {},
      skip: (what, why) => void lines.push(`${what}: ${why instanceof Error ? why.message : String(why)}`),
    });
    return { result, lines, left: await namesIn(folder) };
  }
  const video = async () => (await staff.call('GET', `/api/video/${id}/`)).json();

  test('a description that says something else than the info.json stays; one that says the same goes', async () => {
    await put('.info.json', infoOf(id, { description: 'First line\nSecond line' }));
    await put('.description', 'What it once said.');
    const { lines, left } = await bring();
    expect((await video()).description).toBe('First line\nSecond line');
    expect(left).toEqual([`${stem}.description`]);
    expect(lines).toEqual([
      `${stem}.mp4 (${stem}.description): It says something else than what the video has now, so it stays where it is.`,
    ]);
  });

  test('whatever the ends of its lines are', async () => {
    await put('.info.json', infoOf(id, { description: 'First line\nSecond line' }));
    await put('.description', 'First line\r\nSecond line\r\n');
    expect(await bring()).toMatchObject({ lines: [], left: [] });
  });

  test('a description that nobody can read stays, and is not taken', async () => {
    await put('.info.json', infoOf(id));
    await put('.description', Buffer.from('Übermüdete', 'latin1'));
    const { lines, left } = await bring();
    expect((await video()).description ?? '').toBe('');
    expect(left).toEqual([`${stem}.description`]);
    expect(lines).toEqual([`${stem}.mp4 (${stem}.description): It is not in UTF-8, so it stays where it is.`]);
  });

  test.skipIf(process.getuid?.() === 0)('and the video itself: what may not be read is said to be just that', async () => {
    await put('.info.json', infoOf(id));
    await chmod(join(folder, `${stem}.mp4`), 0);
    const { lines } = await bring();
    expect(lines).toEqual([`${stem}.mp4: It may not be read, or its place may not be written (EACCES).`]);
  });

  test.skipIf(process.getuid?.() === 0)('what beside it may not be read stays', async () => {
    await put('.info.json', infoOf(id));
    for (const ending of ['.nfo', '.description', '.jpg', '.en.srt']) {
      await put(ending, 'text');
      await chmod(join(folder, `${stem}${ending}`), 0);
    }
    const { result, left } = await bring();
    expect(result).toBe('Brought in 1 video.');
    expect(left).toEqual(['.description', '.en.srt', '.jpg', '.nfo'].map((ending) => stem + ending));
  });

  test('subtitles as JSON3 come along, and what nothing is made of is counted, and named when somebody only looks', async () => {
    await put('.info.json', infoOf(id));
    await put('.fr.json3', JSON.stringify({ events: [{ tStartMs: 0, dDurationMs: 900, segs: [{ utf8: 'Salut' }] }] }));
    await put('.live_chat.json', '{}');
    await put('.mp4.part', 'part');
    const [sentence, ...named] = (await bring({ dry_run: true })).result.split('\n');
    expect(sentence).toMatch(/^Would bring in 1 video: .* Other files that stay where they are: 2\.$/);
    expect(named).toEqual([
      `${stem}.mp4.part: It is an unfinished download. Let it be finished first.`,
      `${stem}.live_chat.json: Nothing like it is brought in.`,
    ]);
    const { result, lines } = await bring();
    expect([result, lines]).toEqual(['Brought in 1 video. Other files that stay where they are: 2.', []]);
    expect((await video()).subtitles).toMatchObject([{ lang: 'fr' }]);
  });

  test('sound alone is brought in as WAV too', async () => {
    await rm(join(folder, `${stem}.mp4`));
    execFileSync(process.env.REELKEEP_FFMPEG!, ['-v', 'error', '-i', shop.at('whole.mp4'), '-vn', join(folder, `${stem}.wav`)]);
    await put('.info.json', infoOf(id));
    expect(await bring()).toEqual({ result: 'Brought in 1 video.', lines: [], left: [] });
    expect((await video()).media_url).toMatch(/\.wav$/);
  });

  test.each(['.opus', '.ogg', '.mp3', '.flac'])(
    'the address that stands inside sound as %s tells which video it is',
    async (ending) => {
      await rm(join(folder, `${stem}.mp4`));
      const address = `purl=https://www.youtube.com/watch?v=${id}`;
      const made = ['-vn', '-metadata', address, join(folder, `Just a title${ending}`)];
      execFileSync(process.env.REELKEEP_FFMPEG!, ['-v', 'error', '-i', shop.at('whole.mp4'), ...made]);
      expect((await bring({ dry_run: true })).result).toBe('Would bring in 1 video: 1 by the address inside (95 % sure).');
    },
  );

  test('of one whose day nobody tells the day is the one when it was fetched', async () => {
    await put('.info.json', infoOf(id, { upload_date: null, epoch: null }));
    await utimes(join(folder, `${stem}.mp4`), 1_500_000_000, 1_500_000_000);
    await bring();
    expect(await video()).toMatchObject({ published: '2017-07-14T02:40:00+00:00', date_downloaded: 1_500_000_000 });
  });

  test('a picture that is none stays, and the next is taken', async () => {
    await put('.info.json', infoOf(id));
    await put('.jpg', 'This is no picture.');
    await copyFile(shop.at('cover.jpg'), join(folder, `${stem}-thumb.jpg`));
    const { lines, left } = await bring();
    expect(left).toEqual([`${stem}.jpg`]);
    expect(lines).toEqual([`${stem}.mp4 (${stem}.jpg): It cannot be read as a picture, so it stays where it is.`]);
    const { vid_thumb_url: url } = await video();
    expect((await t.app.inject({ url, headers: staff.headers })).headers['content-type']).toBe('image/jpeg');
    await rm(join(folder, `${stem}.jpg`));
  });
});
