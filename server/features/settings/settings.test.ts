import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { settings as table } from '#contract/settings.ts';
import { readPoTokenSettings } from '../../archive/settings/po-tokens.ts';
import { writeSecret } from '../../archive/settings/secret.ts';
import { createChannel, createUser, testApp, type TestApp } from '../../test-support/app.ts';

type Section = keyof typeof table;

describe('settings', () => {
  let t: TestApp;
  let staff: Awaited<ReturnType<typeof createUser>>;
  beforeAll(async () => {
    t = await testApp();
    staff = await createUser(t, { isStaff: true });
  });
  afterAll(() => t.close());
  /** Saves a setting; returns the stored value or the error messages. */
  const saveSetting = async (section: Section, key: string, value: unknown) => {
    const response = await staff.call('POST', '/api/appsettings/config/', { [section]: { [key]: value } });
    return response.json()[section][key];
  };
  const invalidValue = ['Not understood.'];

  test.each(['channel_size', 'live_channel_size', 'shorts_channel_size', 'playlist_size'])(
    '%s may be empty, which means all',
    async (key) => {
      expect(await saveSetting('subscriptions', key, null)).toBeNull();
      expect(await saveSetting('subscriptions', key, 0)).toBe(0);
      expect(await saveSetting('subscriptions', key, -1)).toEqual(['Ensure this value is greater than or equal to 0.']);
    },
  );

  const formats = [
    `bv*[vcodec~='^((he|a)vc|h26[45])']+ba/b`,
    `best[format_id!~="foo"]`,
    `b[format_note*='50 % & @ \\d{2} {x}']`,
    '-1/(mp4,webm)[height<=?1080]',
    'b[format_note*=Größe🎬]',
  ];
  test.each(formats)('accepts the format %s like yt-dlp, globally and for a channel', async (format) => {
    expect(await saveSetting('downloads', 'format', ` ${format} `)).toBe(format);
    const channel = await createChannel(t.app.db);
    const response = await staff.call('POST', `/api/channel/${channel}/`, { channel_overwrites: { download_format: format } });
    expect(response.json().channel_overwrites.download_format).toBe(format);
  });

  test.each(['-', ' - ', 'b\nest', 'b\u007f', 'b\u001b[1m', 'b\u0085', 'b\ud800'])('rejects the format %j', async (format) => {
    expect(await saveSetting('downloads', 'format', format)).toEqual(invalidValue);
    const channel = await createChannel(t.app.db);
    const response = await staff.call('POST', `/api/channel/${channel}/`, { channel_overwrites: { download_format: format } });
    expect(response.json().channel_overwrites.download_format).toEqual(invalidValue);
  });

  test('accepts a format sort order that yt-dlp can parse', async () => {
    for (const order of ['res:1080,vcodec:h264', '+size, br~1.5M ,ext:mp4:m4a', 'id:a|b{2}', 'res,,fps'])
      expect(await saveSetting('downloads', 'format_sort', order)).toBe(order);
    for (const order of ['-res', 'res;fps', '--exec=id', 'res\n', 'res:1\u0007'].map((one) => `${one},fps`))
      expect(await saveSetting('downloads', 'format_sort', order), order).toEqual(invalidValue);
  });

  test('rejects a start date that does not exist', async () => {
    expect(await saveSetting('rules', 'published_after', ' 2024-02-29 ')).toBe('2024-02-29');
    for (const day of ['2024-02-31', '2023-02-29', '2024-13-01', '24-01-01', 'yesterday'])
      expect(await saveSetting('rules', 'published_after', day), day).toEqual(invalidValue);
    expect(await saveSetting('rules', 'published_after', '')).toBeNull();
  });

  test('accepts expressions as subtitle languages, and several title languages', async () => {
    for (const languages of ['en\\d{2}', 'all,-live_chat', `^(?!zh)[a-z]+$, e'n"%@&`])
      expect(await saveSetting('downloads', 'subtitle', languages)).toBe(languages);
    expect(await saveSetting('downloads', 'subtitle', 'en\nde')).toEqual(invalidValue);
    for (const languages of ['en, de', 'pt-BR ,en'])
      expect(await saveSetting('downloads', 'extractor_lang', languages)).toBe(languages);
    for (const languages of ['en de', 'en;player_client=x', 'en,'])
      expect(await saveSetting('downloads', 'extractor_lang', languages), languages).toEqual(invalidValue);
  });

  test('accepts names of YouTube clients only', async () => {
    for (const clients of ['mweb', 'default,-web', ' tv_samsung , web_safari'])
      expect(await saveSetting('downloads', 'player_client', clients)).toBe(clients.trim());
    for (const clients of ['web;po_token=x', 'web,,tv', 'Web', '--exec', 'web tv', 'web\\,tv'])
      expect(await saveSetting('downloads', 'player_client', clients), clients).toEqual(invalidValue);
    expect(await saveSetting('downloads', 'player_client', '')).toBeNull();
  });

  test('0 days until deletion means never', async () => {
    expect(await saveSetting('downloads', 'autodelete_days', 3)).toBe(3);
    expect(await saveSetting('downloads', 'autodelete_days', '0')).toBeNull();
    expect(await saveSetting('downloads', 'autodelete_days', 0)).toBeNull();
    expect(await saveSetting('downloads', 'autodelete_days', -1)).toEqual(['Ensure this value is greater than or equal to 0.']);
  });
});

describe('the PO token provider', () => {
  let t: TestApp;
  let staff: Awaited<ReturnType<typeof createUser>>;
  beforeEach(async () => {
    t = await testApp();
    staff = await createUser(t, { isStaff: true });
  });
  afterEach(() => t.close());
  const path = '/api/appsettings/config/';
  const saveUrl = (url: string | null) => staff.call('POST', path, { downloads: { pot_provider_url: url } });
  const readUrlAs = async (user: typeof staff) =>
    (await user.call('GET', path)).json().downloads.pot_provider_url as string | null;
  const readUrl = async () => (await readPoTokenSettings(t.app)).pot_provider_url;
  const rows = async () =>
    JSON.stringify([
      await t.app.db.selectFrom('setting').selectAll().execute(),
      await t.app.db.selectFrom('secret').selectAll().execute(),
    ]);
  const secretUrl = 'http://potuser:POTSECRET@pot.example:4416';
  const maskedUrl = 'http://***@pot.example:4416';

  test('is shown to staff without its password, hidden from ordinary users, and stored encrypted', async () => {
    expect((await saveUrl(secretUrl)).json().downloads.pot_provider_url).toBe(maskedUrl);
    expect([await readUrlAs(staff), await readUrlAs(await createUser(t))]).toEqual([maskedUrl, null]);
    expect(await rows()).not.toMatch(/POTSECRET|pot\.example/);
    expect(await readUrl()).toBe(secretUrl);
  });

  test('is kept when saved as shown, and removed by an empty value', async () => {
    await saveUrl(secretUrl);
    await saveUrl(maskedUrl);
    await staff.call('POST', path, { downloads: { limit_speed: 100 } });
    expect(await readUrl()).toBe(secretUrl);
    const other = await saveUrl('http://***@elsewhere.example:4416');
    expect([other.statusCode, other.json()['downloads.pot_provider_url']]).toEqual([
      400,
      [expect.stringMatching(/its password/)],
    ]);
    await saveUrl(null);
    expect([await readUrl(), await readUrlAs(staff)]).toEqual([null, null]);
  });

  test('of an earlier version or backup is encrypted at first use', async () => {
    const value = JSON.stringify(secretUrl);
    await t.app.db.insertInto('setting').values({ name: 'downloads.pot_provider_url', value }).execute();
    expect(await readUrlAs(staff)).toBe(maskedUrl);
    expect(await rows()).not.toContain('POTSECRET');
    expect(await readUrl()).toBe(secretUrl);
  });

  const readChoice = async () => (await staff.call('GET', path)).json().downloads.po_tokens as string;

  test('of an earlier version stays in use, also one that is stored encrypted', async () => {
    expect(await readChoice()).toBe('auto');
    await writeSecret(t.app, 'pot-provider', secretUrl, {});
    expect(await readChoice()).toBe('provider');
    await staff.call('POST', path, { downloads: { po_tokens: 'never' } });
    expect([await readChoice(), await readUrl()]).toEqual(['never', secretUrl]);
    await staff.call('POST', path, { downloads: { po_tokens: 'auto' } });
    expect(await readChoice()).toBe('auto');
    expect((await staff.call('POST', path, { downloads: { po_tokens: 'sometimes' } })).statusCode).toBe(400);
  });

  test('of a restored TubeArchivist backup stays in use', async () => {
    const value = JSON.stringify(secretUrl);
    await t.app.db.insertInto('setting').values({ name: 'downloads.pot_provider_url', value }).execute();
    expect(await readChoice()).toBe('provider');
  });

  test('has a proxy that is stored encrypted and shown without its password', async () => {
    const saveProxy = (url: string | null) => staff.call('POST', path, { downloads: { pot_provider_proxy: url } });
    const shown = async (user = staff) => (await user.call('GET', path)).json().downloads.pot_provider_proxy as string | null;
    await saveProxy('http://out:PROXYSECRET@proxy.example:3128');
    expect([await shown(), await shown(await createUser(t))]).toEqual(['http://***@proxy.example:3128', null]);
    expect(await rows()).not.toMatch(/PROXYSECRET/);
    await saveProxy('http://***@proxy.example:3128');
    expect((await readPoTokenSettings(t.app)).pot_provider_proxy).toBe('http://out:PROXYSECRET@proxy.example:3128');
    expect((await saveProxy('ftp://proxy.example')).statusCode).toBe(400);
    await saveProxy('');
    expect(await shown()).toBeNull();
  });
});
