import { execFileSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Check } from '#contract/health.ts';
import type { AudioTrack } from '#contract/rendition.ts';
import { aCatalogue, aChannel, aVideo } from '../../test-site/builders.ts';
import type { Sound } from '../../test-site/catalogue.ts';
import { add, createArchive, hasTools, inconsistencies, queueOf, videoOf, type TestSiteArchive } from '../support/acquisition.ts';

const channel = aChannel({ name: 'Night Trains' });
const other = aChannel({ name: 'Day Trains' });
const webm = aChannel({ name: 'Trams' });
const english: Sound = { language: 'en', name: 'English', kind: 'original' };
const german: Sound = { language: 'de', name: 'German', kind: 'dubbed' };
const french: Sound = { language: 'fr', name: 'French', kind: 'dubbed-auto' };
const described: Sound = { language: 'es', name: 'Spanish', kind: 'descriptive' };
const brazilian: Sound = { language: 'pt-BR', name: 'Portuguese (Brazil)', kind: 'dubbed' };
const film = (id: string, sounds: Sound[], more: object = {}) =>
  aVideo({ id, channelId: channel.id, title: `Title of ${id}`, durationSeconds: 6, sounds, ...more });
const videos = [
  film('manySounds1', [english, german, french, described, brazilian]),
  // Here the site's player chooses the dub.
  film('dubDefault1', [
    { ...german, isDefault: true },
    { ...english, isDefault: false },
  ]),
  film('oneRefused1', [english, { ...german, isForbidden: true }, brazilian]),
  film('tooLongDub1', [english, { ...german, durationSeconds: 8 }]),
  film('webmSounds1', [english, german], { extraFormats: ['vp9'] }),
  film('soundsOnly1', [english, german]),
  film('laterSound1', [english, german, french, brazilian]),
  film('laterWebm01', [english, german], { extraFormats: ['vp9'], channelId: webm.id }),
  film('onlyDubbed1', [english, german]),
  film('laterNever1', [english, { ...german, isForbidden: true }]),
  film('ofOthers001', [english, german, french], { channelId: other.id }),
  aVideo({ id: 'ofOthers000', channelId: other.id, durationSeconds: 2 }),
  aVideo({ id: 'oneSound001', channelId: channel.id, durationSeconds: 4 }),
];

describe.runIf(hasTools)('sound tracks', () => {
  let t: TestSiteArchive;
  beforeAll(async () => {
    t = await createArchive(aCatalogue({ channels: [channel, other, webm], videos }));
    await set({ audio_languages: 'original, de, fr, pt-BR' });
  });
  afterAll(() => t.close());
  const set = async (downloads: object) => {
    const response = await t.staff.call('POST', '/api/appsettings/config/', { downloads });
    expect(response.statusCode, response.body).toBe(200);
  };
  /** Downloads a video and returns the languages of its tracks, the default one first marked with a star. */
  const download = async (id: string) => {
    const { task_id: taskId } = await add(t, `https://www.youtube.com/watch?v=${id}`);
    expect([await queueOf(t), taskId !== '']).toEqual([[], true]);
    return tracksOf(id);
  };
  const tracksOf = async (id: string) => {
    const { mediaPath } = await t.app.db.selectFrom('video').select('mediaPath').where('id', '=', id).executeTakeFirstOrThrow();
    const args = ['-v', 'error', '-select_streams', 'a', '-show_entries', 'stream_tags=language:stream_disposition=default'];
    const path = join(t.app.config.mediaFolder, mediaPath);
    const probed = execFileSync(t.app.tools.ffmpeg!.ffprobe, [...args, '-of', 'json', path], { encoding: 'utf8' });
    const { streams } = JSON.parse(probed) as { streams: { disposition: { default: number }; tags: { language: string } }[] };
    return { path, tracks: streams.map(({ disposition, tags }) => `${tags.language}${disposition.default === 1 ? '*' : ''}`) };
  };
  const notesOfRuns = async () => {
    const { data } = (await t.staff.call('GET', '/api/task/runs/?problems=true')).json<{ data: { id: string }[] }>();
    const runs = await Promise.all(data.map(async ({ id }) => (await t.staff.call('GET', `/api/task/runs/${id}/`)).body));
    return runs.join();
  };

  test('in wanted languages are joined to the original, which stays the default', async () => {
    // A dub by a program and a description for blind people are not wanted.
    const { path, tracks } = await download('manySounds1');
    expect([tracks, path.endsWith('.mp4')]).toEqual([['eng*', 'deu', 'por'], true]);
    expect(await readdir(join(t.app.config.mediaFolder, '.incoming'))).toEqual([]);
    const { streams } = await videoOf(t, 'manySounds1');
    expect(streams.map(({ type, codec }: { type: string; codec: string }) => `${type} ${codec}`)).toEqual([
      'video h264',
      'audio aac',
      'audio aac',
      'audio aac',
    ]);
    // The tracks are different sounds, all as long as the video.
    const hashes = [0, 1, 2].map((track) =>
      execFileSync(t.app.tools.ffmpeg!.ffmpeg, ['-v', 'error', '-i', path, '-map', `0:a:${track}`, '-f', 'md5', '-'], {
        encoding: 'utf8',
      }),
    );
    expect(new Set(hashes).size).toBe(3);
    expect(await inconsistencies(t)).toEqual([]);
    const listed = await t.staff.call('GET', '/api/video/manySounds1/audio/');
    expect(listed.json().map(({ language, kind }: AudioTrack) => `${language} ${kind}`)).toEqual([
      'en original',
      'de dub',
      'pt-BR dub',
    ]);
  });

  test('of programs are fetched if they are wanted', async () => {
    await download('ofOthers000');
    await t.staff.call('POST', `/api/channel/${other.id}/`, {
      channel_overwrites: { audio_languages: 'fr', audio_auto_dubs: true },
    });
    expect((await download('ofOthers001')).tracks).toEqual(['eng*', 'fra']);
  });

  test('the original is taken where the player of the site chooses a dub', async () => {
    expect((await download('dubDefault1')).tracks).toEqual(['eng*', 'deu']);
  });

  test('that cannot be fetched are left out, and the reason is told', async () => {
    expect((await download('oneRefused1')).tracks).toEqual(['eng*', 'por']);
    expect((await download('tooLongDub1')).tracks).toHaveLength(1);
    expect(await notesOfRuns()).toMatch(/The sound track de could not be fetched\. It is 8\.0 s long, and the video 6\.0 s\./);
  });

  test('of other codecs are kept in a container that holds them', async () => {
    await set({ format: 'bv*[ext=webm]+ba[ext=m4a]' });
    const { path, tracks } = await download('webmSounds1');
    expect([tracks, path.slice(-4)]).toEqual([['eng*', 'deu'], '.mkv']);
    await set({ format: null });
  });

  /** Fetches sounds for archived videos. Returns the result of the task. */
  const fetchMore = async (ids: string[], audio_languages: string, more: object = {}) => {
    const response = await t.staff.call('POST', '/api/video/sounds/', { ids, audio_languages, ...more });
    expect(response.statusCode, response.body).toBe(200);
    await t.runner.idle();
    const { task_id: id } = response.json<{ task_id: string }>();
    return (await t.staff.call('GET', `/api/task/by-id/${id}/`)).json<{ status: string; result: string }>();
  };
  const kindsOf = async (id: string) =>
    (await t.staff.call('GET', `/api/video/${id}/audio/`))
      .json<AudioTrack[]>()
      .map(({ language, kind, is_default }) => `${language} ${kind}${is_default ? '*' : ''}`);
  const pictureOf = (path: string) =>
    execFileSync(t.app.tools.ffmpeg!.ffmpeg, [
      '-v',
      'error',
      '-i',
      path,
      '-map',
      '0:v',
      '-c',
      'copy',
      '-f',
      'md5',
      '-',
    ]).toString();

  describe('are fetched for archived videos', () => {
    beforeAll(() => set({ audio_languages: null, sleep_interval: 0 }));
    afterAll(() => set({ audio_languages: 'original, de, fr, pt-BR' }));

    test('and joined to their file, which keeps its streams', async () => {
      const before = await download('laterSound1');
      expect(before.tracks).toHaveLength(1);
      const picture = pictureOf(before.path);
      await t.staff.call('POST', '/api/watched/', { id: 'laterSound1', is_watched: true });
      expect(await fetchMore(['laterSound1', 'notInHere01'], 'de,fr,pt')).toMatchObject({
        status: 'SUCCESS',
        result: 'Sound tracks added to 1 video.',
      });
      const { path, tracks } = await tracksOf('laterSound1');
      expect([path, tracks, pictureOf(path)]).toEqual([before.path, ['eng*', 'deu', 'por'], picture]);
      // The French one is by a program.
      expect(await kindsOf('laterSound1')).toEqual(['en original*', 'de dub', 'pt-BR dub']);
      expect((await videoOf(t, 'laterSound1')).player.watched).toBe(true);
      expect(await inconsistencies(t)).toEqual([]);
      // With automatic dubs only French is missing.
      await fetchMore(['laterSound1'], 'de,fr,pt', { audio_auto_dubs: true });
      expect(await kindsOf('laterSound1')).toEqual(['en original*', 'de dub', 'pt-BR dub', 'fr auto_dub']);
    });

    test('without asking the site for what they have', async () => {
      const asked = t.testSite.requests.length;
      expect(await fetchMore(['laterSound1'], 'original,de,en')).toMatchObject({ result: 'Sound tracks added to 0 videos.' });
      expect(t.testSite.requests.length).toBe(asked);
    });

    test('that match a filter, and in a container for other codecs', async () => {
      await set({ format: 'bv*[ext=webm]+ba[ext=webm]' });
      await download('laterWebm01');
      await set({ format: null });
      const response = await t.staff.call('POST', `/api/video/bulk/sounds/?channel=${webm.id}`, { audio_languages: 'de' });
      await t.runner.idle();
      const { path, tracks } = await tracksOf('laterWebm01');
      expect([response.statusCode, path.slice(-4), tracks]).toEqual([200, '.mkv', ['eng*', 'deu']]);
      expect((await videoOf(t, 'laterWebm01')).streams.map(({ codec }: { codec: string }) => codec)).toEqual([
        'vp9',
        'opus',
        'aac',
      ]);
    });

    test('and the original of a dubbed video becomes the default; until then Health tells of it', async () => {
      await set({ format: 'bv*+ba[language=de]' });
      await download('onlyDubbed1');
      await set({ format: null });
      expect(await kindsOf('onlyDubbed1')).toEqual(['de dub*']);
      const health = async () =>
        (await t.staff.call('GET', '/api/health/checks/')).json<Check[]>().find(({ name }) => name === 'sounds');
      expect(await health()).toMatchObject({
        state: 'warn',
        text: 'Night Trains: 1 video has only dubs, without the original sound.',
      });
      await fetchMore(['onlyDubbed1'], 'original');
      expect((await tracksOf('onlyDubbed1')).tracks).toEqual(['eng*', 'deu']);
      expect(await kindsOf('onlyDubbed1')).toEqual(['en original*', 'de dub']);
      expect(await health()).toBe(undefined);
    });

    test('and the file stays as it is if the site has none or refuses it', async () => {
      const before = await download('laterNever1');
      const { sha256 } = await t.app.db
        .selectFrom('video')
        .select('sha256')
        .where('id', '=', 'laterNever1')
        .executeTakeFirstOrThrow();
      expect(await fetchMore(['laterNever1'], 'de')).toMatchObject({ result: 'Sound tracks added to 0 videos.' });
      await fetchMore(['laterNever1'], 'nl');
      const notes = await notesOfRuns();
      expect(notes).toMatch(/The sound track de could not be fetched/);
      expect(notes).toMatch(/The site has no sound track of these languages: nl\./);
      const now = await t.app.db
        .selectFrom('video')
        .select(['sha256', 'damage'])
        .where('id', '=', 'laterNever1')
        .executeTakeFirst();
      expect([now, (await tracksOf('laterNever1')).path]).toEqual([{ sha256, damage: null }, before.path]);
      expect(await inconsistencies(t)).toEqual([]);
    });

    test('one request after the other, for staff, and for languages', async () => {
      const ids = ['laterSound1'];
      const start = () => t.staff.call('POST', '/api/video/sounds/', { ids, audio_languages: 'nl' });
      expect((await start()).statusCode).toBe(200);
      const busy = await start();
      expect([busy.statusCode, busy.json().error]).toEqual([409, expect.stringMatching(/already being fetched/)]);
      await t.runner.idle();
      const wrong = await t.staff.call('POST', '/api/video/sounds/', { ids, audio_languages: 'de;rm' });
      expect([wrong.statusCode, wrong.body]).toEqual([400, expect.stringMatching(/Use up to four language codes/)]);
      expect((await t.staff.call('POST', '/api/video/sounds/', { ids, audio_languages: '' })).statusCode).toBe(400);
    });
  });

  test('are joined to a download without picture', async () => {
    const setAudioOnly = (audio_only: boolean) => t.staff.call('POST', '/api/appsettings/config/', { queue: { audio_only } });
    await setAudioOnly(true);
    const { path, tracks } = await download('soundsOnly1');
    expect([tracks, path.slice(-4)]).toEqual([['eng*', 'deu'], '.m4a']);
    await setAudioOnly(false);
  });

  test('of a video with one sound are left as they are', async () => {
    expect((await download('oneSound001')).tracks).toHaveLength(1);
  });

  test('of languages that are none are refused', async () => {
    const sentence = 'Use up to four language codes such as de or pt-BR, separated by commas.';
    for (const audio_languages of ['xx1', 'de;en', 'de,en,fr,es,it', '-x', 'de"]']) {
      const response = await t.staff.call('POST', '/api/appsettings/config/', { downloads: { audio_languages } });
      expect([response.statusCode, response.body.includes(sentence)], audio_languages).toEqual([400, true]);
      const ofChannel = await t.staff.call('POST', `/api/channel/${other.id}/`, { channel_overwrites: { audio_languages } });
      expect([ofChannel.statusCode, ofChannel.body.includes(sentence)], audio_languages).toEqual([400, true]);
    }
  });
});
