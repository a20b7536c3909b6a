import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCatalogue } from '#standin/builders.ts';
import { aBrowser, expectAccessible, type OpenBrowser } from './browser-settings.ts';
import { canBrowse } from './in-browser.ts';
import { within } from './restoring.ts';

describe.runIf(canBrowse)('people, in a browser', () => {
  let b: OpenBrowser;
  beforeAll(async () => {
    b = await aBrowser(aCatalogue({ channels: [], videos: [], playlists: [] }));
  });
  afterAll(() => b.close());
  const button = (name: string | RegExp) => b.page.getByRole('button', { name, exact: true });
  const change = async (name: string, what: string | RegExp) => {
    await button(`Change ${name}`).click();
    await b.page.getByRole('menuitem', { name: what }).click();
  };
  let password = '';
  const ownPassword = 'words of Ann';

  test('somebody is added, and their password is shown once', async () => {
    const { page } = b;
    await page.goto(`${b.address}/settings/people/`);
    await page.getByLabel('Name', { exact: true }).fill('Ann');
    await button('Add').click();
    const dialog = page.getByRole('dialog', { name: 'Password of Ann' });
    password = (await dialog.locator('code').textContent()) ?? '';
    expect(password).toMatch(/^[a-z2-9-]{19}$/);
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Copy it' }).click();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(password);
    await dialog.getByRole('button', { name: 'I have kept it' }).click();
    await expect.poll(() => page.getByText(password).count()).toBe(0);
    await page.getByText('never logged in').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('ANN');
    await button('Add').click();
    await page.getByText('There is somebody called ANN already.').waitFor();
    await expectAccessible(page);
  });

  test('who is switched off is asked to log in where they are, and told so', async () => {
    const theirs = await b.open(await b.browser.newContext({ reducedMotion: 'reduce' }));
    await theirs.goto(`${b.address}/login/`);
    await theirs.getByLabel('Username').fill('Ann');
    await theirs.getByLabel('Password').fill(password);
    await theirs.getByRole('button', { name: 'Log in' }).click();
    // The one that was made for her only lets her choose.
    await theirs.getByText(/^This password was made for you\./).waitFor();
    const chosen = theirs.getByLabel('New password');
    await expect.poll(() => theirs.evaluate('document.activeElement.name')).toBe('new_password');
    await expectAccessible(theirs);
    await chosen.fill(password);
    await theirs.keyboard.press('Enter');
    await theirs.getByText('Choose another password than the one that was made for you.').waitFor();
    await chosen.fill(ownPassword);
    await theirs.getByRole('button', { name: 'Save and log in' }).click();
    await theirs.getByRole('link', { name: 'Channels' }).first().waitFor();
    await expect.poll(() => theirs.getByRole('link', { name: 'People' }).count()).toBe(0);
    await theirs.goto(`${b.address}/settings/people/`);
    await theirs.getByText('There is no such page').waitFor();
    // What they may not do they are not told to do.
    await theirs.goto(`${b.address}/channel/`);
    await theirs.getByText('A channel appears here with the first of its videos.').waitFor();
    await theirs.goto(`${b.address}/playlist/`);
    await theirs.getByText('As soon as somebody adds a playlist, it appears here.').waitFor();
    await b.page.reload();
    await change('Ann', 'Switch off');
    await b.page.getByText('Ann is switched off and logged out everywhere.').waitFor();
    await b.page.getByText('Switched off', { exact: true }).waitFor();
    await theirs.goto(`${b.address}/settings/`);
    await theirs.getByLabel('Username').fill('Ann');
    await theirs.getByLabel('Password').fill(ownPassword);
    await theirs.getByRole('button', { name: 'Log in' }).click();
    await theirs.getByText(/This account is switched off/).waitFor();
    await button('Undo').click();
    await expect.poll(() => b.page.getByText('Switched off', { exact: true }).count()).toBe(0);
    await theirs.context().close();
  });

  test('somebody becomes staff, gets a new password, and is deleted with a word of what goes', async () => {
    const { page } = b;
    await change('Ann', 'Make staff');
    await expect.poll(() => page.getByText('Staff', { exact: true }).count()).toBe(2);
    await change('Ann', /New password/);
    await button('Make a new password').click();
    const dialog = page.getByRole('dialog', { name: 'Password of Ann' });
    await expect.poll(() => dialog.locator('code').textContent()).not.toBe(password);
    await dialog.getByRole('button', { name: 'I have kept it' }).click();
    await change('Ann', /Delete/);
    await page.getByText('They have watched nothing yet.').waitFor();
    await button('Delete Ann').click();
    await page.getByText('Ann is deleted.').waitFor();
    await expect.poll(() => button('Change Ann').count()).toBe(0);
  });

  test('a token is made, used and revoked; other browsers are logged out', async () => {
    const { page } = b;
    const other = await b.open(await b.browser.newContext());
    await b.logIn(other);
    await page.goto(`${b.address}/settings/user/`);
    await page.getByLabel('Name of the app').fill('Kodi');
    await button('Make a token').click();
    const token = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
    await button('I have kept it').click();
    const ask = () => fetch(`${b.address}/api/ping/`, { headers: { authorization: `Token ${token}` } });
    expect((await ask()).status).toBe(200);
    await page.reload();
    await page.getByText('used just now').waitFor();
    await expectAccessible(page);
    await button('Revoke: Kodi').click();
    await page.getByText('Kodi is worthless from now on.').waitFor();
    expect((await ask()).status).toBe(403);
    await page.getByText('This one').waitFor();
    await button(/^Log out the (other one|\d+ others)$/).click();
    await page.getByText('Every other browser is logged out.').waitFor();
    await other.goto(`${b.address}/settings/user/`);
    await other.getByLabel('Username').waitFor();
    expect(b.errors).toEqual([]);
  });

  test('some time after the login it asks who sits there, in place, and what was entered stays', async () => {
    const { page } = b;
    within(b.folder.path, (db) => db.prepare('update session set proved_at = 0').run());
    await page.goto(`${b.address}/settings/people/`);
    await page.getByLabel('Name', { exact: true }).fill('Cem');
    await page.getByLabel('Password', { exact: true }).fill('words of Cem');
    await page.getByRole('switch', { name: /^Staff/ }).check();
    await button('Add').click();
    const question = page.getByRole('dialog', { name: 'Is it you?' });
    const field = question.getByLabel('Your password');
    await field.waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('password');
    expect(await field.getAttribute('autocomplete')).toBe('current-password');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByText('Nothing was changed.').waitFor();
    await button('Add').click();
    await field.fill('demoo');
    await page.keyboard.press('Enter');
    await question.getByRole('alert').getByText('That is not your present password.').waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await expectAccessible(page);
    await field.fill('demo');
    await page.keyboard.press('Enter');
    await page.getByText('Cem can log in now.').waitFor();
    expect(await question.count()).toBe(0);
    const cem = within(b.folder.path, (db) =>
      db.prepare("select is_staff, must_choose_password from account where name = 'Cem'").get(),
    );
    expect({ ...cem }).toEqual({ is_staff: 1, must_choose_password: 0 });
    // What else is wrong is told where it was entered.
    await page.getByLabel('Name', { exact: true }).fill('CEM');
    await button('Add').click();
    await field.fill('demo');
    await question.getByRole('button', { name: 'Go on' }).click();
    await page.getByText('There is somebody called CEM already.').waitFor();
    expect(await question.count()).toBe(0);
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('CEM');
    // Of a menu and of a token as well.
    await change('Cem', 'Switch off');
    await field.fill('demo');
    await page.keyboard.press('Enter');
    await page.getByText('Cem is switched off and logged out everywhere.').waitFor();
    await page.goto(`${b.address}/settings/user/`);
    await page.getByLabel('Name of the app').fill('Roku');
    await button('Make a token').click();
    await field.fill('demo');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Token for Roku' }).waitFor();
    expect(b.errors).toEqual([]);
  });
});
