import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Video } from '#contract/video.ts';
import { recoverDownloads } from '#server/archive/publish/recover.ts';
import { workDirOf } from '#server/archive/publish/work-dir.ts';
import { startQueueIfDue } from '#server/features/download/start-if-due.ts';
import { probe } from '#server/platform/media/probe.ts';
import { aCatalogue, aChannel, aVideo } from '../../test-site/builders.ts';
import { createArchive, eventually, hasTools, queueOf, videoOf, type TestSiteArchive } from '../support/acquisition.ts';

const channel = aChannel({ name: 'Night Trains' });
const subscribed = aChannel({ name: 'Station Cameras' });
const stream = (id: string, fragments: number) =>
  aVideo({
    id,
    channelId: channel.id,
    kind: 'stream',
    live: 'now',
    durationSeconds: 30,
    startsAt: new Date('2026-11-29T12:00:00Z'),
    stream: { fragments },
  });
const catalogue = () =>
  aCatalogue({
    channels: [channel, subscribed],
    videos: [
      stream('liveStream1', 6),
      stream('goneStream1', 3),
      stream('waitStream1', 6),
      stream('stopStream1', 5),
      stream('brokenJoin1', 4),
      stream('endedEarly1', 3),
      stream('fullDisk111', 3),
      { ...stream('scanStream1', 3), channelId: subscribed.id },
      { ...stream('scanSoon111', 3), channelId: subscribed.id, live: 'upcoming', startsAt: new Date(Date.now() + 26 * 3600_000) },
      { ...stream('veryLong111', 2), stream: { fragments: 2, fragmentSeconds: 1200 } },
      aVideo({
        id: 'soonStream1',
        channelId: channel.id,
        kind: 'stream',
        live: 'upcoming',
        durationSeconds: 10,
        startsAt: new Date(Date.now() + 90 * 60_000),
      }),
      aVideo({ id: 'meanwhile11', channelId: channel.id, durationSeconds: 4 }),
    ],
  });

describe.runIf(hasTools)('running streams', () => {
  let t: TestSiteArchive;
  beforeAll(async () => {
    t = await createArchive(catalogue());
  });
  afterAll(() => t.close());
  const inCatalogue = (id: string) => t.testSite.catalogue.videos.find((video) => video.id === id)!;
  const add = (id: string) =>
    t.staff.call('POST', '/api/download/?autostart=true', {
      data: [{ youtube_id: `https://www.youtube.com/watch?v=${id}`, status: 'pending' }],
    });
  const item = (id: string) => t.app.db.selectFrom('download').selectAll().where('id', '=', id).executeTakeFirst();
  const recordings = async () => (await t.app.tasks.activeInputs('record_stream')) as { id: string }[];
  const lastFragment = (id: string) =>
    Math.max(
      -1,
      ...t.testSite.requests.flatMap(({ host, path }) => {
        const { searchParams: query } = new URL(path, `https://${host}`);
        return query.get('id') === id && query.has('sq') ? [Number(query.get('sq'))] : [];
      }),
    );
  /** How many fragments of the sound were loaded, without a lost one. */
  const loadedSounds = (id: string, lost: number) =>
    t.testSite.requests.filter(({ host, path }) => {
      const { searchParams: query } = new URL(path, `https://${host}`);
      return query.get('id') === id && query.get('itag') === '140' && query.has('sq') && query.get('sq') !== String(lost);
    }).length;
  const until = (isTrue: () => boolean | Promise<boolean>) => eventually(async () => isTrue());
  const recordStreams = () =>
    t.staff.call('POST', '/api/appsettings/config/', { downloads: { live: 'record' }, queue: { per_site: 1 } });
  const end = (id: string) => {
    Object.assign(inCatalogue(id), { live: undefined, stream: undefined });
  };
  const setTime = (now: number) => Object.assign(t.app, { now: () => now });
  const startOf = (id: string) => inCatalogue(id).startsAt!.getTime() / 1000;
  const fileOf = async (id: string) => {
    const row = await t.app.db
      .selectFrom('video')
      .select(['mediaPath', 'kind', 'title'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const found = await probe(t.app.tools.ffmpeg!, await t.app.files.localPath(row.mediaPath), AbortSignal.timeout(60_000));
    return { ...row, seconds: Math.round(found.durationSeconds), streams: found.streams.map(({ type }) => type) };
  };

  test('are downloaded when they are over, unless they are to be recorded', async () => {
    await add('waitStream1');
    await t.runner.idle();
    expect(await recordings()).toEqual([]);
    expect(await item('waitStream1')).toMatchObject({
      failure: 'not-yet',
      isRecording: 0,
      title: inCatalogue('waitStream1').title,
    });
  });

  test('are recorded from their start to their end, also over an interruption, while others are downloaded', async () => {
    await recordStreams();
    await add('liveStream1');
    await add('goneStream1');
    await until(() => lastFragment('liveStream1') === 5);
    expect(await item('liveStream1')).toMatchObject({ isRecording: 1, failure: null });
    await add('meanwhile11');
    await until(async () => (await videoOf(t, 'meanwhile11')) !== null);
    Object.assign(inCatalogue('liveStream1').stream!, { fragments: 9, missing: [7] });
    await until(() => lastFragment('liveStream1') === 8);
    // Nothing new for so long that yt-dlp ends; the stream goes on later.
    const { number } = (await item('liveStream1'))!;
    const hasEnded = async () => (await readdir(workDirOf(t.app, number))).includes('liveStream1.f140.mp4');
    await until(hasEnded);
    inCatalogue('liveStream1').stream!.fragments = 12;
    await until(() => lastFragment('liveStream1') === 11);
    end('liveStream1');
    Object.assign(inCatalogue('goneStream1'), { fails: 'private' });
    end('goneStream1');
    await t.runner.idle();
    expect(await fileOf('goneStream1')).toMatchObject({ seconds: 3, title: inCatalogue('goneStream1').title });
    expect(await fileOf('liveStream1')).toMatchObject({ kind: 'streams', seconds: 12, streams: ['video', 'audio'] });
    expect(await item('liveStream1')).toBeUndefined();
    // No fragment was loaded twice but the lost one, which was tried again.
    expect(loadedSounds('liveStream1', 7)).toBe(11);
    const video = (await t.staff.call('GET', '/api/video/liveStream1/')).json<Video>();
    expect(video).toMatchObject({
      vid_type: 'streams',
      player: { duration: 12 },
      recording: { started_at: startOf('liveStream1'), ended_early: null, gaps: [{ start: 7, seconds: 1 }] },
    });
  });

  test('are recorded on after a restart of the server, and archived when a person stops the recording', async () => {
    await recordStreams();
    await add('stopStream1');
    await until(() => lastFragment('stopStream1') === 4);
    await t.app.tasks.pauseOthers();
    expect(await t.app.db.selectFrom('video').where('id', '=', 'stopStream1').select('id').execute()).toEqual([]);
    Object.assign(inCatalogue('stopStream1').stream!, { fragments: 8, missing: [6] });
    t.app.tasks.resume();
    await until(() => lastFragment('stopStream1') === 7);
    const run = await t.app.db
      .selectFrom('task')
      .select('id')
      .where('name', '=', 'record_stream')
      .orderBy('queuedAt', 'desc')
      .executeTakeFirstOrThrow();
    await t.staff.call('POST', `/api/task/by-id/${run.id}/`, { command: 'stop' });
    await t.runner.idle();
    expect(await fileOf('stopStream1')).toMatchObject({
      streams: ['video', 'audio'],
      title: inCatalogue('stopStream1').title,
    });
    const log = await t.app.db.selectFrom('runLog').select('reason').where('taskId', '=', run.id).execute();
    expect(log.map(({ reason }) => reason).join()).toMatch(/live\.stopped[^]*live\.skipped/);
    // The one that was being loaded at the restart may be loaded again.
    expect(loadedSounds('stopStream1', 6)).toBeLessThanOrEqual(8);
  });

  test('that are announced are recorded when they start', async () => {
    await recordStreams();
    // It would be recorded, too, when it is tried again.
    end('waitStream1');
    await add('soonStream1');
    await t.runner.idle();
    const startsAt = Math.floor(startOf('soonStream1'));
    expect(await item('soonStream1')).toMatchObject({
      title: inCatalogue('soonStream1').title,
      channelId: channel.id,
      failure: 'not-yet',
      startsAt,
      retryAt: startsAt,
    });
    // It is late: tried again soon.
    setTime(startsAt + 60);
    await startQueueIfDue(t.app);
    await t.runner.idle();
    expect((await item('soonStream1'))!.retryAt).toBe(t.app.now() + 300);
    Object.assign(inCatalogue('soonStream1'), { live: 'now', stream: { fragments: 3 } });
    setTime(startsAt + 400);
    await startQueueIfDue(t.app);
    await until(() => lastFragment('soonStream1') === 2);
    end('soonStream1');
    await t.runner.idle();
    expect(await fileOf('soonStream1')).toMatchObject({ seconds: 3, streams: ['video', 'audio'] });
  });

  test('end at the reserve of the disk and at the hours of the settings, and are archived up to there', async () => {
    await recordStreams();
    const early = async (id: string) => (await videoOf(t, id)) as Video | null;
    // The limits are looked at again half a minute later.
    let clock = t.app.now();
    const growToEnd = (id: string) =>
      until(async () => {
        const growing = inCatalogue(id).stream!;
        if (lastFragment(id) === growing.fragments - 1) {
          clock += 60;
          setTime(clock);
          growing.fragments++;
        }
        return (await recordings()).length === 0;
      });
    await t.staff.call('POST', '/api/appsettings/config/', { downloads: { live_hours: 1 } });
    await add('veryLong111');
    await until(() => lastFragment('veryLong111') === 1);
    await growToEnd('veryLong111');
    await t.runner.idle();
    expect((await early('veryLong111'))!.recording).toMatchObject({ ended_early: 'too-long' });
    await add('fullDisk111');
    await until(() => lastFragment('fullDisk111') === 2);
    expect(await early('fullDisk111')).toBeNull();
    await t.staff.call('POST', '/api/appsettings/config/', { queue: { reserve: 100_000 } });
    await growToEnd('fullDisk111');
    await t.runner.idle();
    await t.staff.call('POST', '/api/appsettings/config/', { queue: { reserve: 0 }, downloads: { live_hours: 12 } });
    expect((await early('fullDisk111'))!.recording).toMatchObject({ ended_early: 'disk-full' });
    expect(await fileOf('fullDisk111')).toMatchObject({ streams: ['video', 'audio'] });
    for (const id of ['veryLong111', 'fullDisk111']) end(id);
  });

  test('of a subscribed channel are found and recorded by a scan', async () => {
    await t.staff.call('POST', '/api/appsettings/config/', { downloads: { live: 'wait' } });
    await t.staff.call('POST', '/api/channel/', { data: [{ channel_id: subscribed.id, channel_subscribed: true }] });
    await t.runner.idle();
    expect(await recordings()).toEqual([]);
    await t.staff.call('DELETE', '/api/download/?filter=pending');
    const overrides = { channel_overwrites: { live: 'record' } };
    await t.staff.call('POST', `/api/channel/${subscribed.id}/`, overrides);
    await t.staff.call('POST', '/api/task/by-name/update_subscribed/');
    await until(() => lastFragment('scanStream1') === 2);
    const startsAt = Math.floor(startOf('scanSoon111'));
    expect(await item('scanSoon111')).toMatchObject({ failure: 'not-yet', startsAt, message: '[{"id":"live.scheduled"}]' });
    expect((await queueOf(t)).map(({ youtube_id: id }) => id).sort()).toEqual(['scanSoon111', 'scanStream1']);
    const live = (await t.staff.call('GET', '/api/download/?live=true')).json<{ data: object[] }>().data;
    expect(live).toMatchObject([{ recording: true }, { starts_at: startsAt }]);
    expect((await t.staff.call('GET', '/api/download/?error=true')).json()).toMatchObject({ data: [] });
    end('scanStream1');
    await t.runner.idle();
    expect(await fileOf('scanStream1')).toMatchObject({ seconds: 3 });
  });

  test('are replaced by the version of the site if their end was missed', async () => {
    await recordStreams();
    Object.assign(inCatalogue('endedEarly1'), { durationSeconds: 50 });
    await add('endedEarly1');
    await until(() => lastFragment('endedEarly1') === 2);
    end('endedEarly1');
    await t.runner.idle();
    expect(await fileOf('endedEarly1')).toMatchObject({ seconds: 3 });
    expect(await item('endedEarly1')).toMatchObject({ isForced: 3, failure: null });
    await startQueueIfDue(t.app);
    await t.runner.idle();
    expect(await fileOf('endedEarly1')).toMatchObject({ seconds: 50, streams: ['video', 'audio'] });
    expect((await videoOf(t, 'endedEarly1')).recording).toBeUndefined();
    const trash = await t.app.db.selectFrom('trashFile').select('path').execute();
    expect(trash.map(({ path }) => path).join()).toContain('endedEarly1');
  });

  test('are joined later if that fails, also when the stream is gone', async () => {
    await recordStreams();
    await add('brokenJoin1');
    await until(() => lastFragment('brokenJoin1') === 3);
    const { number } = (await item('brokenJoin1'))!;
    // As a full disk does: the joined file cannot be written.
    await mkdir(join(workDirOf(t.app, number), 'recording.mp4'));
    Object.assign(inCatalogue('brokenJoin1'), { fails: 'private' });
    end('brokenJoin1');
    await t.runner.idle();
    expect(await item('brokenJoin1')).toMatchObject({ failure: 'incomplete' });
    expect(await videoOf(t, 'brokenJoin1')).toBeNull();
    // Neither a start of the server nor time removes what was recorded.
    setTime(t.app.now() + 100 * 3600);
    await recoverDownloads(t.app);
    await rm(join(workDirOf(t.app, number), 'recording.mp4'), { recursive: true });
    await startQueueIfDue(t.app);
    await t.runner.idle();
    expect(await fileOf('brokenJoin1')).toMatchObject({ seconds: 4, streams: ['video', 'audio'], kind: 'streams' });
    expect(await item('brokenJoin1')).toBeUndefined();
  });
});
