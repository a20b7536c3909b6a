import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createChannel, testApp, type TestApp } from '../../test-support/app.ts';
import type { ChannelInfo } from '../../platform/ytdlp/channel.ts';
import { fetchChannelImages, hasNoPictureToFetch, pictureError, retryChannelArt } from './pictures.ts';

const ffmpeg = process.env.REELKEEP_FFMPEG;
const { signal } = new AbortController();

let t: TestApp;
let isSiteUp: boolean;
let requests: number;
beforeEach(async () => {
  t = await testApp({ withTools: true });
  isSiteUp = false;
  requests = 0;
  const path = join(t.app.config.dataFolder, 'drawn.jpg');
  if (ffmpeg) execFileSync(ffmpeg, ['-v', 'error', '-y', '-f', 'lavfi', '-i', 'color=red:size=320x180', '-frames:v', '1', path]);
  Object.assign(t.app.tools, {
    proxy: {
      ...t.app.tools.proxy,
      async fetch() {
        requests++;
        return isSiteUp ? new Response(new Uint8Array(await readFile(path))) : new Response('', { status: 503 });
      },
    },
  });
  await createChannel(t.app.db, { id: 'UCart' });
});
afterEach(() => t.close());

const info = (avatarUrl: string | null) => ({ avatarUrl, bannerUrl: null }) as ChannelInfo;
const hasThumb = async () =>
  (await t.app.db.selectFrom('channel').select('hasThumb').where('id', '=', 'UCart').executeTakeFirstOrThrow()).hasThumb;
const later = (seconds: number) => {
  const { now } = t.app;
  Object.assign(t.app, { now: () => now() + seconds });
};

test.runIf(ffmpeg)('retries a picture that could not be fetched, later each time', async () => {
  await fetchChannelImages(t.app, 'UCart', info('http://site/a.jpg'), signal);
  expect([requests, pictureError(t.app, 'UCart')?.message]).toEqual([1, 'the site answered 503']);
  await retryChannelArt(t.app, signal); // not due yet
  later(30);
  await retryChannelArt(t.app, signal);
  later(30);
  await retryChannelArt(t.app, signal); // due after two minutes
  expect([requests, await hasThumb()]).toEqual([2, 0]);
  isSiteUp = true;
  later(90);
  await retryChannelArt(t.app, signal);
  expect([requests, await hasThumb(), pictureError(t.app, 'UCart')]).toEqual([3, 1, undefined]);
  later(86_400);
  await retryChannelArt(t.app, signal);
  expect(requests).toBe(3);
});

test('gives up after five retries', async () => {
  await fetchChannelImages(t.app, 'UCart', info('http://site/a.jpg'), signal);
  for (let day = 0; day < 10; day++) {
    later(86_400);
    await retryChannelArt(t.app, signal);
  }
  if (ffmpeg) expect(requests).toBe(6);
  expect(pictureError(t.app, 'UCart')).toBeUndefined();
});

test('remembers that a site offers no picture', async () => {
  await fetchChannelImages(t.app, 'UCart', info(null), signal);
  expect([requests, hasNoPictureToFetch(t.app, 'UCart')]).toEqual([0, true]);
});
