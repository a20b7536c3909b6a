import { messagesOf } from '#server/platform/messages/message-error.ts';
import { renderMessages } from '#server/platform/messages/render.ts';
import { execFileSync } from 'node:child_process';
import { chmod, copyFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { importFolder } from '#server/platform/config/data-folder.ts';
import { importFolderContents } from '#server/features/library/import/import-folder.ts';
import { ImportInput } from '#server/features/library/import/context.ts';
import { createUser, testApp } from '#server/test-support/app.ts';
import { inconsistencies, hasTools } from '../support/acquisition.ts';
import { createImportSources, infoOf, namesIn } from '../support/importing.ts';

describe.runIf(hasTools)('sidecar files of an import', () => {
  let t: Awaited<ReturnType<typeof testApp>>;
  let staff: Awaited<ReturnType<typeof createUser>>;
  let sources: Awaited<ReturnType<typeof createImportSources>>;
  let folder: string;
  const id = 'besideVide1';
  const stem = `A title [${id}]`;
  beforeAll(async () => {
    sources = await createImportSources();
  });
  afterAll(() => sources.remove());
  beforeEach(async () => {
    t = await testApp({ withTools: true });
    t.app.tools.ytdlp = null; // not needed here
    staff = await createUser(t, { isStaff: true });
    folder = importFolder(t.app.config);
    await copyFile(sources.at('whole.mp4'), join(folder, `${stem}.mp4`));
  });
  afterEach(async () => {
    expect(await inconsistencies(t)).toEqual([]);
    await t.close();
  });

  const addFile = (ending: string, content: string | Buffer) => writeFile(join(folder, `${stem}${ending}`), content);
  async function runImport(input: object = {}) {
    const lines: string[] = [];
    const result = await importFolderContents(t.app, {
      id: 'work',
      input: ImportInput.parse({ prefer_local: true, ...input }),
      againSince: null,
      signal: new AbortController().signal,
      report() {},
      note() {},
      skip: (what, reason) =>
        void lines.push(`${what}: ${renderMessages(reason instanceof Error ? messagesOf(reason) : reason)}`),
    });
    return { result: renderMessages(result), lines, left: await namesIn(folder) };
  }
  const video = async () => (await staff.call('GET', `/api/video/${id}/`)).json();

  test('keeps a description that differs from the info.json, and deletes an identical one', async () => {
    await addFile('.info.json', infoOf(id, { description: 'First line\nSecond line' }));
    await addFile('.description', 'What it once said.');
    const { lines, left } = await runImport();
    expect((await video()).description).toBe('First line\nSecond line');
    expect(left).toEqual([`${stem}.description`]);
    expect(lines).toEqual([
      `${stem}.mp4 (${stem}.description): The content differs from the current data of the video, so the file was left in place.`,
    ]);
  });

  test('ignores line endings in that comparison', async () => {
    await addFile('.info.json', infoOf(id, { description: 'First line\nSecond line' }));
    await addFile('.description', 'First line\r\nSecond line\r\n');
    expect(await runImport()).toMatchObject({ lines: [], left: [] });
  });

  test('keeps and does not use an unreadable description', async () => {
    await addFile('.info.json', infoOf(id));
    await addFile('.description', Buffer.from('Übermüdete', 'latin1'));
    const { lines, left } = await runImport();
    expect((await video()).description ?? '').toBe('');
    expect(left).toEqual([`${stem}.description`]);
    expect(lines).toEqual([`${stem}.mp4 (${stem}.description): The file is not valid UTF-8 and was left in place.`]);
  });

  test.skipIf(process.getuid?.() === 0)('reports an unreadable media file as such', async () => {
    await addFile('.info.json', infoOf(id));
    await chmod(join(folder, `${stem}.mp4`), 0);
    const { lines } = await runImport();
    expect(lines).toEqual([`${stem}.mp4: It may not be read, or its place may not be written (EACCES).`]);
  });

  test.skipIf(process.getuid?.() === 0)('keeps unreadable sidecar files', async () => {
    await addFile('.info.json', infoOf(id));
    for (const ending of ['.nfo', '.description', '.jpg', '.en.srt']) {
      await addFile(ending, 'text');
      await chmod(join(folder, `${stem}${ending}`), 0);
    }
    const { result, left } = await runImport();
    expect(result).toBe('Imported 1 video.');
    expect(left).toEqual(['.description', '.en.srt', '.jpg', '.nfo'].map((ending) => stem + ending));
  });

  test('imports JSON3 subtitles, and lists unused files in a dry run', async () => {
    await addFile('.info.json', infoOf(id));
    await addFile('.fr.json3', JSON.stringify({ events: [{ tStartMs: 0, dDurationMs: 900, segs: [{ utf8: 'Salut' }] }] }));
    await addFile('.url', '{}');
    await addFile('.mp4.part', 'part');
    const [sentence, ...leftInPlace] = (await runImport({ dry_run: true })).result.split('\n');
    expect(sentence).toMatch(/^Would import 1 video: .* Other files left in place: 2\.$/);
    expect(leftInPlace).toEqual([
      `${stem}.mp4.part: The download is incomplete. Finish it first.`,
      `${stem}.url: Files of this type are not imported.`,
    ]);
    const { result, lines } = await runImport();
    expect([result, lines]).toEqual(['Imported 1 video. Other files left in place: 2.', []]);
    expect((await video()).subtitles).toMatchObject([{ lang: 'fr' }]);
  });

  test('imports the chat of a stream that yt-dlp wrote', async () => {
    await addFile('.info.json', infoOf(id));
    const message = { id: 'm1', authorName: { simpleText: 'Ann' }, message: { runs: [{ text: 'Salut' }] } };
    const action = { addChatItemAction: { item: { liveChatTextMessageRenderer: message } } };
    await addFile(
      '.live_chat.json',
      `${JSON.stringify({ replayChatItemAction: { actions: [action], videoOffsetTimeMsec: '1500' } })}\n`,
    );
    expect(await runImport()).toMatchObject({ result: 'Imported 1 video.', left: [] });
    expect((await video()).chat).toEqual({ source: 'replay', messages: 1, is_complete: true });
  });

  test('leaves a chat without messages in place', async () => {
    await addFile('.info.json', infoOf(id));
    await addFile('.live_chat.json', 'nothing');
    const { left } = await runImport();
    expect(left).toEqual([`${stem}.live_chat.json`]);
    expect((await video()).chat).toBeUndefined();
  });

  test('imports audio-only files, also WAV', async () => {
    await rm(join(folder, `${stem}.mp4`));
    execFileSync(process.env.REELKEEP_FFMPEG!, [
      '-v',
      'error',
      '-i',
      sources.at('whole.mp4'),
      '-vn',
      join(folder, `${stem}.wav`),
    ]);
    await addFile('.info.json', infoOf(id));
    expect(await runImport()).toEqual({ result: 'Imported 1 video.', lines: [], left: [] });
    expect((await video()).media_url).toMatch(/\.wav$/);
  });

  test.each(['.opus', '.ogg', '.mp3', '.flac'])('identifies audio by the URL embedded as %s', async (ending) => {
    await rm(join(folder, `${stem}.mp4`));
    const tag = `purl=https://www.youtube.com/watch?v=${id}`;
    const ffmpegArgs = ['-vn', '-metadata', tag, join(folder, `Just a title${ending}`)];
    execFileSync(process.env.REELKEEP_FFMPEG!, ['-v', 'error', '-i', sources.at('whole.mp4'), ...ffmpegArgs]);
    expect((await runImport({ dry_run: true })).result).toBe('Would import 1 video: 1 by embedded URL (95 % confidence).');
  });

  test('uses the download date of a video without publication date', async () => {
    await addFile('.info.json', infoOf(id, { upload_date: null, epoch: null }));
    await utimes(join(folder, `${stem}.mp4`), 1_500_000_000, 1_500_000_000);
    await runImport();
    expect(await video()).toMatchObject({ published: '2017-07-14T02:40:00+00:00', date_downloaded: 1_500_000_000 });
  });

  test('keeps an invalid image and uses the next one', async () => {
    await addFile('.info.json', infoOf(id));
    await addFile('.jpg', 'This is no picture.');
    await copyFile(sources.at('cover.jpg'), join(folder, `${stem}-thumb.jpg`));
    const { lines, left } = await runImport();
    expect(left).toEqual([`${stem}.jpg`]);
    expect(lines).toEqual([`${stem}.mp4 (${stem}.jpg): The file cannot be read as an image and was left in place.`]);
    const { vid_thumb_url: url } = await video();
    expect((await t.server.inject({ url, headers: staff.headers })).headers['content-type']).toBe('image/jpeg');
    await rm(join(folder, `${stem}.jpg`));
  });
});
