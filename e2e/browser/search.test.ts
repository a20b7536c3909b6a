import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aCatalogue, aChannel, aVideo, cuesFrom } from '../../test-site/builders.ts';
import type { Comment } from '../../test-site/catalogue.ts';
import { startTestSite, type TestSite } from '../../test-site/site.ts';
import { eventually, testSiteEnv } from '../support/acquisition.ts';
import { chromiumOptions } from '../support/chromium.ts';
import { canBrowse, expectAccessibleAtAllWidths, noteErrors } from '../support/in-browser.ts';
import { addressOf, logInToProgram, startProgram, type ApiClient, type Program } from '../support/program.ts';
import { createSeededFolder } from '../support/seeded-folder.ts';
import { mediaOf } from '../support/watching.ts';

const comment = (id: string, author: string, text: string, replies: Comment[] = []): Comment => ({
  id,
  author,
  authorId: `UC${author.slice(1)}`,
  text,
  likes: 1,
  ago: '1 day ago',
  replies,
});
const kitchen = aChannel({ name: 'Slow Kitchens', look: { scene: 'blend', seed: 4 } });
const repair = aVideo({
  id: 'gasketRepr1',
  channelId: kitchen.id,
  title: 'Repairing a gasket',
  description: 'This gasket comes from a machine of 1961.',
  tags: ['gasket', 'kitchen'],
  durationSeconds: 60,
  width: 160,
  height: 90,
  subtitles: [
    {
      language: 'en',
      name: 'English',
      automatic: false,
      cues: cuesFrom(['Welcome back', 'Today we change the old gasket', 'It is easy', 'Water first', 'Then coffee'], 60),
    },
  ],
  chapters: [
    { startSeconds: 0, title: 'Welcome' },
    { startSeconds: 30, title: 'The new gasket' },
  ],
  comments: [
    ...Array.from({ length: 12 }, (_, n) => comment(`other${n}`, `@viewer${n}`, `Nice video, number ${n}.\nThanks.`)),
    comment('thread', '@jane', 'Which Café has such a machine?', [
      comment('thread.reply', '@slowkitchens', 'Ask there for a gasket of rubber.'),
      comment('thread.other', '@max', 'I do not know.'),
    ]),
  ],
});
const tour = aVideo({
  id: 'kitchenTour',
  channelId: kitchen.id,
  title: 'Kitchen tour',
  durationSeconds: 8,
  width: 160,
  height: 90,
  comments: [comment('tour', '@jane', 'I see a gasket on the table.')],
});

describe.runIf(canBrowse)('the search for moments', () => {
  let testSite: TestSite;
  let folder: Awaited<ReturnType<typeof createSeededFolder>>;
  let program: Program;
  let address: string;
  let visitor: ApiClient;
  let browser: Browser;
  let page: Page;
  const errors: string[] = [];

  beforeAll(async () => {
    testSite = await startTestSite({ catalogue: aCatalogue({ channels: [kitchen], videos: [repair, tour] }) });
    const env = testSiteEnv(testSite);
    folder = await createSeededFolder({
      name: 'slow kitchens',
      env,
      async fill({ call }) {
        const downloads = { sleep_interval: null, subtitle: 'en', subtitle_index: true, comment_max: 'all,all,all,all' };
        await call('POST', '/api/appsettings/config/', { downloads });
        await call('POST', '/api/download/?autostart=true', { data: [{ youtube_id: `${repair.id} ${tour.id}` }] });
        for (const { id } of [repair, tour])
          await eventually(async () => (await call('GET', `/api/video/${id}/`)).status === 200);
      },
    });
    const db = new DatabaseSync(join(folder.path, 'reelkeep.db'));
    db.prepare(`insert into metadata_history (video_id, field, replaced_at, value) values (?, 'title', 5, ?)`).run(
      repair.id,
      'How I broke my gasket',
    );
    db.close();
    program = await startProgram({ data: folder.path, env });
    address = await addressOf(program);
    visitor = await logInToProgram(address);
    await eventually(
      async () => (await countsOf('gasket')) === '{"title":2,"tag":1,"spoken":1,"chapter":1,"description":1,"comment":2}',
    );
    browser = await chromium.launch(chromiumOptions({ isShellEnough: true }));
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
    page = await context.newPage();
    page.setDefaultTimeout(120_000);
    noteErrors(page, errors);
    await page.request.post(`${address}/api/user/login/`, { data: { username: 'demo', password: 'demo' } });
  });
  afterAll(async () => {
    await browser.close();
    program.child.kill('SIGKILL');
    await program.ended;
    await testSite.close();
    await folder.remove();
  });
  beforeEach(() => page.setViewportSize({ width: 1280, height: 800 }));

  const countsOf = async (query: string) =>
    JSON.stringify(((await visitor.call('GET', `/api/search/moments/?query=${query}`)).json as { counts: object }).counts);
  const search = (query: string) => page.goto(`${address}/search/?query=${encodeURIComponent(query)}`);
  const entry = (title: string) => page.getByRole('article', { name: title });
  const moment = (name: string | RegExp) => entry(repair.title).getByRole('link', { name, exact: true });
  const chip = (name: RegExp) => page.getByRole('group', { name: 'Kinds of matches' }).getByRole('button', { name });
  const titles = () => page.getByRole('article').getByRole('heading').allTextContents();
  const openAll = () =>
    entry(repair.title)
      .getByRole('button', { name: /more in this video/ })
      .click();
  const isInView = (text: string) =>
    page.getByText(text).evaluate((element: { getBoundingClientRect(): { top: number; bottom: number } }) => {
      const { top, bottom } = element.getBoundingClientRect();
      return top >= 0 && bottom <= 800;
    });

  test('shows each video once, with three moments and the rest on demand', async () => {
    await search('gasket');
    const video = entry(repair.title);
    await expect.poll(() => video.getByRole('heading').locator('mark').allTextContents()).toEqual(['gasket']);
    await video.getByRole('link', { name: kitchen.name }).waitFor();
    await video.getByText('1:00', { exact: true }).waitFor();
    const rows = video.getByRole('list', { name: `Matches in “${repair.title}”` }).getByRole('listitem');
    const before = await rows.allTextContents();
    expect(before).toHaveLength(2);
    await openAll();
    await expect.poll(() => rows.count()).toBe(6);
    expect((await rows.allTextContents()).slice(0, 2)).toEqual(before);
    const texts = await rows.allTextContents();
    for (const text of [
      'Former title How I broke my gasket',
      /Spoken 0:2\dEnglish.*Today we change the old gasket/,
      'Chapter 0:30The new gasket',
      'Description This gasket comes from a machine of 1961.',
      'Comment @slowkitchensAsk there for a gasket of rubber.',
      'Tag gasket',
    ])
      expect(texts).toContainEqual(expect.stringMatching(text));
    await expectAccessibleAtAllWidths(page);
    await video.getByRole('button', { name: 'Show fewer' }).click();
    await expect.poll(() => rows.count()).toBe(2);
    expect(await titles()).toEqual([repair.title, tour.title]);
  });

  test.each([
    [/^Spoken 0:2\d$/, /\/video\/gasketRepr1\/\?t=2\d$/, 20],
    ['Chapter 0:30', /\/video\/gasketRepr1\/\?t=30$/, 30],
  ])('opens the video at the second of %s', async (name, url, second) => {
    await search('gasket');
    await openAll();
    await moment(name).click();
    await page.waitForURL(url);
    await expect.poll(() => mediaOf(page).position()).toBeGreaterThanOrEqual(second);
  });

  test.each(['Former title', 'Description', 'Tag'])('opens the page of the video from %s by keyboard', async (name) => {
    await search('gasket');
    await openAll();
    await moment(name).press('Enter');
    await page.waitForURL(`${address}/video/${repair.id}/`);
  });

  test('plays a spoken moment in place', async () => {
    await search('gasket');
    await openAll();
    await entry(repair.title)
      .getByRole('button', { name: /^Play here from 0:2/ })
      .click();
    await page.waitForURL(/\/search\/\?query=gasket&videoId=gasketRepr1&t=2\d$/);
    await expect.poll(() => mediaOf(page).position()).toBeGreaterThanOrEqual(20);
  });

  test('opens a comment in view, with the replies around it', async () => {
    await search('gasket');
    await openAll();
    await moment('Comment').click();
    await page.waitForURL(/\/video\/gasketRepr1\/#comment-thread\.reply$/);
    await page.getByText('I do not know.').waitFor();
    await expect.poll(() => isInView('Ask there for a gasket of rubber.')).toBe(true);
    await expect.poll(() => page.locator(':focus').textContent()).toContain('Ask there for a gasket of rubber.');
  });

  test('limits the search to kinds, which the address names', async () => {
    await search('gasket');
    const labels = ['Titles 2', 'Spoken words 1', 'Chapters 1', 'Descriptions 1', 'Comments 2', 'Tags 1'];
    await expect.poll(async () => (await chip(/./).allTextContents()).map((text) => text.trim())).toEqual(labels);
    await chip(/^Comments 2$/).click();
    await page.waitForURL(/in=comment$/);
    await expect.poll(async () => (await titles()).toSorted()).toEqual([tour.title, repair.title]);
    await expect.poll(() => page.getByRole('article').getByRole('listitem').count()).toBe(2);
    await chip(/^Chapters 1$/).click();
    await page.waitForURL(/in=comment%2Cchapter$/);
    await moment('Chapter 0:30').waitFor();
    await page.goBack();
    await page.waitForURL(/in=comment$/);
    await expect.poll(() => moment('Chapter 0:30').count()).toBe(0);
    await page.reload();
    await expect.poll(() => chip(/^Comments 2$/).getAttribute('aria-pressed')).toBe('true');
    await chip(/^Tags 1$/).waitFor();
    // A kind without matches stays, because it is chosen.
    await page.goto(`${address}/search/?query=rubber&in=tag`);
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    await chip(/^Tags 0$/).click();
    await expect.poll(titles).toEqual([repair.title]);
  });

  test('shows query keys as chips, and completes them', async () => {
    await search('gasket by:slowkitchens');
    await expect.poll(titles).toEqual([repair.title]);
    await page.getByRole('button', { name: 'Remove by:slowkitchens' }).click();
    await expect.poll(titles).toEqual([repair.title, tour.title]);
    await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('gasket is:');
    await page.getByRole('button', { name: 'Add is:watched', exact: true }).click();
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    await page.getByRole('button', { name: 'Remove is:watched' }).click();
    await expect.poll(titles).toEqual([repair.title, tour.title]);
  });

  test('applies the filters of the page', async () => {
    await page.goto(`${address}/search/?query=gasket&max=0`);
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    await page.getByLabel('Maximum length (minutes)').fill('1');
    await page.getByLabel('Watched').selectOption('Unwatched');
    await expect.poll(titles).toEqual([repair.title, tour.title]);
  });

  test('offers staff to search comments, if they are not indexed', async () => {
    await visitor.call('POST', '/api/appsettings/config/', { downloads: { comment_index: 0 } });
    await eventually(async () => (await countsOf('rubber')) === '{}');
    await search('rubber');
    await page.getByText('No matches in titles, transcripts, chapters, descriptions or comments.').waitFor();
    await page.getByText(/^Comments are not searched\./).waitFor();
    await expectAccessibleAtAllWidths(page);
    await page.getByRole('button', { name: 'Search comments too' }).click();
    await page.getByText('Comments are indexed from now on.').waitFor();
    await entry(repair.title).waitFor();
    const { downloads } = (await visitor.call('GET', '/api/appsettings/config/')).json as {
      downloads: { comment_index: number };
    };
    expect(downloads.comment_index).toBe(50);
  });

  test('searches the comments of a video', async () => {
    await page.goto(`${address}/video/${repair.id}/`);
    const comments = page.getByRole('region', { name: 'Comments' });
    const field = comments.getByRole('searchbox', { name: 'Search comments' });
    await field.fill('GASKET');
    await comments.getByText('1 match', { exact: true }).waitFor();
    expect(await comments.locator('mark').allTextContents()).toEqual(['gasket']);
    // The comment above the reply is visible, and the other reply is not.
    await comments.getByText('Which Café has such a machine?').waitFor();
    await expect.poll(() => comments.getByText('I do not know.').count()).toBe(0);
    await field.fill('cafe jane');
    await expect.poll(() => comments.locator('mark').allTextContents()).toEqual(['jane', 'Café']);
    await expectAccessibleAtAllWidths(page);
    await field.fill('nowhere');
    await comments.getByText('No matching comments').waitFor();
    await field.fill('');
    await comments.getByText('Nice video, number 3.').waitFor();
  });

  test('has no errors in the page', () => expect(errors).toEqual([]));
});
