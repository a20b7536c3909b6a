import { execFileSync } from 'node:child_process';
import { copyFile, cp, mkdir, readdir, readFile, rename, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { once } from 'node:events';
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Speech, SpeechTest, Transcription } from '#contract/speech.ts';
import { writeSettings } from '../../archive/settings/store.ts';
import { fingerprint } from '../../platform/files/files.ts';
import { createUser, createVideo, engines, testApp, testTimeouts, type TestApp } from '../../test-support/app.ts';
import { addEarlierEngine, expectUnknownPackagesRefused, installEngine } from '../../test-support/engine-install.ts';
import { indexPending } from '../search/index/index-pending.ts';
import { startTranscriptsIfDue } from './tasks.ts';

const { REELKEEP_TEST_SPEECH_PYTHON: python, REELKEEP_TEST_MODELS: models, REELKEEP_TEST_SPEECH: recordings } = process.env;

/** Words of the five sentences of a reader of LibriVox. */
const spoken =
  'and mister john dashwood had then leisure to consider how much there might be prudently in his power to do for them he was not an ill disposed young man unless to be rather cold hearted and rather selfish is to be ill disposed had he married a more amiable woman he might have been made still more respectable than he was he might even have been made amiable himself';

const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .replace(/\bmr\.?/g, 'mister')
    .replaceAll('-', ' ')
    .replace(/[^a-z ]/g, '')
    .split(/\s+/)
    .filter(Boolean);

/** Number of words to change, add and remove. */
function wordErrors(found: string[], expected: string[]): number {
  let row = expected.map((_, index) => index + 1);
  found.forEach((word, place) => {
    let diagonal = place;
    let left = place + 1;
    row = row.map((above, index) => {
      const cost = Math.min(above + 1, left + 1, diagonal + (word === expected[index] ? 0 : 1));
      diagonal = above;
      left = cost;
      return cost;
    });
  });
  return row.at(-1)!;
}

describe.runIf(python && models && recordings && process.env.REELKEEP_FFMPEG)('transcripts', () => {
  const sentences = async () => (await readdir(recordings!)).filter((name) => name.endsWith('.wav')).sort();

  describe.each(engines)('on $engine', (on) => {
    let t: TestApp;
    let staff: Awaited<ReturnType<typeof createUser>>;
    let clock: number;

    beforeEach(async () => {
      t = await testApp({ on, withTools: true, env: { REELKEEP_MODELS_PYTHON: python!, REELKEEP_MODELS: models! } });
      clock = Math.floor(new Date(2026, 10, 5, 12, 0).getTime() / 1000);
      Object.assign(t.app, { now: () => clock });
      staff = await createUser(t, { isStaff: true });
      await writeSettings(t.app.db, { speech: { transcribe: 'request', model: 'tiny.en' } });
      await t.runner.begin();
    });
    afterEach(() => t.close());

    /** Adds a video of recorded sentences with pauses of a second; `times` repeats them. */
    const addVideo = async (id: string, { times = 1, more = [] as string[] } = {}) => {
      const inputs = (await sentences()).flatMap((name) => ['-i', join(recordings!, name)]);
      const padded = (await sentences()).map((_, index) => `[${index}]apad=pad_dur=1[p${index}]`).join(';');
      const joined = (await sentences()).map((_, index) => `[p${index}]`).join('');
      const count = (await sentences()).length;
      await mkdir(join(t.app.config.mediaFolder, 'c'), { recursive: true });
      const path = join(t.app.config.mediaFolder, 'c', `${id}.m4a`);
      const filter = `${padded};${joined}concat=n=${count}:v=0:a=1,aloop=loop=${times - 1}:size=2e9[out]`;
      const from = ['-v', 'error', '-y', ...inputs, '-filter_complex', filter];
      execFileSync(t.app.tools.ffmpeg!.ffmpeg, [...from, '-map', '[out]', '-c:a', 'aac', ...more, path]);
      return addRow(id, path);
    };
    const addRow = async (id: string, path: string, { durationSeconds = 30 } = {}) => {
      const content = await fingerprint(path);
      await createVideo(t.app.db, { id, title: `Title of ${id}`, mediaPath: `c/${id}.m4a`, durationSeconds, ...content });
      await t.app.db
        .insertInto('stream')
        .values({ videoId: id, position: 0, type: 'audio', codec: 'aac', bitrate: 64_000, width: null, height: null })
        .execute();
      return path;
    };
    const state = async (id: string) => (await staff.call('GET', `/api/video/${id}/transcribe/`)).json<Transcription>();
    const ask = (id: string, body: object = {}) => staff.call('POST', `/api/video/${id}/transcribe/`, body);
    const settled = (id: string) =>
      expect
        .poll(async () => {
          // The periodic job, which starts what was requested while a run ended.
          if ((await state(id)).state === 'queued') await startTranscriptsIfDue(t.app);
          return (await state(id)).state;
        }, testTimeouts)
        .not.toMatch(/queued|running|none/);
    const ended = () => expect.poll(() => t.app.tasks.activeInputs('transcribe_videos'), testTimeouts).toEqual([]);
    const tracksOf = async (id: string) => (await staff.call('GET', `/api/video/${id}/`)).json().subtitles;

    test('a requested transcript is an ordinary track, labelled as generated, and searchable', async () => {
      await addVideo('speech00001');
      await writeSettings(t.app.db, { downloads: { subtitle_index: false } });
      const before = await state('speech00001');
      expect([before.state, before.why]).toEqual(['none', null]);
      const asked = await ask('speech00001');
      expect(asked.statusCode, asked.body).toBe(200);
      await settled('speech00001');
      expect((await state('speech00001')).state).toBe('done');
      expect(await tracksOf('speech00001')).toEqual([
        {
          ext: 'json3',
          name: 'English',
          lang: 'en',
          source: 'auto',
          media_url: '/youtube/c/speech00001.en.vtt',
          url: null,
          is_generated: true,
          generator: 'whisper tiny.en',
        },
      ]);
      const vtt = await readFile(join(t.app.config.mediaFolder, 'c/speech00001.en.vtt'), 'utf8');
      expect(vtt).toContain('NOTE Generated by Reelkeep with whisper tiny.en\n');
      const lines = vtt.split('\n').filter((line) => line && !/^(\d+$|WEBVTT|Kind|Language|NOTE|.*-->)/.test(line));
      const words = wordsOf(lines.join(' '));
      expect(wordErrors(words, wordsOf(spoken)) / wordsOf(spoken).length, lines.join(' ')).toBeLessThan(0.1);
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(42);

      await indexPending(t.app.db);
      const found = (await staff.call('GET', '/api/search/moments/?query=amiable woman')).json();
      expect(found.videos[0].youtube_id).toBe('speech00001');
      const moment = found.videos[0].moments.find((one: { kind: string }) => one.kind === 'spoken');
      expect(moment).toMatchObject({ is_generated: true, lang: 'en' });
      expect(moment.start).toBeGreaterThan(15);
      expect(moment.start).toBeLessThan(25);
      const generated = async (query: string) =>
        (await staff.call('GET', `/api/search/moments/?query=${encodeURIComponent(query)}`)).json().videos.length;
      expect([await generated('amiable is:generated'), await generated('amiable')]).toEqual([1, 1]);
      const full = (await staff.call('GET', `/api/search/?query=${encodeURIComponent('full:amiable source:auto')}`)).json();
      expect(full.results.fulltext_results[0]).toMatchObject({ subtitle_source: 'auto', subtitle_lang: 'en' });
    });

    test('says why a video cannot be transcribed', async () => {
      const refusal = async (id: string, body?: object) => {
        const response = await ask(id, body);
        return [response.statusCode, response.json().error];
      };
      const path = await addVideo('speech00002');
      await writeSettings(t.app.db, { background: { hours: '01:00-06:00' } });
      expect((await ask('speech00002')).statusCode).toBe(200);
      expect(await refusal('speech00002')).toEqual([409, 'Already queued.']);
      await createVideo(t.app.db, { id: 'silent00001' });
      expect(await refusal('silent00001')).toEqual([409, 'This video has no sound.']);
      await t.app.db.deleteFrom('transcription').execute();
      await rm(path);
      expect(await refusal('speech00002')).toEqual([409, 'The media file is missing.']);
      await t.app.db
        .insertInto('subtitle')
        .values({ videoId: 'speech00002', lang: 'en-GB', source: 'user', name: 'English', path: 'c/x.en-GB.vtt' })
        .execute();
      expect(await refusal('speech00002', { lang: 'en' })).toEqual([409, 'English captions exist already.']);
      expect((await state('speech00002')).state).toBe('captions');
      expect((await ask('unknown0001')).statusCode).toBe(404);
      expect((await ask('speech00002', { lang: 'English!' })).statusCode).toBe(400);
      await writeSettings(t.app.db, { speech: { transcribe: 'off' } });
      expect((await refusal('speech00002'))[1]).toBe('Transcripts are off. Staff can turn them on in Settings → Transcripts.');
      const user = await createUser(t, { name: 'other' });
      expect((await user.call('POST', '/api/video/speech00002/transcribe/', {})).statusCode).toBe(403);
    });

    test('waits for its hours, unless it is asked to run now', async () => {
      await addVideo('speech00003');
      await writeSettings(t.app.db, { background: { hours: '01:00-06:00' } });
      const asked = (await ask('speech00003')).json<Transcription>();
      expect([asked.state, asked.starts_at]).toEqual(['queued', Math.floor(new Date(2026, 10, 6, 1, 0).getTime() / 1000)]);
      await startTranscriptsIfDue(t.app);
      expect(await t.app.tasks.activeInputs('transcribe_videos')).toEqual([]);
      clock = Math.floor(new Date(2026, 10, 6, 1, 0).getTime() / 1000);
      await startTranscriptsIfDue(t.app);
      await settled('speech00003');
      expect((await state('speech00003')).state).toBe('done');

      await addVideo('speech00004');
      clock = Math.floor(new Date(2026, 10, 6, 12, 0).getTime() / 1000);
      await ask('speech00004');
      expect((await ask('speech00004', { now: true })).json<Transcription>().starts_at).toBe(null);
      await settled('speech00004');
      expect((await state('speech00004')).state).toBe('done');
    });

    test('everything missing is transcribed with that setting, and silence is a result', async () => {
      await addVideo('speech00005');
      const path = join(t.app.config.mediaFolder, 'c', 'noSpeech001.m4a');
      execFileSync(t.app.tools.ffmpeg!.ffmpeg, ['-v', 'error', '-f', 'lavfi', '-i', 'anoisesrc=a=0.01:d=8', path]);
      await addRow('noSpeech001', path, { durationSeconds: 8 });
      const about = async () => (await staff.call('GET', '/api/speech/')).json<Speech>();
      expect(await about()).toMatchObject({ videos: 2, seconds: 38, speed: null, nights: null, problem: null });
      await writeSettings(t.app.db, { speech: { transcribe: 'missing' }, background: { hours: '11:00-13:00' } });
      await startTranscriptsIfDue(t.app);
      await settled('speech00005');
      await settled('noSpeech001');
      expect((await state('noSpeech001')).state).toBe('no_speech');
      expect(await tracksOf('noSpeech001')).toEqual([]);
      const after = await about();
      expect(after).toMatchObject({ videos: 0, seconds: 0, nights: 0 });
      expect(after.speed).toBeGreaterThan(0.5);
    });

    test('a missing or unreadable file ends no run, and an unmounted disk fails no video', async () => {
      await addVideo('speech00009');
      const lost = await addVideo('lostFile001');
      await rm(lost);
      const broken = join(t.app.config.mediaFolder, 'c', 'brokenFile1.m4a');
      await writeFile(broken, 'no sound');
      await addRow('brokenFile1', broken);
      await writeSettings(t.app.db, { speech: { transcribe: 'missing' } });
      const marker = join(t.app.config.mediaFolder, '.reelkeep');
      await rename(marker, `${marker}.away`);
      await rename(join(t.app.config.mediaFolder, 'c'), join(t.folder, 'unmounted'));
      await startTranscriptsIfDue(t.app);
      await ended();
      for (const id of ['speech00009', 'lostFile001', 'brokenFile1']) expect((await state(id)).state).toBe('none');
      await rename(join(t.folder, 'unmounted'), join(t.app.config.mediaFolder, 'c'));
      await rename(`${marker}.away`, marker);
      clock += 700;
      await startTranscriptsIfDue(t.app);
      await ended();
      expect((await state('speech00009')).state).toBe('done');
      expect(await state('lostFile001')).toMatchObject({ state: 'failed', why: 'The media file is missing.' });
      expect((await state('brokenFile1')).state).toBe('failed');
      // Another model tries them again, and a deleted transcript is not made again.
      expect((await staff.call('GET', '/api/speech/')).json()).toMatchObject({ videos: 0 });
      await staff.call('DELETE', '/api/video/speech00009/transcript/en/');
      await writeSettings(t.app.db, { speech: { model: 'base' } });
      expect((await staff.call('GET', '/api/speech/')).json()).toMatchObject({ videos: 2 });
    });

    test('a channel has its own choice and language', async () => {
      await addVideo('speech00008', { more: ['-metadata:s:a:0', 'language=ger'] });
      await writeSettings(t.app.db, { speech: { transcribe: 'off' } });
      const { channelId } = await t.app.db.selectFrom('video').select('channelId').executeTakeFirstOrThrow();
      const customize = async (channel_overwrites: object) =>
        expect((await staff.call('POST', `/api/channel/${channelId}/`, { channel_overwrites })).statusCode).toBe(200);
      expect((await ask('speech00008')).json().error).toContain('Transcripts are off.');
      await customize({ transcribe: 'missing', transcribe_lang: 'en' });
      await startTranscriptsIfDue(t.app);
      await settled('speech00008');
      expect(await tracksOf('speech00008')).toMatchObject([{ lang: 'en', is_generated: true }]);
      await ended();
      await t.app.db.deleteFrom('transcription').execute();
      await writeSettings(t.app.db, { speech: { transcribe: 'missing' } });
      await customize({ transcribe: 'off' });
      expect((await staff.call('GET', '/api/speech/')).json()).toMatchObject({ videos: 0 });
      clock += 700;
      await startTranscriptsIfDue(t.app);
      expect(await t.app.tasks.activeInputs('transcribe_videos')).toEqual([]);
    });

    test('captions of the site replace a generated track; a deleted one can be requested again', async () => {
      await addVideo('speech00006');
      await ask('speech00006');
      await settled('speech00006');
      const deleted = await staff.call('DELETE', '/api/video/speech00006/transcript/en/');
      expect(deleted.statusCode).toBe(204);
      expect(await tracksOf('speech00006')).toEqual([]);
      expect(await readdir(join(t.app.config.mediaFolder, 'c'))).toEqual(['speech00006.m4a']);
      expect((await state('speech00006')).state).toBe('none');
      expect((await staff.call('DELETE', '/api/video/speech00006/transcript/en/')).statusCode).toBe(404);

      // Another file with that name is not overwritten.
      await writeFile(join(t.app.config.mediaFolder, 'c/speech00006.en.vtt'), 'WEBVTT\n\nmine');
      await ask('speech00006');
      await settled('speech00006');
      expect(await state('speech00006')).toMatchObject({ state: 'failed', why: expect.stringContaining('speech00006.en.vtt') });
      expect(await readFile(join(t.app.config.mediaFolder, 'c/speech00006.en.vtt'), 'utf8')).toBe('WEBVTT\n\nmine');
    });

    test('a model for English refuses other languages instead of guessing', async () => {
      await addVideo('speech00007', { more: ['-metadata:s:a:0', 'language=ger'] });
      await ask('speech00007');
      await settled('speech00007');
      expect(await state('speech00007')).toMatchObject({
        state: 'failed',
        why: 'tiny.en understands English only. Choose a model for several languages.',
      });
      await ask('speech00007', { lang: 'en' });
      await settled('speech00007');
      expect((await state('speech00007')).state).toBe('done');
    });
  });

  test('continues after a stop where it was, and recognizes the language', async () => {
    const t = await testApp({ withTools: true, env: { REELKEEP_MODELS_PYTHON: python!, REELKEEP_MODELS: models! } });
    onTestFinished(() => t.close());
    const staff = await createUser(t, { isStaff: true });
    await writeSettings(t.app.db, { speech: { transcribe: 'request', model: 'base' } });
    await t.runner.begin();
    await mkdir(join(t.app.config.mediaFolder, 'c'), { recursive: true });
    const path = join(t.app.config.mediaFolder, 'c/long0000001.m4a');
    const list = join(t.folder, 'list.txt');
    const names = (await readdir(recordings!)).filter((name) => name.endsWith('.wav')).sort();
    const silence = join(t.folder, 'silence.wav');
    const { ffmpeg } = t.app.tools.ffmpeg!;
    execFileSync(ffmpeg, ['-v', 'error', '-f', 'lavfi', '-i', 'anullsrc=r=16000:cl=mono', '-t', '290', silence]);
    const files = [...names.map((name) => join(recordings!, name)), silence, join(recordings!, names[1]!)];
    await writeFile(list, files.map((file) => `file '${file}'\n`).join(''));
    execFileSync(ffmpeg, ['-v', 'error', '-f', 'concat', '-safe', '0', '-i', list, '-c:a', 'aac', path]);
    const durationSeconds = 318;
    await createVideo(t.app.db, {
      id: 'long0000001',
      mediaPath: 'c/long0000001.m4a',
      durationSeconds,
      ...(await fingerprint(path)),
    });
    await t.app.db
      .insertInto('stream')
      .values({ videoId: 'long0000001', position: 0, type: 'audio', codec: 'aac', bitrate: 64_000, width: null, height: null })
      .execute();
    const state = async () => (await staff.call('GET', '/api/video/long0000001/transcribe/')).json<Transcription>();
    await staff.call('POST', '/api/video/long0000001/transcribe/', {});
    await expect.poll(async () => (await state()).state, testTimeouts).toBe('running');
    await expect.poll(async () => (await state()).done, { ...testTimeouts, interval: 5 }).toBeGreaterThan(20);
    const first = (await state()).done;
    await t.runner.end();
    expect(await state()).toMatchObject({ state: 'queued', done: first });
    await t.runner.begin();
    await expect.poll(async () => (await state()).state, testTimeouts).toBe('done');
    const vtt = await readFile(join(t.app.config.mediaFolder, 'c/long0000001.en.vtt'), 'utf8');
    expect(vtt).toContain('whisper base');
    expect(vtt.match(/ill-disposed/g)).toHaveLength(3);
    expect(vtt).toMatch(/00:05:1\d\.\d{3} --> .*\n.*He was not an ill-disposed/);
  });
});

describe.runIf(models)('speech models', () => {
  let t: TestApp;
  let staff: Awaited<ReturnType<typeof createUser>>;
  beforeEach(async () => {
    t = await testApp({ env: { ...(python && { REELKEEP_MODELS_PYTHON: python }) } });
    staff = await createUser(t, { isStaff: true });
    await t.runner.begin();
  });
  afterEach(() => t.close());
  const about = async () => (await staff.call('GET', '/api/speech/')).json<Speech>();

  test('folders that cannot be used say why', async () => {
    expect((await about()).problem).toBe('There is no speech model. Download one in Settings → Transcripts.');
    const folder = join(t.folder, 'models/speech');
    await mkdir(folder, { recursive: true });
    const source = join(models!, 'speech/tiny.en');
    await cp(source, join(folder, 'cut'), { recursive: true });
    await rm(join(folder, 'cut/model.bin'));
    await cp(source, join(folder, 'other'), { recursive: true });
    await writeFile(join(folder, 'other/model.bin'), 'GGUF');
    await symlink(source, join(folder, 'outside'));
    await mkdir(join(folder, 'good.en'));
    for (const file of await readdir(source)) await copyFile(join(source, file), join(folder, 'good.en', file));
    expect(Object.fromEntries((await about()).models.map(({ name, problem }) => [name, problem]))).toEqual({
      cut: 'cut: model.bin is missing.',
      other: 'other: the file is damaged or not in CTranslate2 format.',
      outside: 'outside: the link leads out of the folder of the models. Set REELKEEP_MODELS to use it.',
      'good.en': null,
    });
    expect((await about()).problem).toBe(null);
    await writeSettings(t.app.db, { speech: { model: 'large' } });
    expect((await about()).problem).toBe('There is no speech model large. Choose another one in Settings → Transcripts.');
    const check = async () =>
      (await staff.call('GET', '/api/health/checks/')).json().find(({ name }: { name: string }) => name === 'speech');
    expect(await check()).toBe(undefined);
    await writeSettings(t.app.db, { speech: { transcribe: 'request' } });
    expect(await check()).toMatchObject({ state: 'bad', text: expect.stringContaining('no speech model large') });
  });

  test.runIf(python && process.env.REELKEEP_FFMPEG)('a damaged model stops the task, not the video', async () => {
    const folder = join(t.folder, 'models/speech/base');
    await cp(join(models!, 'speech/tiny.en'), folder, { recursive: true });
    await truncate(join(folder, 'model.bin'), 1_000_000);
    const { startSpeechWorker, ModelProblem } = await import('./worker.ts');
    const { size: bytes } = await stat(join(folder, 'model.bin'));
    const start = startSpeechWorker(
      { python: python!, packages: null },
      { name: 'base', path: folder, bytes, isEnglishOnly: false },
      { threads: 1, cwd: t.folder, signal: new AbortController().signal },
    );
    await expect(start).rejects.toThrow(ModelProblem);
  });

  test('a model is tried with a recording', async () => {
    await t.close();
    t = await testApp({ withTools: true, env: { REELKEEP_MODELS_PYTHON: python! } });
    staff = await createUser(t, { isStaff: true });
    for (const name of ['tiny.en', 'cut'])
      await cp(join(models!, 'speech/tiny.en'), join(t.folder, 'models/speech', name), { recursive: true });
    const tryModel = (name: string) => staff.call('POST', '/api/speech/test/', { name });
    const tried = await tryModel('tiny.en');
    expect(tried.statusCode, tried.body).toBe(200);
    const result = tried.json<SpeechTest>();
    const said = wordsOf(spoken).slice(0, 31);
    expect(wordErrors(wordsOf(result.text), said), result.text).toBeLessThanOrEqual(3);
    // At least the size of the model file.
    expect(result.memory).toBeGreaterThan(75e6);
    expect(result.speed).toBeGreaterThan(0);
    await truncate(join(t.folder, 'models/speech/cut/model.bin'), 1_000_000);
    const refusal = async (name: string) => {
      const response = await tryModel(name);
      return [response.statusCode, response.json().error];
    };
    expect(await refusal('cut')).toEqual([409, 'cut: the file is damaged or not in CTranslate2 format.']);
    expect(await refusal('large')).toEqual([
      409,
      'There is no speech model large. Choose another one in Settings → Transcripts.',
    ]);
  });

  describe('the engine', () => {
    const startWithoutEngine = async () => {
      await t.close();
      t = await testApp();
      staff = await createUser(t, { isStaff: true });
      await t.runner.begin();
    };

    test('of another checksum or without a package is not installed, and the reason is told', async () => {
      await startWithoutEngine();
      const wheel = 'faster_whisper-1.2.1-py3-none-any.whl';
      await expectUnknownPackagesRefused({ t, staff }, { api: '/api/speech/', folder: 'speech-engine', wheel });
    });

    test('is not installed on one of several servers, which would not know of each other’s', async () => {
      Object.assign(t.app.config, { node: 'one', modelsPython: undefined, isModelsFolderSet: false });
      const why = /^With several servers, set REELKEEP_MODELS and REELKEEP_MODELS_PYTHON on each of them/;
      expect((await about()).problem).toMatch(why);
      for (const [path, body] of [
        ['/api/speech/engine/', { action: 'install' }],
        ['/api/speech/model/', { name: 'base' }],
      ] as const) {
        const response = await staff.call('POST', path, body);
        expect([response.statusCode, response.json().error]).toEqual([409, expect.stringMatching(why)]);
      }
      Object.assign(t.app.config, { modelsPython: process.execPath });
      expect((await about()).problem).not.toMatch(why);
    });

    test.runIf(python)('is installed, starts with a model, and can be rolled back', async () => {
      await startWithoutEngine();
      expect(await installEngine(staff, '/api/speech/')).toMatchObject({ status: 'SUCCESS' });
      const { engine } = await about();
      expect(engine).toEqual({ version: expect.stringMatching(/^\d/), previous: null, is_configured: false, has_update: false });
      const { startSpeechWorker } = await import('./worker.ts');
      const { speechEngine } = await import('./engine.ts');
      const path = join(models!, 'speech/tiny.en');
      const { size: bytes } = await stat(join(path, 'model.bin'));
      const worker = await startSpeechWorker(
        (await speechEngine.find(t.app))!,
        { name: 'tiny.en', path, bytes, isEnglishOnly: true },
        { threads: 1, cwd: t.folder, signal: new AbortController().signal },
      );
      expect(worker.isEnglishOnly).toBe(true);
      await worker.close();
      await addEarlierEngine(t, 'speech-engine');
      expect((await about()).engine.previous).toBe('1.0.0');
      expect((await staff.call('POST', '/api/speech/engine/', { action: 'rollback' })).statusCode).toBe(200);
      expect((await about()).engine).toMatchObject({ version: '1.0.0', previous: null, has_update: true });
    });
  });

  test('a model of the hub is downloaded at a revision, and its checksums are compared', async () => {
    const source = join(models!, 'speech/tiny.en');
    const names = ['config.json', 'model.bin', 'tokenizer.json', 'vocabulary.txt'];
    const contents = new Map<string, Buffer>();
    for (const name of names) contents.set(name, (await readFile(join(source, name))).subarray(0, 5000));
    const revision = 'a'.repeat(40);
    const repository = 'Systran/faster-whisper-small';
    let oid = createHash('sha256').update(contents.get('model.bin')!).digest('hex');
    const hub = createServer((request, response) => {
      const path = request.url!.slice(1);
      const file = path.startsWith(`${repository}/resolve/${revision}/`) ? contents.get(path.split('/').at(-1)!) : undefined;
      if (file) return response.end(file);
      if (path === `api/models/${repository}`) return response.end(JSON.stringify({ sha: revision }));
      if (path !== `api/models/${repository}/tree/${revision}`) return response.writeHead(404).end();
      const tree = [...contents].map(([name, { length: size }]) => ({
        path: name,
        size,
        ...(name === 'model.bin' && { lfs: { oid } }),
      }));
      return response.end(JSON.stringify([...tree, { path: 'README.md', size: 3 }, { path: '../evil/model.bin', size: 3 }]));
    });
    hub.listen(0, '127.0.0.1');
    await once(hub, 'listening');
    onTestFinished(() => void hub.close());
    const { port } = hub.address() as { port: number };
    await t.close();
    t = await testApp({ env: { REELKEEP_MODELS_HUB: `http://127.0.0.1:${port}`, REELKEEP_ALLOW_PRIVATE: '127.0.0.1' } });
    staff = await createUser(t, { isStaff: true });
    await t.runner.begin();
    const download = async () => {
      const { task_id: id } = (await staff.call('POST', '/api/speech/model/', { name: 'small' })).json();
      const run = async () => (await staff.call('GET', `/api/task/by-id/${id}/`)).json();
      await expect.poll(async () => (await run()).status, testTimeouts).toMatch(/SUCCESS|FAILURE/);
      return run();
    };
    const folder = join(t.folder, 'models/speech');
    const right = oid;
    oid = 'b'.repeat(64);
    expect(JSON.stringify(await download())).toContain('does not match its checksum. Nothing was installed.');
    expect(await readdir(folder)).toEqual([]);
    oid = right;
    expect((await download()).status).toBe('SUCCESS');
    expect((await readdir(join(folder, 'small'))).sort()).toEqual([...names, 'source.json'].sort());
    expect(JSON.parse(await readFile(join(folder, 'small/source.json'), 'utf8'))).toMatchObject({ repository, revision });
    expect((await about()).models).toMatchObject([{ name: 'small', problem: null }]);
    expect(JSON.stringify(await download())).toContain('a folder with this name exists');
  });
});

describe.each(engines)('the permission to request transcripts, on $engine', (on) => {
  test('is off by default, and does not include work outside the background hours', async () => {
    const t = await testApp({ on });
    onTestFinished(() => t.close());
    const [staff, user] = [await createUser(t, { isStaff: true }), await createUser(t)];
    const url = `/api/video/${await createVideo(t.app.db)}/transcribe/`;
    const statuses = async (body: object = {}) =>
      [await user.call('GET', url), await user.call('POST', url, body)].map(({ statusCode }) => statusCode);
    const mayTranscribe = async () => (await user.call('GET', '/api/user/account/')).json().may_transcribe;
    expect([await statuses(), await mayTranscribe()]).toEqual([[403, 403], false]);
    expect((await user.call('POST', `/api/users/${user.id}/`, { may_transcribe: true })).statusCode).toBe(403);
    await staff.call('POST', `/api/users/${user.id}/`, { may_transcribe: true });
    // 409: transcripts are off.
    expect([await statuses(), await mayTranscribe()]).toEqual([[200, 409], true]);
    expect(await statuses({ now: true })).toEqual([200, 403]);
    await staff.call('POST', `/api/users/${user.id}/`, { may_transcribe: false });
    expect(await statuses()).toEqual([403, 403]);
    expect((await staff.call('GET', url)).statusCode).toBe(200);
  });
});
