import { execFileSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AudioTrack } from '#contract/rendition.ts';
import { aCatalogue, aChannel, aVideo } from '../../test-site/builders.ts';
import type { Sound } from '../../test-site/catalogue.ts';
import { add, createArchive, hasTools, inconsistencies, queueOf, videoOf, type TestSiteArchive } from '../support/acquisition.ts';

const channel = aChannel({ name: 'Night Trains' });
const other = aChannel({ name: 'Day Trains' });
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
  film('ofOthers001', [english, german, french], { channelId: other.id }),
  aVideo({ id: 'ofOthers000', channelId: other.id, durationSeconds: 2 }),
  aVideo({ id: 'oneSound001', channelId: channel.id, durationSeconds: 4 }),
];

describe.runIf(hasTools)('sound tracks', () => {
  let t: TestSiteArchive;
  beforeAll(async () => {
    t = await createArchive(aCatalogue({ channels: [channel, other], videos }));
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
    await set({ format: 'bv*[ext=webm]+ba[ext=webm]' });
    const { path, tracks } = await download('webmSounds1');
    expect([tracks, path.slice(-4)]).toEqual([['eng*', 'deu'], '.mkv']);
    await set({ format: null });
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
