import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCatalogue } from '../../test-site/builders.ts';
import { openSettingsBrowser, expectAccessible, type OpenBrowser } from '../support/browser-settings.ts';
import { canBrowse } from '../support/in-browser.ts';
import { logInToProgram } from '../support/program.ts';
import { withDatabase } from '../support/restoring.ts';

describe.runIf(canBrowse)('users', () => {
  let b: OpenBrowser;
  beforeAll(async () => {
    b = await openSettingsBrowser(aCatalogue({ channels: [], videos: [], playlists: [] }));
  });
  afterAll(() => b.close());
  const button = (name: string | RegExp) => b.page.getByRole('button', { name, exact: true });
  const change = async (name: string, action: string | RegExp) => {
    await button(`Actions for ${name}`).click();
    await b.page.getByRole('menuitem', { name: action }).click();
  };
  let password = '';
  const ownPassword = 'words of Ann';

  test('adds a user and shows the password once', async () => {
    const { page } = b;
    await page.goto(`${b.address}/settings/people/`);
    await page.getByLabel('Name', { exact: true }).fill('Ann');
    await button('Add').click();
    const dialog = page.getByRole('dialog', { name: 'Password for Ann' });
    password = (await dialog.locator('code').textContent()) ?? '';
    expect(password).toMatch(/^[a-z2-9-]{19}$/);
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Copy' }).click();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(password);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => page.getByText(password).count()).toBe(0);
    await page.getByText('never logged in').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('ANN');
    await button('Add').click();
    await page.getByText('The user name ANN is already taken.').waitFor();
    await expectAccessible(page);
  });

  test('asks a disabled user for the login on the current page, with the reason', async () => {
    const otherPage = await b.open(await b.browser.newContext({ reducedMotion: 'reduce' }));
    await otherPage.goto(`${b.address}/login/`);
    await otherPage.getByLabel('Username').fill('Ann');
    await otherPage.getByLabel('Password').fill(password);
    await otherPage.getByRole('button', { name: 'Log in' }).click();
    // The temporary password only allows choosing a new one.
    await otherPage.getByText(/^Your temporary password must be replaced\./).waitFor();
    const chosen = otherPage.getByLabel('New password');
    await expect.poll(() => otherPage.evaluate('document.activeElement.name')).toBe('new_password');
    await expectAccessible(otherPage);
    await chosen.fill(password);
    await otherPage.keyboard.press('Enter');
    await otherPage.getByText('The new password is the temporary one. Choose another password.').waitFor();
    await chosen.fill(ownPassword);
    expect(await chosen.getAttribute('type')).toBe('password');
    await otherPage.getByRole('button', { name: 'Show what is typed' }).click();
    expect(await chosen.getAttribute('type')).toBe('text');
    await otherPage.getByRole('button', { name: 'Hide what is typed' }).click();
    await otherPage.getByRole('button', { name: 'Save and log in' }).click();
    await otherPage.getByRole('link', { name: 'Channels' }).first().waitFor();
    await expect.poll(() => otherPage.getByRole('link', { name: 'Users' }).count()).toBe(0);
    await otherPage.goto(`${b.address}/settings/people/`);
    await otherPage.getByRole('heading', { name: 'This page is for administrators' }).waitFor();
    await expectAccessible(otherPage);
    await otherPage.getByRole('link', { name: 'Go home' }).click();
    await otherPage.getByRole('heading', { name: 'Your archive is empty' }).waitFor();
    await otherPage.goto(`${b.address}/trash/`);
    await otherPage.getByRole('heading', { name: 'This page is for administrators' }).waitFor();
    expect(await otherPage.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents()).toEqual([
      'Reelkeep',
      'Home',
      'Channels',
      'Playlists',
      'Dashboard',
      'Settings',
    ]);
    await otherPage.getByRole('link', { name: 'Settings' }).click();
    const groups = otherPage.getByRole('navigation', { name: 'Settings' }).getByRole('region');
    await groups.first().waitFor();
    expect(await groups.count()).toBe(1);
    // Actions that are not permitted are not suggested.
    await otherPage.goto(`${b.address}/channel/`);
    await otherPage.getByText('Channels appear here once their first video is archived.').waitFor();
    await otherPage.goto(`${b.address}/playlist/`);
    await otherPage.getByText('Playlists appear here once they are added.').waitFor();
    await b.page.reload();
    await change('Ann', 'Disable');
    await b.page.getByText('Ann disabled and logged out everywhere.').waitFor();
    await b.page.getByText('Disabled', { exact: true }).waitFor();
    await otherPage.goto(`${b.address}/settings/`);
    await otherPage.getByLabel('Username').fill('Ann');
    await otherPage.getByLabel('Password').fill(ownPassword);
    await otherPage.getByRole('button', { name: 'Log in' }).click();
    await otherPage.getByText(/This account is disabled/).waitFor();
    await button('Undo').click();
    await expect.poll(() => b.page.getByText('Disabled', { exact: true }).count()).toBe(0);
    await otherPage.context().close();
  });

  test('makes a user staff, resets the password, and deletes the user with a summary', async () => {
    const { page } = b;
    await change('Ann', 'Make administrator');
    await expect.poll(() => page.getByText('Administrator', { exact: true }).count()).toBe(2);
    await change('Ann', /Reset password/);
    await button('Reset password').click();
    const dialog = page.getByRole('dialog', { name: 'Password for Ann' });
    await expect.poll(() => dialog.locator('code').textContent()).not.toBe(password);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await change('Ann', /Delete/);
    await page.getByText('They haven’t watched anything yet.').waitFor();
    await button('Delete Ann').click();
    await page.getByText('Ann deleted.').waitFor();
    await expect.poll(() => button('Actions for Ann').count()).toBe(0);
  });

  test('connects an assistant with the configuration that is shown once', async () => {
    const { page } = b;
    await page.goto(`${b.address}/settings/user/tokens/#assistants`);
    const section = page.getByRole('region', { name: 'Connect an assistant' });
    await section.getByLabel('Name of the assistant').fill('Owl');
    await section.getByRole('switch', { name: 'Read and write your notes' }).check();
    await section.getByRole('button', { name: 'Connect' }).click();
    const dialog = page.getByRole('dialog', { name: 'Configuration of the assistant' });
    await expectAccessible(page);
    const { mcpServers } = JSON.parse((await dialog.locator('code').textContent())!) as {
      mcpServers: Record<string, { url: string; headers: Record<string, string> }>;
    };
    const { url, headers } = mcpServers['reelkeep']!;
    const reply = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    const { result } = (await reply.json()) as { result: { tools: { name: string }[] } };
    const names = result.tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['search_moments', 'add_note']));
    expect(names).not.toContain('add_to_queue');
    await dialog.getByRole('button', { name: 'Done' }).click();
    expect(await section.getByRole('switch', { name: 'Read and write your notes' }).isChecked()).toBe(false);
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Owl' })
      .getByText(/^expires/)
      .waitFor();
    await button('Revoke: Owl').click();
    await page.getByText('Token “Owl” revoked.').waitFor();
    expect((await fetch(url, { method: 'POST', headers, body: '{}' })).status).toBe(401);
  });

  test('creates, uses and revokes a token; logs out other browsers', async () => {
    const { page } = b;
    const other = await b.open(await b.browser.newContext());
    await b.logIn(other);
    await page.goto(`${b.address}/settings/user/tokens/`);
    await page.getByLabel('App name').fill('Kodi');
    await page.getByRole('switch', { name: /^Watch states/ }).uncheck();
    await button('Create token').click();
    const token = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
    await button('Done').click();
    const ping = () => fetch(`${b.address}/api/ping/`, { headers: { authorization: `Token ${token}` } });
    expect((await ping()).status).toBe(200);
    const marking = await fetch(`${b.address}/api/watched/`, {
      method: 'POST',
      headers: { authorization: `Token ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ id: 'aaaaaaaaaaa', is_watched: true }),
    });
    expect(marking.status).toBe(403);
    await page.reload();
    await page.getByText('used just now').waitFor();
    await expectAccessible(page);
    await button('Revoke: Kodi').click();
    await page.getByText('Token “Kodi” revoked.').waitFor();
    expect((await ping()).status).toBe(403);
    await page.goto(`${b.address}/settings/user/password/`);
    await page.getByText('This browser').waitFor();
    await button(/^Log out (the other session|\d+ other sessions)$/).click();
    await page.getByText('All other browsers logged out.').waitFor();
    await other.goto(`${b.address}/settings/user/`);
    await other.getByLabel('Username').waitFor();
    expect(b.errors).toEqual([]);
  });

  test('shows the consent to the use of the watch state, and withdraws it', async () => {
    const { page } = b;
    const visitor = await logInToProgram(b.address);
    const isAllowed = async () =>
      ((await visitor.call('GET', '/api/user/account/')).json as { shares_watch_state: boolean }).shares_watch_state;
    const consent = () => page.getByRole('switch', { name: 'Allow library views and media servers to use my watch state' });
    expect(await isAllowed()).toBe(false);
    await page.goto(`${b.address}/settings/user/sharing/`);
    await consent().click();
    await expect.poll(isAllowed).toBe(true);
    await page.reload();
    await expect.poll(() => consent().isChecked()).toBe(true);
    await consent().click();
    await expect.poll(isAllowed).toBe(false);
  });

  test('asks for the password again after a while, in place, and keeps the input', async () => {
    const { page } = b;
    withDatabase(b.folder.path, (db) => db.prepare('update session set authenticated_at = 0').run());
    await page.goto(`${b.address}/settings/people/`);
    await page.getByLabel('Name', { exact: true }).fill('Cem');
    await page.getByLabel('Password', { exact: true }).fill('words of Cem');
    await page.getByRole('switch', { name: /^Administrator/ }).check();
    await button('Add').click();
    const dialog = page.getByRole('dialog', { name: 'Confirm your identity' });
    const field = dialog.getByLabel('Your password');
    await field.waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('password');
    expect(await field.getAttribute('autocomplete')).toBe('current-password');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByText('Nothing was changed.').waitFor();
    await button('Add').click();
    await field.fill('demoo');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').getByText('The current password is incorrect.').waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await expectAccessible(page);
    await field.fill('demo');
    await page.keyboard.press('Enter');
    await page.getByText('Cem can log in now.').waitFor();
    expect(await dialog.count()).toBe(0);
    const cem = withDatabase(b.folder.path, (db) =>
      db.prepare("select is_staff, must_choose_password from account where name = 'Cem'").get(),
    );
    expect({ ...cem }).toEqual({ is_staff: 1, must_choose_password: 0 });
    // Other errors are shown in the form.
    await page.getByLabel('Name', { exact: true }).fill('CEM');
    await button('Add').click();
    await field.fill('demo');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('The user name CEM is already taken.').waitFor();
    expect(await dialog.count()).toBe(0);
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('CEM');
    // The confirmation also applies to menu actions and tokens.
    await change('Cem', 'Disable');
    await field.fill('demo');
    await page.keyboard.press('Enter');
    await page.getByText('Cem disabled and logged out everywhere.').waitFor();
    await page.goto(`${b.address}/settings/user/tokens/`);
    await page.getByLabel('App name').fill('Roku');
    await button('Create token').click();
    await field.fill('demo');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Token for Roku' }).waitFor();
    expect(b.errors).toEqual([]);
  });

  test('a new password ends API tokens, unless the switch is off', async () => {
    const { page } = b;
    const visitor = await logInToProgram(b.address);
    const { token } = (await visitor.call('GET', '/api/appsettings/token/')).json as { token: string };
    const ping = async () => (await fetch(`${b.address}/api/ping/`, { headers: { authorization: `Token ${token}` } })).status;
    const changePassword = async (current: string, next: string, endsAccess: boolean) => {
      await page.goto(`${b.address}/settings/user/password/`);
      const ends = page.getByRole('switch', { name: 'Also end all tokens, feeds and share links' });
      expect(await ends.isChecked()).toBe(true);
      if (!endsAccess) await ends.uncheck();
      await page.getByLabel('Current password').fill(current);
      await page.getByLabel('New password').fill(next);
      await button('Change password').click();
      await page.getByText('Password changed.').waitFor();
    };
    await changePassword('demo', 'words of a demo', false);
    expect(await ping()).toBe(200);
    await changePassword('words of a demo', 'other words of it', true);
    expect(await ping()).toBe(403);
  });
});
