import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { retryNow } from '#server/archive/queue/claims.ts';
import { retryItemsFailedByYtdlp } from '#server/archive/queue/retry-now.ts';
import { startQueueIfDue } from '#server/features/download/start-if-due.ts';
import { aCatalogue, aChannel, aClip, aVideo } from '../../test-site/builders.ts';
import type { Video } from '../../test-site/catalogue.ts';
import type { TrashEntry } from '#contract/trash.ts';
import { refetchLimited } from '#server/features/download/refetch-limited.ts';
import { add, createArchive, hasTools, inconsistencies, queueOf, videoOf, type TestSiteArchive } from '../support/acquisition.ts';

const channel = aChannel({ name: 'Challenging' });
const video = (id: string, known: Partial<Video>) =>
  aVideo({ id, channelId: channel.id, title: id, durationSeconds: 2, ...known });
const solvable = video('onlyAnNxxxx', {});
const signed = video('withSigXxxx', { challenge: 'signature' });
const unreadable = video('unreadableX', { challenge: 'unreadable' });
const sabr = video('sabrOnlyXxx', { challenge: 'sabr' });
const tokened = video('wantsTokenX', { wantsPoToken: true });
const guarded = aClip({ title: 'Guarded', wantsBrowser: true });

describe.runIf(hasTools)('a video whose better formats cannot be fetched', () => {
  let t: TestSiteArchive;
  const old = video('oldFormatXx', { challenge: 'unreadable', extraFormats: ['combined'] });
  const day = 86_400;
  beforeAll(async () => {
    t = await createArchive(aCatalogue({ channels: [channel], videos: [old, signed] }));
    await add(t, `${old.id} ${signed.id}`);
  });
  afterAll(() => t.close());
  const limitedIds = async (limited: boolean) =>
    ((await t.staff.call('GET', `/api/video/?limited=${limited}`)).json().data as { youtube_id: string }[]).map(
      (one) => one.youtube_id,
    );
  const heightOf = async () =>
    (await videoOf(t, old.id)).streams.find((stream: { type: string }) => stream.type === 'video').height as number;
  /** Downloads what is due `days` after the last download. */
  const wait = async (days: number) => {
    await enqueueAfter(days);
    await t.runner.idle();
  };
  const enqueueAfter = async (days: number) => {
    const { limitation } = await t.app.db
      .selectFrom('video')
      .select('limitation')
      .where('id', '=', old.id)
      .executeTakeFirstOrThrow();
    const since = { ...JSON.parse(limitation!), at: t.app.now() - days * day };
    await t.app.db
      .updateTable('video')
      .set({ limitation: JSON.stringify(since) })
      .where('id', '=', old.id)
      .execute();
    await refetchLimited(t.app);
  };

  test('is archived with a note that says why, in the history of the run and as a filter', async () => {
    const { limited } = await videoOf(t, old.id);
    expect(limited).toMatchObject({
      failure: 'challenge',
      message: expect.stringMatching(/^Only 90p could be fetched\. .*player/),
    });
    expect(await limitedIds(true)).toEqual([old.id]);
    expect(await limitedIds(false)).toEqual([signed.id]);
    const [run] = (await t.staff.call('GET', '/api/task/runs/?name=download_pending')).json().data as { id: string }[];
    const { notes } = (await t.staff.call('GET', `/api/task/runs/${run!.id}/`)).json();
    expect(notes).toContainEqual(expect.objectContaining({ youtube_id: old.id, why: expect.stringContaining('Only 90p') }));
  });

  test('is not replaced by one that is no better', async () => {
    const file = async () => {
      const { mediaPath } = await t.app.db
        .selectFrom('video')
        .select('mediaPath')
        .where('id', '=', old.id)
        .executeTakeFirstOrThrow();
      const { ino, mtimeMs } = await stat(join(t.app.config.mediaFolder, mediaPath));
      return { mediaPath, ino, mtimeMs };
    };
    const before = await file();
    await wait(0.5);
    expect((await videoOf(t, old.id)).limited.message).not.toContain('attempt');
    old.durationSeconds = 4; // another file, and no better one
    await wait(1);
    old.durationSeconds = 2;
    expect((await videoOf(t, old.id)).limited.message).toContain('1 attempt found nothing better');
    expect(await file()).toEqual(before);
    expect(await queueOf(t)).toEqual([]);
    expect(await inconsistencies(t)).toEqual([]);
  });

  test('is replaced when its formats can be fetched, and no longer marked', async () => {
    old.challenge = 'n';
    await wait(3);
    expect([await heightOf(), (await videoOf(t, old.id)).limited, await limitedIds(true)]).toEqual([180, undefined, []]);
    expect(await inconsistencies(t)).toEqual([]);
  });

  test('changes places with its earlier file in the trash', async () => {
    const trash = async () => (await t.staff.call('GET', '/api/trash/')).json().data as TrashEntry[];
    const restore = async () => {
      const [entry] = await trash();
      const body = { action: 'restore', ids: [entry!.id] };
      expect((await t.staff.call('POST', '/api/trash/', body)).json()).toEqual({ done: 1, refused: [] });
    };
    const watched = { id: old.id, is_watched: true };
    expect((await t.staff.call('POST', '/api/watched/', watched)).statusCode).toBe(200);
    expect(await trash()).toMatchObject([
      { youtube_id: old.id, is_replaced_file: true, deleted_by: null, reason: 'Replaced by a download in higher quality.' },
    ]);

    await restore();
    expect(await heightOf()).toBe(90);
    expect((await videoOf(t, old.id)).limited.message).toContain('3 attempts');
    expect(await trash()).toMatchObject([{ youtube_id: old.id, is_replaced_file: true }]);
    expect(await inconsistencies(t)).toEqual([]);

    await restore();
    expect([await heightOf(), (await videoOf(t, old.id)).limited]).toEqual([180, undefined]);
    expect((await videoOf(t, old.id)).player.watched).toBe(true);
    expect(await inconsistencies(t)).toEqual([]);
    // The file plays: it is the one of the row.
    const { media_url: url, media_size: size } = await videoOf(t, old.id);
    expect((await t.staff.call('GET', url)).rawPayload.length).toBe(size);
  });

  test('is fetched again at most three times', async () => {
    old.challenge = 'unreadable';
    await add(t, old.id, '?autostart=true&force=true');
    for (const days of [1, 3, 9]) await wait(days);
    expect((await videoOf(t, old.id)).limited.message).toContain('3 attempts found nothing better');
    const requests = t.testSite.requests.length;
    await wait(100);
    expect(t.testSite.requests.length).toBe(requests);
  });

  test('is fetched again although its item was removed from the queue, and not if it was deleted meanwhile', async () => {
    await add(t, old.id, '?autostart=true&force=true');
    await t.runner.end();
    await enqueueAfter(1);
    expect(await queueOf(t)).toMatchObject([{ youtube_id: old.id }]);
    await t.staff.call('DELETE', `/api/download/${old.id}/`);
    await t.runner.begin();
    await wait(3);
    expect((await videoOf(t, old.id)).limited.message).toContain('2 attempts');
    await t.runner.end();
    await enqueueAfter(9);
    await t.staff.call('DELETE', `/api/video/${old.id}/`);
    await t.runner.begin();
    await t.runner.idle();
    expect([await videoOf(t, old.id), await queueOf(t)]).toEqual([null, []]);
  });
});

describe.runIf(hasTools)('videos with challenges', () => {
  let t: TestSiteArchive;
  beforeAll(async () => {
    const videos = [solvable, signed, unreadable, sabr, tokened];
    t = await createArchive(aCatalogue({ channels: [channel], videos, clips: [guarded] }));
  });
  afterAll(() => t.close());
  const failureOf = async (id: string) => {
    const item = (await queueOf(t)).find((one) => one.youtube_id === id);
    return [item?.failure, item?.message];
  };

  test('are archived when yt-dlp solves them', async () => {
    await add(t, `${solvable.id} ${signed.id}`);
    expect(await queueOf(t)).toEqual([]);
    expect([(await videoOf(t, solvable.id)).title, (await videoOf(t, signed.id)).title]).toEqual([solvable.id, signed.id]);
  });

  test('fail with the reason that YouTube offers only SABR', async () => {
    await add(t, sabr.id);
    expect(await failureOf(sabr.id)).toEqual(['sabr', expect.stringContaining('only as SABR at the moment')]);
  });

  test('fail with the advice to get a token when a new link is refused again', async () => {
    await add(t, tokened.id);
    expect((await failureOf(tokened.id))[0]).toBe('network');
    await retryNow(t.app.db, ['network'], t.app.now());
    await startQueueIfDue(t.app);
    await t.runner.idle();
    expect(await failureOf(tokened.id)).toEqual(['token', expect.stringContaining('proof-of-origin token')]);
  });

  test('fail with the advice to install curl_cffi if the page admits only browsers', async () => {
    const { task_id: id } = await add(t, `https://clips.example/watch/${guarded.slug}`);
    const { notes } = (await t.staff.call('GET', `/api/task/runs/${id}/`)).json();
    expect(JSON.stringify(notes)).toContain('curl_cffi');
  });

  test('of a player that cannot be solved pause the site until yt-dlp is updated', async () => {
    await add(t, unreadable.id);
    expect(await failureOf(unreadable.id)).toEqual(['challenge', expect.stringContaining('Updating yt-dlp usually fixes it')]);
    const cooldowns = () => t.staff.call('GET', '/api/download/cooldowns/').then((response) => response.json() as object[]);
    expect(await cooldowns()).toMatchObject([{ site: 'youtube', failure: 'challenge' }]);
    unreadable.challenge = 'n';
    await retryItemsFailedByYtdlp(t.app);
    expect(await cooldowns()).toEqual([]);
    await startQueueIfDue(t.app);
    await t.runner.idle();
    expect((await videoOf(t, unreadable.id)).title).toBe(unreadable.id);
  });
});
