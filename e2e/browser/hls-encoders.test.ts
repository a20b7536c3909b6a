import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeStandIn } from '#server/test-support/stand-in-encoder.ts';
import { eventually } from '../support/acquisition.ts';
import { startFirefox } from '../support/firefox.ts';
import { canBrowse } from '../support/in-browser.ts';
import { numberedPicture, numberedRate, shownFrame } from '../support/numbered-film.ts';
import { userActions } from '../support/other-browser.ts';
import { createTempFolder } from '../support/program.ts';
import { importUnusualFilms } from '../support/unusual-films.ts';
import { mediaOf, openStopped, startWatching } from '../support/watching.ts';

const id = 'numbered480';
const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];

// A common film in a lower quality, whose first minute hardware encodes, and the second one software.
describe.runIf(canBrowse)('a film that two encoders convert', () => {
  let watcher: Awaited<ReturnType<typeof startWatching>>;
  let folder: Awaited<ReturnType<typeof createTempFolder>>;
  beforeAll(async () => {
    folder = await createTempFolder();
    const ffmpeg = await writeStandIn(process.env.REELKEEP_FFMPEG!, folder.path);
    watcher = await startWatching({ REELKEEP_FFMPEG: ffmpeg, REELKEEP_HWACCEL: 'vaapi', REELKEEP_RENDER_DEVICE: '/dev/null' });
    await importUnusualFilms(watcher, { [id]: ['.mp4', ...codecs] }, { picture: numberedPicture('840x480'), seconds: 75 });
    await encodeFirstMinute();
  });
  afterAll(async () => {
    await watcher.close();
    await folder.remove();
  });

  /** Lets hardware encode the first minute, and nothing more. */
  const encodeFirstMinute = async () => {
    const body = {
      can: { video: [], audio: [], containers: [], hdr: false, hls: true },
      previous_failed: ['direct'],
      height: 360,
    };
    const { json } = await watcher.visitor.call('POST', `/api/video/${id}/playback/`, body);
    const main = new URL((json as { media_url: string }).media_url, watcher.address);
    // Those near the end of a minute begin the next one when they are requested.
    expect((await fetch(new URL('video-360-0.m4s', main))).status).toBe(200);
    const cache = join(watcher.folder, 'cache/renditions', id);
    await eventually(async () => (await readdir(cache)).some((name) => name.endsWith('-h360-9.m4s')));
    await writeFile(join(folder.path, 'broken'), '');
  };

  test('plays in Chromium over the joint, and seeks', async () => {
    const { page } = watcher;
    const media = mediaOf(page);
    const frame = () => page.evaluate<number>(shownFrame);
    await openStopped(page, watcher.address, id, 57);
    await page.getByRole('button', { name: 'Player settings' }).press('Enter');
    await page.getByLabel('Quality').selectOption('360p');
    await expect.poll(media.source).toMatch(/^blob:/);
    await expect.poll(media.hasPicture).toBe(true);
    await media.play();
    await expect.poll(media.position, { timeout: 30_000 }).toBeGreaterThan(62);
    await media.pause();
    expect(Math.abs((await frame()) - (await media.position()) * numberedRate)).toBeLessThanOrEqual(2);
    for (const second of [70.1, 5.3, 60.02, 59.9]) {
      await media.goTo(second);
      await expect
        .poll(async () => [await media.hasPicture(), Math.abs((await frame()) - second * numberedRate) <= 1])
        .toEqual([true, true]);
    }
    expect(watcher.errors).toEqual([]);
  });

  test.runIf(process.env.REELKEEP_TEST_FIREFOX)('plays in Firefox over the joint, and seeks', async () => {
    const browser = await startFirefox();
    try {
      const user = userActions(browser);
      await browser.go(`${watcher.address}/`);
      await user.until(`document.activeElement.name === 'username'`);
      await user.type('demo');
      await user.press('Tab');
      await user.type('demo');
      await user.press('Enter');
      await user.until(`document.querySelectorAll('article').length >= 3`);
      await browser.go(`${watcher.address}/video/${id}/?t=57`);
      const video = (what: string) =>
        user.until(`(() => { const video = document.querySelector('video'); return video && (${what}); })()`);
      await video(`video.readyState >= 2 && video.currentTime === 57 && video.src.includes('/youtube/')`);
      await user.until(`(() => {
        if (!document.querySelector('[role=dialog][aria-label="Player settings"]'))
          document.querySelector('button[aria-label="Player settings"]').click();
        const box = [...document.querySelectorAll('select')].find((one) => one.labels[0]?.textContent.includes('Quality'));
        if (!box) return false;
        box.value = '360';
        box.dispatchEvent(new Event('change', { bubbles: true }));
        return true;
      })()`);
      await video(
        `video.src.startsWith('blob:') && video.readyState >= 2 && video.videoHeight === 360 && video.currentTime === 57`,
      );
      await user.press('Escape');
      await user.press('k');
      await video('video.currentTime > 62');
      await browser.run(`document.querySelector('video').pause()`);
      const shows = (second: number) =>
        eventually(async () => {
          if (
            !(await browser.run<boolean>(
              `(({ readyState, seeking }) => readyState >= 2 && !seeking)(document.querySelector('video'))`,
            ))
          )
            return false;
          return Math.abs((await browser.run<number>(shownFrame)) - second * numberedRate) <= 1;
        });
      await shows(await browser.run<number>(`document.querySelector('video').currentTime`));
      for (const second of [70.1, 5.3, 60.02, 59.9]) {
        await browser.run(`document.querySelector('video').currentTime = ${second}`);
        await shows(second);
      }
      expect(await browser.inconsistencies()).toEqual([]);
    } finally {
      await browser.close();
    }
  });

  test('Health says that hardware failed', async () => {
    const { page, address } = watcher;
    await page.goto(`${address}/settings/health/`);
    await rm(join(folder.path, 'broken'));
    await page.reload();
    await page.getByText(/VAAPI failed: Failed to end picture encode/).waitFor();
  });
});
