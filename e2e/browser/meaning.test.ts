import { writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Meaning } from '#contract/meaning.ts';
import { canBrowse, expectAccessibleAtAllWidths } from '../support/in-browser.ts';
import { second, third } from '../support/watch-catalogue.ts';
import { openStopped, startWatching } from '../support/watching.ts';

const { REELKEEP_TEST_MEANING_PYTHON: python } = process.env;

const transcripts = [
  [
    second,
    'en',
    'English',
    [
      'The gates of the lock are closed, and water flows in from above',
      'until the boat has risen to the level of the upper canal.',
    ],
  ],
  [
    third,
    'fr',
    'French',
    ['Les portes de l’écluse se ferment, l’eau arrive d’en haut', 'et le bateau monte jusqu’au niveau du canal supérieur.'],
  ],
] as const;

describe.runIf(canBrowse && python)('search by meaning', () => {
  let watcher: Awaited<ReturnType<typeof startWatching>>;
  let page: Page;
  let address: string;
  beforeAll(async () => {
    watcher = await startWatching({ REELKEEP_MODELS_PYTHON: python! });
    ({ page, address } = watcher);
    const db = new DatabaseSync(join(watcher.folder, 'reelkeep.db'), { timeout: 10_000 });
    for (const [{ id }, lang, name, [first, last]] of transcripts) {
      db.prepare("insert into subtitle (video_id, lang, source, name, path) values (?, ?, 'user', ?, ?)").run(
        id,
        lang,
        name,
        `${id}.${lang}.vtt`,
      );
      const line = db.prepare(
        'insert into transcript_line (video_id, lang, position, start_seconds, end_seconds, text) values (?, ?, ?, ?, ?, ?)',
      );
      line.run(id, lang, 0, 2, 6, first);
      line.run(id, lang, 1, 6, 12, last);
      const cues = `00:00:02.000 --> 00:00:06.000\n${first}\n\n00:00:06.000 --> 00:00:12.000\n${last}\n`;
      await writeFile(join(watcher.folder, 'media', `${id}.${lang}.vtt`), `WEBVTT\n\n${cues}`);
    }
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
    await page.getByText(/3 videos with \d+ passages in the index/).waitFor();
    await page.evaluate('scrollTo(0, 0)');
    await expectAccessibleAtAllWidths(page);
  });

  test('a German question finds English words, and opens them at their second', async () => {
    await expect
      .poll(async () => ((await watcher.visitor.call('GET', '/api/meaning/')).json as Meaning).queue, { timeout: 120_000 })
      .toBe(0);
    await expect
      .poll(async () => (await watcher.visitor.call('GET', '/api/task/by-name/embed_passages/')).json, { timeout: 120_000 })
      .toMatchObject([{ status: 'SUCCESS' }]);
    await search();
    const group = page.getByRole('region', { name: /Similar in meaning/ });
    await group.getByRole('link', { name: second.title }).first().waitFor();
    await group.getByText('English').waitFor();
    await group.getByText(/the boat has risen/).waitFor();
    await expectAccessibleAtAllWidths(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await group.getByRole('article', { name: second.title }).getByRole('link', { name: 'Spoken 0:02' }).click();
    await page.waitForURL(/watchFilm02\/\?t=2/);
  });

  test('selected lines lead to similar moments, at an address that can be shared', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await openStopped(page, address, second.id, 0);
    await page.getByRole('tab', { name: 'Transcript' }).click();
    await page.getByRole('button', { name: /The gates of the lock/ }).focus();
    await page.keyboard.press('Shift+ArrowDown');
    const link = page.getByRole('toolbar', { name: 'Selected lines' }).getByRole('link', { name: 'Find similar moments' });
    await link.waitFor();
    await expectAccessibleAtAllWidths(page);
    await expect
      .poll(async () => {
        await page.keyboard.press('Tab');
        return page.evaluate('document.activeElement.textContent');
      })
      .toBe('Find similar moments');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/search\/\?like=watchFilm02&at=2$/);
    const source = page.getByRole('region', { name: 'Selected moment' });
    await source.getByText(/the boat has risen/).waitFor();
    const group = page.getByRole('region', { name: /Similar in meaning/ });
    await group.getByRole('link', { name: third.title }).first().waitFor();
    await page.reload();
    await group.getByText(/le bateau monte/).waitFor();
    expect(await group.getByRole('link', { name: second.title }).count()).toBe(0);
    await expectAccessibleAtAllWidths(page);
    await group.getByRole('link', { name: 'Similar moments' }).click();
    await page.waitForURL(/like=watchFilm03&at=2$/);
    await source.getByText(/le bateau monte/).waitFor();
    await group.getByText(/the boat has risen/).waitFor();
    await page.goto(`${address}/search/?like=${second.id.replace('2', '9')}`);
    await page.getByText('video not found').waitFor();
  });

  test('another model is chosen with the keyboard, and the page says which one answers', async () => {
    const meaning = async () => (await watcher.visitor.call('GET', '/api/meaning/')).json as Meaning;
    const db = new DatabaseSync(join(watcher.folder, 'reelkeep.db'), { timeout: 10_000 });
    // A language that the model does not know, and hours in which nothing is embedded.
    db.prepare("update passage_track set lang = 'sv', passages = 0 where video_id = ?").run(third.id);
    db.close();
    const never = new Date(Date.now() + 12 * 3_600_000).getUTCHours();
    const hours = `${String(never).padStart(2, '0')}:00-${String(never).padStart(2, '0')}:01`;
    await watcher.visitor.call('POST', '/api/appsettings/config/', { background: { hours } });
    await page.goto(`${address}/settings/application/transcripts/#meaning`);
    await page
      .getByText(/The model use-m3 does not understand the transcripts of 1 video \(33%\): Swedish\. Choose the model e5\./)
      .waitFor();
    await expectAccessibleAtAllWidths(page);
    const select = page.getByRole('combobox', { name: 'Model', exact: true });
    await select.focus();
    await page.keyboard.press('e');
    await page.getByText('use-m3 answers until the index of e5 is complete (0%).').waitFor();
    expect(await meaning()).toMatchObject({ model: 'e5', active_model: 'use-m3', queue: 3 });
    await expectAccessibleAtAllWidths(page);
    await watcher.visitor.call('POST', '/api/appsettings/config/', { background: { hours: null } });
    await watcher.visitor.call('POST', '/api/appsettings/config/', { meaning: { enabled: true } });
    await page.getByText('use-m3 answers until').waitFor({ state: 'detached', timeout: 120_000 });
    expect(await meaning()).toMatchObject({ model: 'e5', active_model: 'e5', queue: 0 });
    await search();
    const group = page.getByRole('region', { name: /Similar in meaning/ });
    await group.getByText(/the boat has risen/).waitFor();
  });

  test('says when nothing similar was said', async () => {
    await page.goto(`${address}/search/?query=Steuererkl%C3%A4rung`);
    await page.getByRole('heading', { name: 'Similar in meaning' }).waitFor();
    await page.getByText('Nothing similar enough was said.').waitFor();
  });
});
