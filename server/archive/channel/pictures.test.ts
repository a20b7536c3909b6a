import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createChannel, testArchive, type TestArchive } from '../../test-support/app.ts';
import type { ChannelInfo } from '../../platform/ytdlp/channel.ts';
import { fetchChannelImages, hasNoPictureToFetch, pictureError, retryChannelArt } from './pictures.ts';

const ffmpeg = process.env.REELKEEP_FFMPEG;
const { signal } = new AbortController();

let t: TestArchive;
let isSiteUp: boolean;
let requests: number;
beforeEach(async () => {
  t = await testArchive({ withTools: true });
  isSiteUp = false;
  requests = 0;
  const path = join(t.archive.config.dataFolder, 'drawn.jpg');
  if (ffmpeg) execFileSync(ffmpeg, ['-v', 'error', '-y', '-f', 'lavfi', '-i', 'color=red:size=320x180', '-frames:v', '1', path]);
  Object.assign(t.archive.tools, {
    proxy: {
      ...t.archive.tools.proxy,
      async fetch() {
        requests++;
        return isSiteUp ? new Response(new Uint8Array(await readFile(path))) : new Response('', { status: 503 });
      },
    },
  });
  await createChannel(t.archive.db, { id: 'UCart' });
});
afterEach(() => t.close());

const info = (avatarUrl: string | null) => ({ avatarUrl, bannerUrl: null }) as ChannelInfo;
const hasThumb = async () =>
  (await t.archive.db.selectFrom('channel').select('hasThumb').where('id', '=', 'UCart').executeTakeFirstOrThrow()).hasThumb;
const later = (seconds: number) => {
  const { now } = t.archive;
  Object.assign(t.archive, { now: () => now() + seconds });
};

test.runIf(ffmpeg)('retries a picture that could not be fetched, later each time', async () => {
  await fetchChannelImages(t.archive, 'UCart', info('http://site/a.jpg'), signal);
  expect([requests, pictureError(t.archive, 'UCart')?.message]).toEqual([1, 'the site answered 503']);
  await retryChannelArt(t.archive, signal); // not due yet
  later(30);
  await retryChannelArt(t.archive, signal);
  later(30);
  await retryChannelArt(t.archive, signal); // due after two minutes
  expect([requests, await hasThumb()]).toEqual([2, 0]);
  isSiteUp = true;
  later(90);
  await retryChannelArt(t.archive, signal);
  expect([requests, await hasThumb(), pictureError(t.archive, 'UCart')]).toEqual([3, 1, undefined]);
  later(86_400);
  await retryChannelArt(t.archive, signal);
  expect(requests).toBe(3);
});

test('gives up after five retries', async () => {
  await fetchChannelImages(t.archive, 'UCart', info('http://site/a.jpg'), signal);
  for (let day = 0; day < 10; day++) {
    later(86_400);
    await retryChannelArt(t.archive, signal);
  }
  if (ffmpeg) expect(requests).toBe(6);
  expect(pictureError(t.archive, 'UCart')).toBeUndefined();
});

test('remembers that a site offers no picture', async () => {
  await fetchChannelImages(t.archive, 'UCart', info(null), signal);
  expect([requests, hasNoPictureToFetch(t.archive, 'UCart')]).toEqual([0, true]);
});
