import { execFileSync } from 'node:child_process';
import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canBrowse, expectAccessibleAtAllWidths } from '../support/in-browser.ts';
import { second, third } from '../support/watch-catalogue.ts';
import { openStopped, startWatching } from '../support/watching.ts';

const { REELKEEP_TEST_SPEECH_PYTHON: python, REELKEEP_TEST_MODELS: models, REELKEEP_TEST_SPEECH: recordings } = process.env;

describe.runIf(canBrowse && python && models && recordings)('transcripts', () => {
  let watcher: Awaited<ReturnType<typeof startWatching>>;
  let page: Page;
  let address: string;
  beforeAll(async () => {
    watcher = await startWatching({ REELKEEP_MODELS_PYTHON: python!, REELKEEP_MODELS: models! });
    ({ page, address } = watcher);
    // The lock is closed by a reader of LibriVox.
    const media = join(watcher.folder, 'media');
    const path = readdirSync(media, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith(`${second.id}.mp4`))!;
    const [sentence, next] = readdirSync(recordings!)
      .filter((name) => name.endsWith('.wav'))
      .sort()
      .map((name) => join(recordings!, name));
    const spoken = ['-i', sentence!, '-i', next!, '-filter_complex', '[1]apad=pad_dur=1[a];[a][2]concat=n=2:v=0:a=1,apad[s]'];
    const to = ['-map', '0:v', '-map', '[s]', '-t', '14', '-c:v', 'copy', '-c:a', 'aac', join(media, 'spoken.mp4')];
    execFileSync(process.env.REELKEEP_FFMPEG!, ['-v', 'error', '-i', join(media, path), ...spoken, ...to]);
    renameSync(join(media, 'spoken.mp4'), join(media, path));
  });
  afterAll(() => watcher.close());

  test('staff turn them on where they see how much is missing', async () => {
    await page.goto(`${address}/settings/application/transcripts/`);
    await page.getByText('2 videos without captions, 1 minute.').waitFor();
    await page.getByText('The engine is that of REELKEEP_MODELS_PYTHON.').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'tiny.en' }).getByText('English only').waitFor();
    await page.getByRole('button', { name: 'Test tiny.en' }).click();
    await page.getByText(/leisure to consider how much there might be/).waitFor();
    await page.getByText(/× real time\. Memory: \d/).waitFor();
    await page.getByLabel('Background hours').fill('25:00-3');
    await page.keyboard.press('Tab');
    await page.getByText('Use hours such as 01:00-06:00.').waitFor();
    await page.getByLabel('Background hours').fill('');
    await page.keyboard.press('Tab');
    await page.getByLabel('Speech model').fill('tiny.en');
    await page.keyboard.press('Tab');
    await page.getByLabel('Transcribe videos without captions').selectOption({ label: 'On request' });
    await expect
      .poll(async () => (await watcher.visitor.call('GET', '/api/appsettings/config/')).json)
      .toMatchObject({ speech: { transcribe: 'request', model: 'tiny.en' }, background: { hours: null } });
    // Targets that the bar at the top covers in part would be too small.
    await page.evaluate('scrollTo(0, 0)');
    await expectAccessibleAtAllWidths(page);
  });

  test('a requested one appears in place of the button, is labelled, and its words are found', async () => {
    await openStopped(page, address, second.id, 1);
    await page.getByRole('tab', { name: 'Transcript' }).click();
    await page.getByText('No captions.').waitFor();
    await page.getByRole('button', { name: 'Generate transcript' }).click();
    await page.getByRole('combobox', { name: 'Transcript language' }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Transcript language' }).textContent()).toContain('English (generated)');
    await page.getByRole('region', { name: 'Transcript' }).getByText('young man').waitFor();
    // The index follows within seconds.
    const found = async () =>
      (await watcher.visitor.call('GET', '/api/search/moments/?query=leisure+to+consider')).json as { videos: object[] };
    await expect.poll(async () => (await found()).videos.length, { timeout: 60_000 }).toBe(1);
    await page.goto(`${address}/search/?query=leisure+to+consider`);
    await page.getByRole('link', { name: second.title }).first().waitFor();
    await page
      .getByText(/leisure to consider/)
      .first()
      .waitFor();
  });

  test('staff can delete it, and request it again in another language', async () => {
    await openStopped(page, address, second.id, 1);
    await page.getByRole('tab', { name: 'Transcript' }).click();
    await page.getByText('Written by whisper tiny.en. It can have errors.').waitFor();
    await page.getByRole('button', { name: 'Delete transcript' }).click();
    await page.getByLabel('Spoken language').selectOption({ label: 'German' });
    await page.getByRole('button', { name: 'Generate transcript' }).click();
    await page.getByText('tiny.en understands English only. Choose a model for several languages.').waitFor();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
  });

  test('a video without speech says so', async () => {
    await openStopped(page, address, third.id, 1);
    await page.getByRole('tab', { name: 'Transcript' }).click();
    await page.getByRole('button', { name: 'Generate transcript' }).click();
    await page.getByText('No speech was found in this video.').waitFor();
  });
});
