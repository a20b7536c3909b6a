import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loaf, startBrowsing, type Browsing } from '../support/browsing.ts';
import { canBrowse } from '../support/in-browser.ts';

// Texts of visible labels, buttons, tabs and headings that do not fit. Names of videos and channels may be shortened.
const cutLabels = `[...document.querySelectorAll('label, button, legend, h1, h2, h3, nav a, [role=tab], [role=radio]')].flatMap((label) => {
  const parts = [label, ...label.querySelectorAll('*')].filter((part) => {
    if (part.closest('bdi, .hidden, [aria-hidden]') || part.querySelector('bdi, img, svg') || part.clientWidth < 2) return false;
    if (part.textContent.trim() === '' || !part.checkVisibility()) return false;
    const { right } = part.getBoundingClientRect();
    // A sidebar would clip it.
    const nav = part.closest('nav');
    return part.scrollWidth > part.clientWidth + 1 || (nav !== null && right > nav.getBoundingClientRect().right);
  });
  return parts.map((part) => part.textContent.trim());
})`;

const wide = { language: 'en', theme: 'light', width: 1440, height: 900 };

describe.runIf(canBrowse)('labels, headings and titles', () => {
  let b: Browsing;
  beforeAll(async () => {
    b = await startBrowsing({ isSmall: true });
    await b.page.addInitScript(`window.shift = { value: 0, moved: [] };
      new PerformanceObserver((list) => {
        for (const { value, hadRecentInput, sources } of list.getEntries())
          if (!hadRecentInput) {
            shift.value += value;
            shift.moved.push(...sources.map(({ node }) => (node?.outerHTML ?? node?.textContent ?? '').slice(0, 80)));
          }
      }).observe({ type: 'layout-shift', buffered: true });`);
  });
  afterAll(() => b.close());

  async function pathsOfPages(): Promise<Set<string>> {
    const { page } = b;
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${b.address}/settings/application/`);
    await page.locator('main nav a').first().waitFor();
    const settings = await page
      .locator('main nav a')
      .evaluateAll((links) => links.map((link) => (link as unknown as { pathname: string }).pathname));
    expect(settings.length).toBeGreaterThan(15);
    const channel = `/channel/${loaf.channelId}/`;
    return new Set([
      '/',
      '/channel/',
      '/playlist/',
      '/downloads/',
      '/search/',
      '/trash/',
      '/about/',
      '/offline/',
      '/nowhere/',
      ...['', 'streams/', 'shorts/', 'playlist/', 'about/'].map((tab) => channel + tab),
      `/video/${loaf.id}/`,
      '/settings/scheduling/history/',
      ...settings,
    ]);
  }

  /** Opens each page, and waits until it has loaded. Adds those to `problems` that moved meanwhile. */
  async function* openPages({ language, theme, width, height }: typeof wide, problems: string[]): AsyncGenerator<string> {
    const { page } = b;
    const paths = await pathsOfPages();
    await page.addInitScript(`localStorage.setItem('language', '${language}')`);
    for (const path of paths) {
      await page.setViewportSize({ width, height });
      await page.goto(`${b.address}${path}?theme=${theme}`);
      await page.getByRole('heading').first().waitFor();
      await expect.poll(() => page.locator('[data-skeleton]').count(), { message: path }).toBe(0);
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      const { value, moved } = await page.evaluate<{ value: number; moved: string[] }>('shift');
      // The goal is 0.02; fonts of other machines wrap a line more.
      if (value > 0.03) problems.push(`${path} at ${width} px, ${theme}: moved ${value.toFixed(3)} ${moved.join(' | ')}`);
      yield path;
    }
  }

  test.each([wide, { ...wide, language: 'de', theme: 'dark' }])(
    'no label is cut, no page moves while it loads, and each has one h1 and a unique title ($language, $theme)',
    async (view) => {
      const { page } = b;
      const titles = new Map<string, string>();
      const problems: string[] = [];
      for await (const path of openPages(view, problems)) {
        if ((await page.locator('h1').count()) !== 1) problems.push(`${path}: ${await page.locator('h1').count()} h1`);
        const title = await page.title();
        if (titles.has(title)) problems.push(`${path}: has the title of ${titles.get(title)}: ${title}`);
        titles.set(title, path);
        for (const width of [1440, 768, 390]) {
          await page.setViewportSize({ width, height: 900 });
          const cut = await page.evaluate<string[]>(cutLabels);
          problems.push(...cut.map((text) => `${path} at ${width} px: ${text}`));
        }
      }
      expect(problems).toEqual([]);
    },
  );

  test('no page moves while it loads on a phone', async () => {
    const problems: string[] = [];
    const opened = await Array.fromAsync(openPages({ language: 'de', theme: 'light', width: 390, height: 844 }, problems));
    expect(opened.length).toBeGreaterThan(25);
    expect(problems).toEqual([]);
  });
});
