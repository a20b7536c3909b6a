import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Check } from '#contract/health.ts';
import { recoverReplacements, replacementPath } from '#server/archive/storage/replace-file.ts';
import { followYtdlp } from '#server/features/system/follow-ytdlp.ts';
import type { NodeInfo } from '#server/platform/context/nodes.ts';
import { createQueueItem } from '#server/test-support/app.ts';
import { verifyFiles } from '#server/features/library/consistency/verify-files.ts';
import { readTags } from '#server/platform/media/embed.ts';
import { fingerprint } from '#server/platform/files/files.ts';
import { toolsFolderOf } from '#server/platform/context/tools.ts';
import { aCatalogue, aChannel, aVideo, cuesFrom } from '../../test-site/builders.ts';
import type { YtdlpRelease } from '../../test-site/catalogue.ts';
import { releaseKey } from '../../test-site/services/ytdlp-releases.ts';
import {
  add,
  createArchive,
  inconsistencies,
  hasTools,
  queueOf,
  trust,
  videoOf,
  type TestSiteArchive,
} from '../support/acquisition.ts';

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

/** Returns a program that prints this version and otherwise runs the real yt-dlp, or fails at every download. */
const release = (version: string, fails = false) => `#!/bin/sh
for word in "$@"; do [ "$word" = --version ] && { echo ${version}; exit 0; }; done
${fails ? 'case "$*" in *--help*) ;; *) echo "ERROR: Unable to extract anything; please report this issue" >&2; exit 1;; esac' : ''}
exec '${process.env.REELKEEP_YTDLP}' "$@"
`;

describe.runIf(hasTools)('maintenance of the library', () => {
  let t: TestSiteArchive;
  beforeAll(async () => {
    t = await createArchive(aCatalogue({ channels: [channel], videos }));
    await t.staff.call('POST', '/api/appsettings/config/', { downloads: { subtitle: 'en', subtitle_index: false } });
    await add(t, videos.map(({ id }) => id).join(' '));
  });
  afterAll(() => t.close());
  const media = (id: string) => join(t.app.config.mediaFolder, channel.id, `${id}.mp4`);
  const run = async (name: string) => {
    const { task_id: id } = (await t.staff.call('POST', `/api/task/by-name/${name}/`)).json();
    await t.runner.idle();
    return (await t.staff.call('GET', `/api/task/by-id/${id}/`)).json() as { status: string; result: string };
  };
  const checks = async () =>
    Object.fromEntries(
      ((await t.staff.call('GET', '/api/health/checks/')).json() as Check[]).map((check) => [check.name, check]),
    );

  test('verifies a library and reports changed, truncated and missing files', async () => {
    expect((await run('verify')).result).toBe('Verified 3 of 3 files: 0 damaged or missing, 0 other problems.');
    const bytes = await readFile(media(first.id));
    bytes[bytes.length >> 1]! ^= 1;
    await writeFile(media(first.id), bytes);
    await truncate(media(second.id), 1000);
    await rm(media(third.id));
    expect((await run('verify')).result).toMatch(/^Verified 3 of 3 files: 3 damaged or missing, 2 other/);
    expect((await videoOf(t, first.id)).damage).toMatch(/checksum does not match/);
    expect((await videoOf(t, second.id)).damage).toMatch(/size changed: 1,000 bytes/);
    expect((await videoOf(t, third.id)).damage).toBe('The file is missing.');
    expect((await checks()).files).toMatchObject({ state: 'bad', text: '3 files are damaged or missing.' });
  });

  test('repairs a damaged file by downloading it again', async () => {
    await add(t, videos.map(({ id }) => id).join(' '), '?autostart=true&force=true');
    expect(await queueOf(t)).toEqual([]);
    expect((await run('verify')).result).toBe('Verified 3 of 3 files: 0 damaged or missing, 0 other problems.');
    expect((await videoOf(t, third.id)).damage).toBeUndefined();
  });

  test('verifies a limited amount at a time, least recently verified first', async () => {
    await t.app.db.updateTable('video').set({ verifiedAt: 1000 }).where('id', '=', second.id).execute();
    await t.app.tasks.start(verifyFiles, { percent: 34 });
    await t.runner.idle();
    const unread = t.app.db.selectFrom('video').select('id').where('verifiedAt', '=', 1000).execute();
    expect(await unread).toEqual([]);
  });

  test('health checks pass for a healthy installation', async () => {
    const found = await checks();
    expect(Object.keys(found)).toEqual([
      'ytdlp',
      'python',
      'runtime',
      'solver',
      'challenges',
      'aes',
      'impersonation',
      'tokens',
      'ffmpeg',
      'database',
      'work',
      'disk',
      'folders',
      'clock',
      'network',
      'login',
      'encoders',
      'sites',
      'files',
      'copies',
    ]);
    const parts = ['python', 'runtime', 'solver', 'challenges', 'aes'];
    for (const name of [
      ...parts,
      'ffmpeg',
      'database',
      'work',
      'folders',
      'network',
      'clock',
      'login',
      'encoders',
      'sites',
      'files',
    ])
      expect(found[name]?.state, found[name]?.text).toBe('good');
  });

  test('health checks report problems with their remedy', async () => {
    t.testSite.catalogue.faults.push({ host: 'youtube.com', does: 'dropped' });
    const { ffmpeg } = t.app.tools;
    t.app.tools.ffmpeg = null;
    await t.staff.call('POST', '/api/appsettings/config/', { queue: { reserve: 99_999 } });
    const found = await checks();
    expect(found.network).toMatchObject({ state: 'bad', advice: expect.stringContaining('REELKEEP_PROXY') });
    expect(found.ffmpeg).toMatchObject({ state: 'bad', advice: expect.stringContaining('ffmpeg') });
    expect(found.disk).toMatchObject({ state: 'bad', text: expect.stringContaining('Downloads wait') });
    t.app.tools.ffmpeg = ffmpeg;
    t.testSite.catalogue.faults.length = 0;
    const other = aVideo({ id: 'noRoomVide1', channelId: channel.id, title: 'No room', durationSeconds: 4 });
    t.testSite.catalogue.videos.push(other);
    // Cached renditions are deleted first, then the trash; the run log reports it.
    const rendition = join(t.app.config.cacheFolder, 'renditions', first.id, 'stamp-s1.m4a');
    await mkdir(dirname(rendition), { recursive: true });
    await writeFile(rendition, 'sound');
    const trashRow = { channelId: channel.id, channelName: 'Careful', deletedAt: 1, addedToIgnoreList: 0, folder: 'x' } as const;
    const deleted = { ...trashRow, videoId: 'deletedVid1', title: 'Not needed', sizeBytes: 99_999e9 };
    await t.app.db.insertInto('trash').values(deleted).execute();
    await add(t, other.id);
    const notes = await t.app.db.selectFrom('runLog').select(['subject', 'reason']).where('kind', '=', 'step').execute();
    expect(notes).toContainEqual({ subject: 'Not needed', reason: expect.stringContaining('trash.freed-space') });
    expect((await t.staff.call('GET', '/api/trash/')).json().data).toEqual([]);
    expect(existsSync(rendition)).toBe(false);
    expect(await queueOf(t)).toMatchObject([{ youtube_id: other.id }]);
    expect((await queueOf(t))[0]!.failure).toBeUndefined();
    await t.staff.call('POST', '/api/appsettings/config/', { queue: { reserve: 0 } });
    await t.staff.call('POST', `/api/download/${other.id}/`, { status: 'priority' });
    await t.runner.idle();
    expect(await videoOf(t, other.id)).not.toBeNull();
  });

  test('indexes transcripts of existing and new videos when enabled', async () => {
    const lines = async (id: string) =>
      (
        await t.app.db
          .selectFrom('transcriptLine')
          .select(['lang', 'text'])
          .where('videoId', '=', id)
          .orderBy('position')
          .execute()
      ).map(({ text }) => text);
    expect(await lines(first.id)).toEqual([]);
    await t.staff.call('POST', '/api/appsettings/config/', { downloads: { subtitle_index: true } });
    await t.runner.idle();
    expect(await lines(first.id)).toEqual(['All aboard', 'Mind the gap']);
    const later = aVideo({ id: 'laterVideo1', channelId: channel.id, title: 'Later', durationSeconds: 4, subtitles });
    t.testSite.catalogue.videos.push(later);
    await add(t, later.id);
    expect(await lines(later.id)).toEqual(['All aboard', 'Mind the gap']);
    await t.staff.call('DELETE', `/api/video/${later.id}/`);
    expect(await lines(later.id)).toEqual([]);
  });

  test('embeds metadata and thumbnail without changing the streams', async () => {
    const before = await videoOf(t, first.id);
    const { ffmpeg } = t.app.tools;
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
    // A second run changes nothing.
    expect((await run('resync_metadata')).result).toBeNull();
    expect((await run('resync_thumbs')).result).toBeNull();
  });

  test('completes or removes an interrupted file replacement at the next start', async () => {
    const { size } = await stat(media(second.id));
    const replacement = replacementPath(t.app, second.id, '.mp4');
    await copyFile(media(first.id), replacement);
    const sums = await fingerprint(replacement);
    await writeFile(
      replacementPath(t.app, second.id, '.json'),
      JSON.stringify({ id: second.id, from: basename(replacement), ...sums }),
    );
    await writeFile(replacementPath(t.app, third.id, '.mp4'), 'half');
    await recoverReplacements(t.app);
    expect((await videoOf(t, second.id)).media_size).toBe(sums.sizeBytes);
    expect(sums.sizeBytes).not.toBe(size);
    expect(await inconsistencies(t)).toEqual([]);
  });

  test('keeps only the audio when that is configured', async () => {
    const song = aVideo({ id: 'songVideo01', channelId: channel.id, title: 'A song', durationSeconds: 5 });
    t.testSite.catalogue.videos.push(song);
    await t.staff.call('POST', '/api/appsettings/config/', { queue: { audio_only: true } });
    await add(t, song.id);
    await t.staff.call('POST', '/api/appsettings/config/', { queue: { audio_only: false } });
    const found = await videoOf(t, song.id);
    expect(found.streams.map((stream: { type: string }) => stream.type)).toEqual(['audio']);
    expect(found.media_url).toMatch(/\.m4a$/);
  });
});

describe.runIf(hasTools)('updating yt-dlp', () => {
  let t: TestSiteArchive;
  let untrust = () => {};
  beforeAll(async () => {
    t = await createArchive(aCatalogue({ channels: [channel], videos }), { env: { REELKEEP_YTDLP: '' } });
    t.app.tools.releaseKey = await releaseKey();
    await add(t, first.id);
  });
  afterAll(async () => {
    untrust();
    await t.close();
  });
  const state = async () => (await t.staff.call('GET', '/api/ytdlp/')).json();
  const update = async () => {
    const response = await t.staff.call('POST', '/api/task/by-name/update_ytdlp/');
    await t.runner.idle();
    return (await t.staff.call('GET', `/api/task/by-id/${response.json().task_id}/`)).json();
  };
  const choose = (ytdlp: object) => t.staff.call('POST', '/api/appsettings/config/', { ytdlp });

  test('does not update a yt-dlp of the system unless configured', async (context) => {
    if (!t.app.tools.ytdlp) return context.skip('no yt-dlp is installed on this machine');
    expect(await state()).toMatchObject({ is_managed: false, previous: null });
    expect(await update()).toMatchObject({ status: 'FAILURE', result: expect.stringMatching(/does not manage this yt-dlp/) });
  });

  test('downloads no program from a host with an untrusted certificate, even with REELKEEP_PROXY_INSECURE', async () => {
    await choose({ updates: 'on' });
    t.testSite.catalogue.ytdlpReleases.push({ version: '2026.10.31', program: release('2026.10.31') });
    const { version } = await state();
    const { status, result } = await update();
    expect([status, result]).toEqual([
      'FAILURE',
      expect.stringMatching(
        /^The newest release of yt-dlp could not be determined \(the certificate is not trusted .*\)\. REELKEEP_PROXY_INSECURE does not apply to p/,
      ),
    ]);
    expect((await state()).version).toBe(version);
  });

  test('downloads, tries and uses a newer release, and retries what failed with the old one', async () => {
    untrust = trust(t.testSite);
    t.testSite.catalogue.ytdlpReleases.push({ version: '2026.11.01', program: release('2026.11.01') });
    expect(await update()).toMatchObject({ status: 'SUCCESS', result: 'Updated to yt-dlp 2026.11.01.' });
    expect(await state()).toMatchObject({ version: '2026.11.01', is_managed: true });
    expect(await update()).toMatchObject({ status: 'SUCCESS', result: null });
    await add(t, second.id);
    expect(await videoOf(t, second.id)).not.toBeNull();
  });

  test.each([
    [
      'with a wrong checksum',
      { version: '2026.11.02', program: release('2026.11.02'), hasWrongSum: true },
      /failed verification \(the checksum of yt-dlp is not the signed one\)\. Try again later\..* Version 2026\.11\.01 stays/,
    ],
    [
      'without a signature',
      { version: '2026.11.02', program: release('2026.11.02'), signature: 'missing' },
      /failed verification \(https:\S+SHA2-256SUMS\.sig answered 404\)\..* Version 2026\.11\.01 stays/,
    ],
    [
      'signed with another key',
      { version: '2026.11.02', program: release('2026.11.02'), signature: 'by another key' },
      /failed verification \(SHA2-256SUMS is not signed by yt-dlp's key/,
    ],
    [
      'with the signature of other checksums',
      { version: '2026.11.02', program: release('2026.11.02'), signature: 'of other sums' },
      /failed verification \(SHA2-256SUMS is not signed by yt-dlp's key/,
    ],
    [
      'that is an older version under a newer name',
      { version: '2026.11.02', program: release('2026.10.01') },
      /is not used\. The downloaded program is version 2026\.10\.01\. Version 2026\.11\.01 stays/,
    ],
    [
      'that is lower than the version in use',
      { version: '2026.10.30', program: release('2026.10.30') },
      /older than the version in use\. To downgrade, .* Version 2026\.11\.01 stays/,
    ],
    [
      'that does not run',
      { version: '2026.11.03', program: '#!/bin/sh\nexit 7\n' },
      /does not run on this system\. Version 2026\.11\.01 stays/,
    ],
    [
      'that can read no site',
      { version: '2026.11.04', program: release('2026.11.04', true) },
      /cannot read youtube: “.*”\. Version 2026\.11\.01 stays/,
    ],
  ] as [string, YtdlpRelease, RegExp][])(
    'does not use a release %s, and leaves nothing of it',
    async (_, ytdlpRelease, sentence) => {
      t.testSite.catalogue.ytdlpReleases.push(ytdlpRelease);
      const { status, result } = await update();
      t.testSite.catalogue.ytdlpReleases.pop();
      expect([status, result]).toEqual(['FAILURE', expect.stringMatching(sentence)]);
      expect((await state()).version).toBe('2026.11.01');
      expect(await readdir(join(toolsFolderOf(t.app), 'ytdlp'))).toHaveLength(1);
    },
  );

  test('downgrades to a pinned version', async () => {
    t.testSite.catalogue.ytdlpReleases.unshift({ version: '2026.10.30', program: release('2026.10.30') });
    await choose({ pinned: '2026.10.30' });
    expect(await update()).toMatchObject({ status: 'SUCCESS', result: 'Updated to yt-dlp 2026.10.30.' });
    await choose({ pinned: null });
    expect(await update()).toMatchObject({ status: 'SUCCESS', result: 'Updated to yt-dlp 2026.11.01.' });
  });

  test('rolls back a release that fails later, and does not install it again', async () => {
    t.testSite.catalogue.ytdlpReleases.push({ version: '2026.11.05', program: release('2026.11.05') });
    await update();
    expect(await state()).toMatchObject({ version: '2026.11.05', previous: '2026.11.01' });
    const rolledBack = (await t.staff.call('POST', '/api/ytdlp/rollback/')).json();
    expect(rolledBack).toMatchObject({ version: '2026.11.01', pinned: '2026.11.01', previous: null });
    await update();
    expect((await state()).version).toBe('2026.11.01');
    expect((await t.staff.call('POST', '/api/ytdlp/rollback/')).json().error).toMatch(/no previous version/);
  });

  test('follows the version of the other servers, and retries failures when all workers use it', async () => {
    await choose({ pinned: null });
    const { db, config, nodes } = t.app;
    const another = { name: 'another', role: 'worker', isAlive: true, ytdlp: '2026.11.01' } as NodeInfo;
    Object.assign(t.app, { config: { ...config, node: 'this' }, nodes: { ...nodes, list: async () => [another] } });
    const id = await createQueueItem(db, { failure: 'ytdlp', retryAt: 5_000_000_000 });
    const retryAt = async () =>
      (await db.selectFrom('download').select('retryAt').where('id', '=', id).executeTakeFirstOrThrow()).retryAt;
    const record = (version: string) =>
      db
        .insertInto('ytdlpHistory')
        .values({ since: t.app.now() + 1, version })
        .execute();
    const follow = () => followYtdlp(t.app, new AbortController().signal);
    await record('2026.11.05'); // by the server that was updated
    await follow();
    expect(await state()).toMatchObject({ version: '2026.11.05' });
    expect(await retryAt()).toBe(5_000_000_000); // the other worker still uses the old one
    await choose({ pinned: '2026.11.01' });
    await follow();
    expect(await state()).toMatchObject({ version: '2026.11.01' });
    expect(await retryAt()).toBeLessThanOrEqual(t.app.now());
    await choose({ pinned: '2026.12.24' }); // does not exist
    await follow();
    expect([(await state()).version, t.app.state.failedYtdlp?.version]).toEqual(['2026.11.01', '2026.12.24']);
    Object.assign(t.app, { config, nodes });
  });
});
