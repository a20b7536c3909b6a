import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { retryNow } from '#server/archive/queue/claims.ts';
import { retryItemsFailedByYtdlp } from '#server/archive/queue/retry-now.ts';
import { startQueueIfDue } from '#server/features/download/start-if-due.ts';
import { aCatalogue, aChannel, aClip, aVideo } from '../../test-site/builders.ts';
import type { Video } from '../../test-site/catalogue.ts';
import { add, createArchive, hasTools, queueOf, videoOf, type TestSiteArchive } from '../support/acquisition.ts';

const channel = aChannel({ name: 'Challenging' });
const video = (id: string, known: Partial<Video>) =>
  aVideo({ id, channelId: channel.id, title: id, durationSeconds: 2, ...known });
const solvable = video('onlyAnNxxxx', {});
const signed = video('withSigXxxx', { challenge: 'signature' });
const unreadable = video('unreadableX', { challenge: 'unreadable' });
const sabr = video('sabrOnlyXxx', { challenge: 'sabr' });
const tokened = video('wantsTokenX', { wantsPoToken: true });
const guarded = aClip({ title: 'Guarded', wantsBrowser: true });

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
    await retryNow(t.archive.db, ['network'], t.archive.now());
    await startQueueIfDue(t.archive);
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
    await retryItemsFailedByYtdlp(t.archive);
    expect(await cooldowns()).toEqual([]);
    await startQueueIfDue(t.archive);
    await t.runner.idle();
    expect((await videoOf(t, unreadable.id)).title).toBe(unreadable.id);
  });
});
