import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCatalogue, aChannel, aVideo } from '../../test-site/builders.ts';
import { eventually } from '../support/acquisition.ts';
import { expectAccessible, openSettingsBrowser, type OpenBrowser } from '../support/browser-settings.ts';
import { canBrowse } from '../support/in-browser.ts';
import { importUnusualFilms, unplayableFilms } from '../support/unusual-films.ts';

const channels = ['Night Trains', 'Rail Mirror'].map((name) => aChannel({ name }));
const copied = 'nothing0001';
const trains = channels.map(({ id: channelId }, place) =>
  aVideo({ id: `sameTrain0${place}`, channelId, title: 'Over the Alps by night', durationSeconds: 10 }),
);
const videos = [...trains, aVideo({ id: copied, channelId: channels[0]!.id, title: `Film ${copied}`, durationSeconds: 20 })];

describe.runIf(canBrowse)('storage suggestions', () => {
  let b: OpenBrowser;
  const section = () => b.page.getByRole('region', { name: 'Free up space', exact: true });
  const kind = (name: string) => section().getByRole('region', { name, exact: true });
  const same = () => kind('Possibly the same video');
  const open = async () => {
    await b.page.goto('about:blank'); // an address that differs in its fragment only would not be loaded again
    await b.page.goto(`${b.address}/settings/#dashboard`);
  };

  beforeAll(async () => {
    b = await openSettingsBrowser(aCatalogue({ channels, videos }));
    const { call } = b.visitor;
    await call('POST', '/api/download/?autostart=true', { data: trains.map(({ id }) => ({ youtube_id: id })) });
    await importUnusualFilms({ folder: b.folder.path, visitor: b.visitor }, { [copied]: unplayableFilms[copied]! });
    await call('POST', '/api/video/copies/', { ids: [copied] });
    const { id } = trains[1]!;
    for (const { id: train } of trains) await eventually(async () => (await call('GET', `/api/video/${train}/`)).status === 200);
    await eventually(async () => {
      const { json } = await call('GET', '/api/video/copies/');
      return (json as { count: number }).count === 1;
    });
    const db = new DatabaseSync(join(b.folder.path, 'reelkeep.db'), { timeout: 10_000 });
    const longAgo = Math.floor(Date.now() / 1000) - 120 * 86_400;
    db.prepare('update video set downloaded_at = ? where id = ?').run(longAgo, id);
    // As from a site that offers a larger picture.
    db.prepare('update video set height = 1080, width = 1920 where id = ?').run(trains[0]!.id);
    db.close();
  });
  afterAll(() => b.close());

  test('are in the dashboard with number and size, in both languages', async () => {
    await open();
    await same()
      .getByText(/^1 video more than once · .*B$/)
      .waitFor();
    await same().getByText('Better picture').waitFor();
    await kind('Channels that no user watches')
      .getByText(/^1 channel · .*B$/)
      .waitFor();
    await kind('Compatible copies')
      .getByText(/^1 copy · .*B$/)
      .waitFor();
    await expectAccessible(b.page);
    await b.page.evaluate("localStorage.setItem('language', 'de')");
    await open();
    await b.page.getByRole('heading', { name: 'Vielleicht dasselbe Video' }).waitFor();
    await b.page.getByRole('heading', { name: 'Kanäle, die niemand ansieht' }).waitFor();
    await expectAccessible(b.page);
    await b.page.evaluate("localStorage.removeItem('language')");
  });

  test('are hidden, and shown again by undo', async () => {
    const { page } = b;
    await open();
    await same().getByRole('button', { name: 'Hide: Over the Alps by night' }).press('Enter');
    await page.getByText('Suggestion hidden for 90 days.').waitFor();
    await expect.poll(() => same().count()).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await same().waitFor();
    await kind('Compatible copies').getByRole('button', { name: 'Hide: Compatible copies' }).click();
    await expect.poll(() => kind('Compatible copies').count()).toBe(0);
    await open();
    await same().waitFor();
    expect(await kind('Compatible copies').count()).toBe(0);
    await b.visitor.call('POST', '/api/stats/suggestions/hide/', { key: 'copies', is_hidden: false });
  });

  test('open the list of a channel that no user watches', async () => {
    const { page } = b;
    await open();
    await kind('Channels that no user watches')
      .getByRole('link', { name: /^Rail Mirror 1 video · / })
      .click();
    await page.getByRole('link', { name: 'Over the Alps by night', exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Delete 1 video…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete all matching videos?' });
    await dialog.getByText(/^1 video \(.*B\)$/).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  test('delete one of two archived copies of a video, with undo', async () => {
    const { page } = b;
    await open();
    const remove = same().getByRole('button', { name: /^Delete Over the Alps by night: youtube · Rail Mirror · / });
    await remove.click();
    const dialog = page.getByRole('dialog', { name: 'Delete this video?' });
    await dialog.getByText(/^Removes “Over the Alps by night”/).waitFor();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('“Over the Alps by night” moved to trash.').waitFor();
    await expect.poll(() => same().count()).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await remove.waitFor();
  });

  test('delete chosen compatible copies, and keep the video', async () => {
    const { page, visitor } = b;
    await open();
    await kind('Compatible copies').getByRole('button', { name: 'Choose copies…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete compatible copies' });
    const button = dialog.getByRole('button', { name: /^Delete copies$/ });
    await button.waitFor();
    expect(await button.isDisabled()).toBe(true);
    await dialog.getByRole('checkbox', { name: `Film ${copied}` }).press('Space');
    await expectAccessible(page);
    const path = `media/${channels[0]!.id}/${copied}.small.mp4`;
    expect(existsSync(join(b.folder.path, path))).toBe(true);
    await dialog.getByRole('button', { name: /^Delete 1 copy \(.*B\)$/ }).click();
    await page.getByText('1 copy deleted.').waitFor();
    await expect.poll(() => kind('Compatible copies').count()).toBe(0);
    expect(existsSync(join(b.folder.path, path))).toBe(false);
    expect((await visitor.call('GET', `/api/video/${copied}/`)).status).toBe(200);
    expect(b.errors).toEqual([]);
  });
});
