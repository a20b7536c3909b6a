import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Check } from '#contract/doctor.ts';
import { recoverSwaps, swapPath } from '#server/library/swap.ts';
import { verifyFiles } from '#server/library/verify-files.ts';
import { readTags } from '#server/media/embed.ts';
import { fingerprint } from '#server/media/shelf.ts';
import { toolsFolderOf } from '#server/tools.ts';
import { aCatalogue, aChannel, aVideo, cuesFrom } from '#standin/builders.ts';
import { add, anArchiveWith, complaints, hasTools, queueOf, videoOf, type Acquiring } from './acquiring.ts';

const channel = aChannel({ name: 'Careful' });
const subtitles = [{ language: 'en', name: 'English', automatic: false, cues: cuesFrom(['All aboard', 'Mind the gap'], 4) }];
const videos = ['first', 'second', 'third'].map((name) =>
  aVideo({
    id: `${name}Video000`.slice(0, 11),
    channelId: channel.id,
    title: name,
    durationSeconds: 4,
    subtitles,
    chapters: [
      { startSeconds: 0, title: 'One; two = #3' },
      { startSeconds: 2, title: 'Two' },
    ],
  }),
);
const [first, second, third] = videos as [(typeof videos)[0], (typeof videos)[0], (typeof videos)[0]];

/** A program that says that it is this version, and otherwise is the real one, or fails at everything. */
const release = (version: string, fails = false) => `#!/bin/sh
for word in "$@"; do [ "$word" = --version ] && { echo ${version}; exit 0; }; done
${fails ? 'case "$*" in *--help*) ;; *) echo "ERROR: Unable to extract anything; please report this issue" >&2; exit 1;; esac' : ''}
exec '${process.env.REELKEEP_YTDLP}' "$@"
`;

describe.runIf(hasTools)('taking care of what is there', () => {
  let t: Acquiring;
  beforeAll(async () => {
    t = await anArchiveWith(aCatalogue({ channels: [channel], videos }));
    await t.staff.call('POST', '/api/appsettings/config/', { downloads: { subtitle: 'en' } });
    await add(t, videos.map(({ id }) => id).join(' '));
  });
  afterAll(() => t.close());
  const media = (id: string) => join(t.archive.config.mediaFolder, channel.id, `${id}.mp4`);
  const run = async (name: string) => {
    const { task_id: id } = (await t.staff.call('POST', `/api/task/by-name/${name}/`)).json();
    await t.runner.idle();
    return (await t.staff.call('GET', `/api/task/by-id/${id}/`)).json() as { status: string; result: string };
  };
  const checks = async () =>
    Object.fromEntries(((await t.staff.call('GET', '/api/doctor/')).json() as Check[]).map((check) => [check.name, check]));

  test('a verified library is all well; a changed byte, a short and a missing file are found and told', async () => {
    expect((await run('verify')).result).toBe('Read 3 of 3 files: 0 damaged or missing, 0 other complaint(s).');
    const bytes = await readFile(media(first.id));
    bytes[bytes.length >> 1]! ^= 1;
    await writeFile(media(first.id), bytes);
    await truncate(media(second.id), 1000);
    await rm(media(third.id));
    expect((await run('verify')).result).toMatch(/^Read 3 of 3 files: 3 damaged or missing, 2 other/);
    expect((await videoOf(t, first.id)).damage).toMatch(/bytes have changed/);
    expect((await videoOf(t, second.id)).damage).toMatch(/has 1000 bytes/);
    expect((await videoOf(t, third.id)).damage).toBe('The file is missing.');
    expect((await checks()).files).toMatchObject({ state: 'bad', says: '3 file(s) are damaged or missing.' });
  });

  test('what is damaged is whole again when it is downloaded again', async () => {
    await add(t, videos.map(({ id }) => id).join(' '), '?autostart=true&force=true');
    expect(await queueOf(t)).toEqual([]);
    expect((await run('verify')).result).toBe('Read 3 of 3 files: 0 damaged or missing, 0 other complaint(s).');
    expect((await videoOf(t, third.id)).damage).toBeUndefined();
  });

  test('only so much is read at a time, what was not read for longest first', async () => {
    await t.archive.db.updateTable('video').set({ verifiedAt: 1000 }).where('id', '=', second.id).execute();
    await t.archive.tasks.start(verifyFiles, { percent: 34 });
    await t.runner.idle();
    const unread = t.archive.db.selectFrom('video').select('id').where('verifiedAt', '=', 1000).execute();
    expect(await unread).toEqual([]);
  });

  test('the doctor looks at everything, and everything is well', async () => {
    const found = await checks();
    expect(Object.keys(found)).toEqual([
      'ytdlp',
      'ffmpeg',
      'database',
      'work',
      'disk',
      'folders',
      'clock',
      'network',
      'login',
      'sites',
      'files',
      'copies',
    ]);
    for (const name of ['ffmpeg', 'database', 'work', 'folders', 'network', 'clock', 'login', 'sites', 'files'])
      expect(found[name]?.state, found[name]?.says).toBe('good');
  });

  test('and says what is wrong, and what to do', async () => {
    t.standin.catalogue.faults.push({ host: 'youtube.com', does: 'dropped' });
    const { ffmpeg } = t.archive.tools;
    t.archive.tools.ffmpeg = null;
    await t.staff.call('POST', '/api/appsettings/config/', { queue: { reserve: 99_999 } });
    const found = await checks();
    expect(found.network).toMatchObject({ state: 'bad', do: expect.stringContaining('REELKEEP_PROXY') });
    expect(found.ffmpeg).toMatchObject({ state: 'bad', do: expect.stringContaining('ffmpeg') });
    expect(found.disk).toMatchObject({ state: 'bad', says: expect.stringContaining('Downloads wait') });
    t.archive.tools.ffmpeg = ffmpeg;
    t.standin.catalogue.faults.length = 0;
    const other = aVideo({ id: 'noRoomVide1', channelId: channel.id, title: 'No room', durationSeconds: 4 });
    t.standin.catalogue.videos.push(other);
    // What can be made again gives way first, then what rests in the bin, and the run says so.
    const sound = join(t.archive.config.cacheFolder, 'renditions', first.id, 'stamp-s1.m4a');
    await mkdir(dirname(sound), { recursive: true });
    await writeFile(sound, 'sound');
    const about = { channelId: channel.id, channelName: 'Careful', deletedAt: 1, madeIgnored: 0, folder: 'x' } as const;
    const deleted = { ...about, videoId: 'deletedVid1', title: 'Not needed', sizeBytes: 99_999e9 };
    await t.archive.db.insertInto('bin').values(deleted).execute();
    await add(t, other.id);
    const notes = await t.archive.db.selectFrom('runNote').select(['what', 'why']).where('kind', '=', 'step').execute();
    expect(notes).toContainEqual({ what: 'Not needed', why: expect.stringContaining('from the bin for good') });
    expect((await t.staff.call('GET', '/api/bin/')).json().data).toEqual([]);
    expect(existsSync(sound)).toBe(false);
    expect(await queueOf(t)).toMatchObject([{ youtube_id: other.id }]);
    expect((await queueOf(t))[0]!.failure).toBeUndefined();
    await t.staff.call('POST', '/api/appsettings/config/', { queue: { reserve: 0 } });
    await t.staff.call('POST', `/api/download/${other.id}/`, { status: 'priority' });
    await t.runner.idle();
    expect(await videoOf(t, other.id)).not.toBeNull();
  });

  test('what is spoken becomes lines when it is wanted, for what is there and for what comes', async () => {
    const lines = async (id: string) =>
      (
        await t.archive.db.selectFrom('line').select(['lang', 'text']).where('videoId', '=', id).orderBy('position').execute()
      ).map(({ text }) => text);
    expect(await lines(first.id)).toEqual([]);
    await t.staff.call('POST', '/api/appsettings/config/', { downloads: { subtitle_index: true } });
    await t.runner.idle();
    expect(await lines(first.id)).toEqual(['All aboard', 'Mind the gap']);
    const later = aVideo({ id: 'laterVideo1', channelId: channel.id, title: 'Later', durationSeconds: 4, subtitles });
    t.standin.catalogue.videos.push(later);
    await add(t, later.id);
    expect(await lines(later.id)).toEqual(['All aboard', 'Mind the gap']);
    await t.staff.call('DELETE', `/api/video/${later.id}/`);
    expect(await lines(later.id)).toEqual([]);
  });

  test('files say what they are, with their picture, and are the same film as before', async () => {
    const before = await videoOf(t, first.id);
    const { ffmpeg } = t.archive.tools;
    const { signal } = new AbortController();
    expect(await readTags(ffmpeg!, media(first.id), signal)).toMatchObject({ hasCover: false });
    expect((await run('resync_metadata')).result).toMatch(/^Embedded into \d+ files\.$/);
    expect(await readTags(ffmpeg!, media(first.id), signal)).toMatchObject({
      title: first.title,
      artist: 'Careful',
      comment: `https://www.youtube.com/watch?v=${first.id}`,
      hasCover: true,
      hasChapters: true,
    });
    const after = await videoOf(t, first.id);
    expect(after.media_size).toBeGreaterThan(before.media_size);
    expect(after.streams).toEqual(before.streams);
    expect((await run('verify')).result).toMatch(/0 damaged or missing, 0 other/);
    // Done is done: nothing is written again.
    expect((await run('resync_metadata')).result).toBeNull();
    expect((await run('resync_thumbs')).result).toBeNull();
  });

  test('a file that was to take the place of another does so at the next start, or is gone', async () => {
    const { size } = await stat(media(second.id));
    const made = swapPath(t.archive, second.id, '.mp4');
    await copyFile(media(first.id), made);
    const sums = await fingerprint(made);
    await writeFile(swapPath(t.archive, second.id, '.json'), JSON.stringify({ id: second.id, from: basename(made), ...sums }));
    await writeFile(swapPath(t.archive, third.id, '.mp4'), 'half');
    await recoverSwaps(t.archive);
    expect((await videoOf(t, second.id)).media_size).toBe(sums.sizeBytes);
    expect(sums.sizeBytes).not.toBe(size);
    expect(await complaints(t)).toEqual([]);
  });

  test('only the sound is kept when that is chosen', async () => {
    const song = aVideo({ id: 'songVideo01', channelId: channel.id, title: 'A song', durationSeconds: 5 });
    t.standin.catalogue.videos.push(song);
    await t.staff.call('POST', '/api/appsettings/config/', { queue: { audio_only: true } });
    await add(t, song.id);
    await t.staff.call('POST', '/api/appsettings/config/', { queue: { audio_only: false } });
    const found = await videoOf(t, song.id);
    expect(found.streams.map((stream: { type: string }) => stream.type)).toEqual(['audio']);
    expect(found.media_url).toMatch(/\.m4a$/);
  });
});

describe.runIf(hasTools)('keeping yt-dlp up to date', () => {
  let t: Acquiring;
  beforeAll(async () => {
    t = await anArchiveWith(aCatalogue({ channels: [channel], videos }), { env: { REELKEEP_YTDLP: '' } });
    await add(t, first.id);
  });
  afterAll(() => t.close());
  const state = async () => (await t.staff.call('GET', '/api/ytdlp/')).json();
  const update = async () => {
    const answer = await t.staff.call('POST', '/api/ytdlp/update/');
    await t.runner.idle();
    if (answer.statusCode !== 200) return answer.json();
    return (await t.staff.call('GET', `/api/task/by-id/${answer.json().task_id}/`)).json();
  };
  const choose = (ytdlp: object) => t.staff.call('POST', '/api/appsettings/config/', { ytdlp });

  test('one that belongs to the machine is left alone unless somebody says otherwise', async () => {
    if (!t.archive.tools.ytdlp) return; // this machine has none of its own
    expect(await state()).toMatchObject({ is_managed: false, previous: null });
    expect((await update()).error).toMatch(/not kept up to date by us/);
  });

  test('a newer release is fetched, tried, and used; what failed for the old one is tried again', async () => {
    await choose({ updates: 'on' });
    t.standin.catalogue.ytdlpReleases.push({ version: '2026.11.01', program: release('2026.11.01') });
    expect(await update()).toMatchObject({ status: 'SUCCESS', result: 'yt-dlp 2026.11.01 is used from now on.' });
    expect(await state()).toMatchObject({ version: '2026.11.01', is_managed: true });
    expect(await update()).toMatchObject({ status: 'SUCCESS', result: null });
    await add(t, second.id);
    expect(await videoOf(t, second.id)).not.toBeNull();
  });

  test.each([
    [
      'whose sum is not the published one',
      { version: '2026.11.02', program: release('2026.11.02'), hasWrongSum: true },
      /sum|PyPI|pip|No matching|exit/i,
    ],
    [
      'that does not run',
      { version: '2026.11.03', program: '#!/bin/sh\nexit 7\n' },
      /does not run here\. Version 2026\.11\.01 stays/,
    ],
    [
      'that understands nothing any more',
      { version: '2026.11.04', program: release('2026.11.04', true) },
      /does not understand youtube: “.*”\. Version 2026\.11\.01 stays/,
    ],
  ])('a release %s is not used, and nothing of it is left', async (_, one, sentence) => {
    t.standin.catalogue.ytdlpReleases.push(one);
    const { status, result } = await update();
    expect([status, result]).toEqual(['FAILURE', expect.stringMatching(sentence)]);
    expect((await state()).version).toBe('2026.11.01');
    expect(await readdir(join(toolsFolderOf(t.archive), 'ytdlp'))).toHaveLength(1);
  });

  test('one that turns out badly later is gone back from, and stays away', async () => {
    t.standin.catalogue.ytdlpReleases.push({ version: '2026.11.05', program: release('2026.11.05') });
    await update();
    expect(await state()).toMatchObject({ version: '2026.11.05', previous: '2026.11.01' });
    const back = (await t.staff.call('POST', '/api/ytdlp/rollback/')).json();
    expect(back).toMatchObject({ version: '2026.11.01', pinned: '2026.11.01', previous: null });
    await update();
    expect((await state()).version).toBe('2026.11.01');
    expect((await t.staff.call('POST', '/api/ytdlp/rollback/')).json().error).toMatch(/no earlier yt-dlp/);
  });
});
