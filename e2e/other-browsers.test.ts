import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from './acquiring.ts';
import { startFirefox } from './firefox.ts';
import { hasPages } from './in-browser.ts';
import { handsOn, type OtherBrowser } from './other-browser.ts';
import { bringTwoTongues, tongues } from './two-tongues.ts';
import { film } from './watch-catalogue.ts';
import { theRivers } from './watching.ts';
import { startWebkit } from './webkit.ts';

// The main path once more, in the engines that the other tests do not use.

const others = [
  { name: 'Firefox', isHere: Boolean(process.env.REELKEEP_TEST_FIREFOX), start: startFirefox, second: 30 },
  { name: 'WebKit', isHere: Boolean(process.env.REELKEEP_TEST_WEBKIT), start: startWebkit, second: 40 },
];

describe.runIf(hasPages)('other browsers', () => {
  let rivers: Awaited<ReturnType<typeof theRivers>>;
  beforeAll(async () => {
    rivers = await theRivers();
    await bringTwoTongues(rivers);
  });
  afterAll(() => rivers.close());

  for (const { name, isHere, start, second } of others)
    describe.runIf(isHere)(name, () => {
      let browser: OtherBrowser;
      let hands: ReturnType<typeof handsOn>;
      beforeAll(async () => {
        browser = await start();
        hands = handsOn(browser);
      });
      afterAll(() => browser.close());

      const ofVideo = (what: string) => `(() => { const video = document.querySelector('video'); return ${what}; })()`;
      const video = (what: string) => hands.until(ofVideo(what));
      const position = () => browser.run<number>(`document.querySelector('video').currentTime`);

      test('logs in by keys alone, and lists what is there', async () => {
        await browser.go(`${rivers.address}/`);
        await hands.until(`document.activeElement.name === 'username'`);
        await hands.type('demo');
        await hands.press('Tab');
        await hands.type('demo');
        await hands.press('Enter');
        await hands.until(`document.querySelectorAll('article').length >= 3`);
      });

      /** Plays a video from a second on, so that the page shows it. */
      const playFrom = (id: string, at: number) => {
        // WebKit on Linux sometimes does not find out how long a film is, or stands still after a jump; loaded again it does not.
        const soon = async (what: string) => {
          for (let tries = 0; tries < 60; tries++) {
            if (await browser.run<boolean>(ofVideo(what))) return true;
            await wait(200);
          }
          return false;
        };
        return eventually(async () => {
          await browser.go(`${rivers.address}/video/${id}/?t=${at}`);
          if (!(await soon('video?.readyState >= 1')) || !(await soon(`video.duration > 15 && video.currentTime >= ${at}`)))
            return false;
          await hands.press('k');
          return soon(`!video.paused && video.currentTime > ${at + 0.2}`);
        });
      };

      test('plays from a second on, shows captions, goes on in the corner, and keeps the place', async () => {
        await playFrom(film.id, second);
        await hands.press('c');
        await video(`[...video.textTracks].some(({ mode, cues }) => mode === 'showing' && cues?.length)`);
        if (!(await browser.run<boolean>(`CSS.supports('selector(video::-webkit-media-text-track-container)')`))) {
          await hands.press('k');
          await video('video.paused');
          await browser.run(`document.querySelector('video').currentTime = 31`);
          await video(`[...video.textTracks].some(({ activeCues }) => [...(activeCues ?? [])].some(({ line }) => line === -4))`);
          await hands.press('k');
          await video('!video.paused');
        }
        await browser.run(`document.querySelector('video').title = 'the same'`);
        await hands.follow('nav a', 'Channels');
        await hands.until(`location.pathname === '/channel/' && document.querySelector('[data-player=corner]') !== null`);
        await video(`video.title === 'the same' && !video.paused`);
        await hands.press('k');
        await video('video.paused');
        const stopped = Math.floor(await position());
        await eventually(async () => {
          const { json } = await rivers.visitor.call('GET', `/api/video/${film.id}/`);
          return Math.floor((json as { player: { position?: number } }).player.position ?? 0) === stopped;
        });
      });

      test('plays the sound alone and the picture again, and another sound of the file', async () => {
        await playFrom(film.id, 10);
        await video(`[...video.textTracks].some(({ mode }) => mode === 'showing')`); // chosen before, and kept
        // That somebody likes the sound alone is kept: tried again, this finds it so.
        if (await browser.run<boolean>(ofVideo(`video.src.includes('/cache/renditions/')`))) {
          await hands.press('s');
          await video(`video.src.includes('/youtube/')`);
        }
        await hands.press('s');
        await video(
          `video.src.includes('/cache/renditions/') && !video.paused && video.currentTime > 10 && video.videoWidth === 0`,
        );
        await hands.until(`document.body.innerText.includes('Only the sound plays')`);
        // It goes on, and is not given up for the file after a moment.
        await video(`video.src.includes('/cache/renditions/') && video.currentTime > ${(await position()) + 1}`);
        await hands.press('s');
        await video(`video.src.includes('/youtube/') && !video.paused && video.currentTime > 10 && video.videoWidth === 320`);

        await playFrom(tongues[0]!, 3);
        await hands.press('k');
        const chosen = `(() => {
          const box = [...document.querySelectorAll('select')].find((one) => one.labels[0]?.textContent.includes('Sound'));
          if (!document.querySelector('[role=dialog][aria-label="Player settings"]'))
            document.querySelector('button[aria-label="Player settings"]')?.click();
          const german = [...(box?.options ?? [])].find(({ text }) => text === 'German');
          if (!german) return false;
          box.value = german.value;
          box.dispatchEvent(new Event('change', { bubbles: true }));
          return true;
        })()`;
        await hands.until(chosen);
        // Safari's engine chooses in the file itself; the others play a file that was made for it.
        await video(`video.src.includes('-p2.mp4') || (video.src.includes('/youtube/') && video.audioTracks?.[1]?.enabled)`);
        await video('video.currentTime >= 3 && video.videoWidth === 320');
        await browser.go(`${rivers.address}/`);
        await hands.until(`document.querySelectorAll('article').length >= 3`);
      });

      test('finds by the slash, and has done nothing that it must not', async () => {
        await hands.press('/');
        await hands.until(`document.activeElement.matches('input')`);
        await hands.type('lock');
        await hands.press('Enter');
        await hands.until(`location.pathname === '/search/' && document.querySelector('main').innerText.includes('The lock')`);
        expect(await browser.complaints()).toEqual([]);
      });
    });
});
