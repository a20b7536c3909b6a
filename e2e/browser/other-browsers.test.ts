import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/acquisition.ts';
import { startFirefox } from '../support/firefox.ts';
import { hasPages } from '../support/in-browser.ts';
import { userActions, type OtherBrowser } from '../support/other-browser.ts';
import { importBilingualFilms, bilingualIds } from '../support/bilingual-films.ts';
import { film } from '../support/watch-catalogue.ts';
import { startRivers } from '../support/watching.ts';
import { startWebkit } from '../support/webkit.ts';

// The main features again, in engines that the other tests do not use.

const browsers = [
  { name: 'Firefox', isInstalled: Boolean(process.env.REELKEEP_TEST_FIREFOX), start: startFirefox, second: 30 },
  { name: 'WebKit', isInstalled: Boolean(process.env.REELKEEP_TEST_WEBKIT), start: startWebkit, second: 40 },
];

describe.runIf(hasPages)('other browsers', () => {
  let rivers: Awaited<ReturnType<typeof startRivers>>;
  beforeAll(async () => {
    rivers = await startRivers();
    await importBilingualFilms(rivers);
  });
  afterAll(() => rivers.close());

  for (const { name, isInstalled, start, second } of browsers)
    describe.runIf(isInstalled)(name, () => {
      let browser: OtherBrowser;
      let user: ReturnType<typeof userActions>;
      beforeAll(async () => {
        browser = await start();
        user = userActions(browser);
      });
      afterAll(() => browser.close());

      const ofVideo = (what: string) => `(() => { const video = document.querySelector('video'); return ${what}; })()`;
      const video = (what: string) => user.until(ofVideo(what));
      const position = () => browser.run<number>(`document.querySelector('video').currentTime`);

      test('logs in by keyboard and lists videos', async () => {
        await browser.go(`${rivers.address}/`);
        await user.until(`document.activeElement.name === 'username'`);
        await user.type('demo');
        await user.press('Tab');
        await user.type('demo');
        await user.press('Enter');
        await user.until(`document.querySelectorAll('article').length >= 3`);
      });

      /** Plays a video from a position in seconds, in the page. */
      const playFrom = (id: string, at: number) => {
        // WebKit on Linux sometimes does not load the duration, or stalls after a seek; a reload helps.
        const becomesTrue = async (what: string) => {
          for (let tries = 0; tries < 60; tries++) {
            if (await browser.run<boolean>(ofVideo(what))) return true;
            await wait(200);
          }
          return false;
        };
        return eventually(async () => {
          await browser.go(`${rivers.address}/video/${id}/?t=${at}`);
          if (
            !(await becomesTrue('video?.readyState >= 1')) ||
            !(await becomesTrue(`video.duration > 15 && video.currentTime >= ${at}`))
          )
            return false;
          await user.press('k');
          return becomesTrue(`!video.paused && video.currentTime > ${at + 0.2}`);
        });
      };

      test('plays from a position, shows captions, continues in the mini player, and saves the position', async () => {
        await playFrom(film.id, second);
        await user.press('c');
        await video(`[...video.textTracks].some(({ mode, cues }) => mode === 'showing' && cues?.length)`);
        if (!(await browser.run<boolean>(`CSS.supports('selector(video::-webkit-media-text-track-container)')`))) {
          await user.press('k');
          await video('video.paused');
          await browser.run(`document.querySelector('video').currentTime = 31`);
          await video(`[...video.textTracks].some(({ activeCues }) => [...(activeCues ?? [])].some(({ line }) => line === -4))`);
          await user.press('k');
          await video('!video.paused');
        }
        await browser.run(`document.querySelector('video').title = 'the same'`);
        await user.follow('nav a', 'Channels');
        await user.until(`location.pathname === '/channel/' && document.querySelector('[data-player=corner]') !== null`);
        await video(`video.title === 'the same' && !video.paused`);
        await user.press('k');
        await video('video.paused');
        const stopped = Math.floor(await position());
        await eventually(async () => {
          const { json } = await rivers.visitor.call('GET', `/api/video/${film.id}/`);
          return Math.floor((json as { player: { position?: number } }).player.position ?? 0) === stopped;
        });
      });

      test('plays audio only, video again, and another audio track', async () => {
        await playFrom(film.id, 10);
        await video(`[...video.textTracks].some(({ mode }) => mode === 'showing')`); // selected and saved before
        // The audio-only choice is saved, so a retry of this test starts with it.
        if (await browser.run<boolean>(ofVideo(`video.src.includes('/cache/renditions/')`))) {
          await user.press('s');
          await video(`video.src.includes('/youtube/')`);
        }
        await user.press('s');
        await video(
          `video.src.includes('/cache/renditions/') && !video.paused && video.currentTime > 10 && video.videoWidth === 0`,
        );
        await user.until(`document.body.innerText.includes('Audio only')`);
        // Playback continues and does not fall back to the file after a moment.
        await video(`video.src.includes('/cache/renditions/') && video.currentTime > ${(await position()) + 1}`);
        await user.press('s');
        await video(`video.src.includes('/youtube/') && !video.paused && video.currentTime > 10 && video.videoWidth === 320`);

        await playFrom(bilingualIds[0]!, 3);
        await user.press('k');
        const selectGerman = `(() => {
          const box = [...document.querySelectorAll('select')].find((one) => one.labels[0]?.textContent.includes('Audio track'));
          if (!document.querySelector('[role=dialog][aria-label="Player settings"]'))
            document.querySelector('button[aria-label="Player settings"]')?.click();
          const german = [...(box?.options ?? [])].find(({ text }) => text === 'German');
          if (!german) return false;
          box.value = german.value;
          box.dispatchEvent(new Event('change', { bubbles: true }));
          return true;
        })()`;
        await user.until(selectGerman);
        // WebKit selects the track in the file; other browsers play a file rendered for it.
        await video(`video.src.includes('-p2.mp4') || (video.src.includes('/youtube/') && video.audioTracks?.[1]?.enabled)`);
        await video('video.currentTime >= 3 && video.videoWidth === 320');
        await browser.go(`${rivers.address}/`);
        await user.until(`document.querySelectorAll('article').length >= 3`);
      });

      test('opens the search with /, without errors in any page', async () => {
        await user.press('/');
        await user.until(`document.activeElement.matches('input')`);
        await user.type('lock');
        await user.press('Enter');
        await user.until(`location.pathname === '/search/' && document.querySelector('main').innerText.includes('The lock')`);
        expect(await browser.inconsistencies()).toEqual([]);
      });
    });
});
