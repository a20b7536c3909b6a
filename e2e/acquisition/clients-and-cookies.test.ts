import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Check } from '#contract/health.ts';
import { retryNow } from '#server/archive/queue/claims.ts';
import { checkYtdlp } from '#server/features/system/ytdlp-parts.ts';
import { writeSettings } from '#server/archive/settings/store.ts';
import { startQueueIfDue } from '#server/features/download/start-if-due.ts';
import { aCatalogue, aChannel, aVideo } from '../../test-site/builders.ts';
import { add, createArchive, hasTools, queueOf, videoOf, type TestSiteArchive } from '../support/acquisition.ts';

const channel = aChannel({ name: 'Clients' });
const video = (id: string, known: Partial<ReturnType<typeof aVideo>> = {}) =>
  aVideo({ id, channelId: channel.id, title: id, durationSeconds: 2, ...known });
const [first, second, third] = ['firstOpenXx', 'secondOpenX', 'thirdOpenXx'].map((id) => video(id)) as [Video, Video, Video];
type Video = ReturnType<typeof video>;
const forMembers = video('forMembersX', { fails: 'members' });
const forAdults = video('forAdultsXx', { fails: 'ageGated' });

const day = 86_400;
const expiresAt = Math.floor(Date.now() / 1000) + 30 * day;
const cookies = ['LOGIN_INFO', 'SAPISID', '__Secure-3PAPISID']
  .map((name) => `.youtube.com\tTRUE\t/\tTRUE\t${expiresAt}\t${name}\t${name === 'LOGIN_INFO' ? 'right' : 'abcdefgh/ijkl'}`)
  .join('\n');

describe.runIf(hasTools)('clients and cookies of YouTube', () => {
  let t: TestSiteArchive;
  beforeAll(async () => {
    const videos = [first, second, third, forMembers, forAdults];
    t = await createArchive(aCatalogue({ channels: [channel], videos }));
  });
  afterAll(() => t.close());
  const saveClients = (player_client: string | null) =>
    t.staff.call('POST', '/api/appsettings/config/', { downloads: { player_client } });
  const cookieState = async () => (await t.staff.call('GET', '/api/appsettings/cookie/')).json();
  const saveCookies = () => t.staff.call('PUT', '/api/appsettings/cookie/', { cookie: cookies });

  test('looks up and downloads videos as the chosen clients', async () => {
    expect((await saveClients('android_vr, default,-visionos')).statusCode).toBe(200);
    await add(t, first.id);
    expect(await queueOf(t)).toEqual([]);
    expect((await videoOf(t, first.id)).title).toBe(first.id);
    const bodies = t.testSite.requests.filter(({ path }) => path.startsWith('/youtubei/v1/player')).map(({ body }) => body);
    const names = bodies.map((body) => /"clientName": *"(\w+)"/.exec(body)?.[1]);
    // Once for the look-up, once for the download.
    expect(names.filter((name) => name === 'ANDROID_VR')).toHaveLength(2);
    expect(names).not.toContain('VISIONOS');
  });

  test('rejects clients that the installed yt-dlp does not know', async () => {
    const response = await saveClients('default,mwebb,-nonsense,mweb');
    expect([response.statusCode, response.json().error]).toEqual([
      400,
      `yt-dlp ${t.app.tools.ytdlp!.version} does not know these clients: mwebb, nonsense. Correct the names, or update yt-dlp.`,
    ]);
    expect((await t.staff.call('GET', '/api/appsettings/config/')).json().downloads.player_client).toContain('android_vr');
    expect((await saveClients(null)).statusCode).toBe(200);
  });

  test('shows clients that a newer yt-dlp no longer knows', async () => {
    await writeSettings(t.app.db, { downloads: { player_client: 'default,removed' } });
    await checkYtdlp(t.app, new AbortController().signal);
    const check = async () =>
      ((await t.staff.call('GET', '/api/health/checks/')).json() as Check[]).find(({ name }) => name === 'clients');
    expect(await check()).toMatchObject({ state: 'warn', text: expect.stringContaining('skips them: removed.') });
    await saveClients(null);
    expect(await check()).toBeUndefined();
  });

  test('notices cookies that YouTube has rotated, once', async () => {
    expect((await saveCookies()).json()).toMatchObject({ status: true });
    await add(t, second.id);
    expect(await cookieState()).toMatchObject({ status: true });
    expect((await cookieState()).rotated).toBeUndefined();

    t.testSite.catalogue.hasRotatedCookies = true;
    const rotatedAt = Date.parse('2026-05-03T10:00:00Z') / 1000;
    t.app.now = () => rotatedAt;
    await add(t, third.id);
    expect((await videoOf(t, third.id)).title).toBe(third.id);
    expect(await cookieState()).toMatchObject({ cookie_enabled: true, status: false, rotated: rotatedAt, expires: expiresAt });

    t.app.now = () => rotatedAt + 2 * day;
    expect((await t.staff.call('POST', '/api/appsettings/cookie/')).json()).toMatchObject({ status: false, rotated: rotatedAt });
    const checks = (await t.staff.call('GET', '/api/health/checks/')).json() as Check[];
    expect(checks.find(({ name }) => name === 'login')).toMatchObject({
      state: 'bad',
      text: 'The cookies are no longer valid since May 3, 2026.',
      advice: expect.stringContaining('Export them again from a private window'),
    });
  });

  test('restricted videos keep their class', async () => {
    await add(t, `${forMembers.id} ${forAdults.id}`);
    const failures = (await queueOf(t)).map(({ youtube_id, failure }) => [youtube_id, failure]);
    expect(Object.fromEntries(failures)).toEqual({ [forMembers.id]: 'members-only', [forAdults.id]: 'age' });
    expect((await cookieState()).rotated).toBe(Date.parse('2026-05-03T10:00:00Z') / 1000);
  });

  test('cookies are valid again when a run with them succeeds', async () => {
    t.testSite.catalogue.hasRotatedCookies = false;
    await retryNow(t.app.db, ['members-only', 'age'], t.app.now());
    await startQueueIfDue(t.app);
    await t.runner.idle();
    expect((await videoOf(t, forMembers.id)).title).toBe(forMembers.id);
    const state = await cookieState();
    expect([state.status, state.rotated]).toEqual([true, undefined]);
  });

  test('new cookies replace rotated ones', async () => {
    t.testSite.catalogue.hasRotatedCookies = true;
    await t.staff.call('POST', '/api/appsettings/cookie/');
    expect((await cookieState()).rotated).toBe(t.app.now());
    t.testSite.catalogue.hasRotatedCookies = false;
    expect((await saveCookies()).json().rotated).toBeUndefined();
  });
});
