import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Meaning } from '#contract/meaning.ts';
import { canBrowse, expectAccessibleAtAllWidths } from '../support/in-browser.ts';
import { second } from '../support/watch-catalogue.ts';
import { startWatching } from '../support/watching.ts';

const { REELKEEP_TEST_MEANING_PYTHON: python } = process.env;

describe.runIf(canBrowse && python)('search by meaning', () => {
  let watcher: Awaited<ReturnType<typeof startWatching>>;
  let page: Page;
  let address: string;
  beforeAll(async () => {
    watcher = await startWatching({ REELKEEP_MODELS_PYTHON: python! });
    ({ page, address } = watcher);
    const db = new DatabaseSync(join(watcher.folder, 'reelkeep.db'), { timeout: 10_000 });
    db.prepare(
      "insert into subtitle (video_id, lang, source, name, path) values (?, 'en', 'user', 'English', 'lock.en.vtt')",
    ).run(second.id);
    const line = db.prepare(
      "insert into transcript_line (video_id, lang, position, start_seconds, end_seconds, text) values (?, 'en', ?, ?, ?, ?)",
    );
    line.run(second.id, 0, 2, 6, 'The gates of the lock are closed, and water flows in from above');
    line.run(second.id, 1, 6, 12, 'until the boat has risen to the level of the upper canal.');
    db.close();
  });
  afterAll(() => watcher.close());

  const question = 'Wie kommt ein Schiff im Kanal nach oben';
  const search = () => page.goto(`${address}/search/?query=${encodeURIComponent(question)}`);

  test('a search without results leads staff to the setting', async () => {
    await search();
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    await page.getByText('Search by meaning finds other words and other languages.').waitFor();
    expect(await page.getByText('Similar in meaning').count()).toBe(0);
    await page.getByRole('link', { name: 'Turn on' }).click();
    await page.getByText('The model is run by the Python of REELKEEP_MODELS_PYTHON.').waitFor();
    await page.getByRole('switch', { name: 'Search by meaning' }).click();
    await page.getByText(/2 videos with \d+ passages in the index/).waitFor();
    await page.evaluate('scrollTo(0, 0)');
    await expectAccessibleAtAllWidths(page);
  });

  test('a German question finds English words, and opens them at their second', async () => {
    await expect
      .poll(async () => ((await watcher.visitor.call('GET', '/api/meaning/')).json as Meaning).queue, { timeout: 120_000 })
      .toBe(0);
    const found = async () =>
      (await watcher.visitor.call('GET', `/api/search/moments/?mode=meaning&query=${encodeURIComponent(question)}`)).json as {
        videos: { youtube_id: string }[];
      };
    // The file of this server follows within half a minute.
    await expect.poll(async () => (await found()).videos[0]?.youtube_id, { timeout: 120_000 }).toBe(second.id);
    await search();
    const group = page.getByRole('region', { name: /Similar in meaning/ });
    await group.getByRole('link', { name: second.title }).first().waitFor();
    await group.getByText('English').waitFor();
    await group.getByText(/the boat has risen/).waitFor();
    await expectAccessibleAtAllWidths(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await group.getByRole('link', { name: 'Spoken 0:02' }).click();
    await page.waitForURL(/watchFilm02\/\?t=2/);
  });

  test('says when nothing similar was said', async () => {
    await page.goto(`${address}/search/?query=Steuererkl%C3%A4rung`);
    await page.getByRole('heading', { name: 'Similar in meaning' }).waitFor();
    await page.getByText('Nothing similar enough was said.').waitFor();
  });
});
