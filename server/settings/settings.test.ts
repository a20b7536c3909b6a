import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { settings as table } from '#contract/settings.ts';
import { aChannel, aUser, testArchive, type TestArchive } from '../testing.ts';

type Section = keyof typeof table;

describe('settings', () => {
  let t: TestArchive;
  let staff: Awaited<ReturnType<typeof aUser>>;
  beforeAll(async () => {
    t = await testArchive();
    staff = await aUser(t, { isStaff: true });
  });
  afterAll(() => t.close());
  /** What is kept of it, or the sentence why nothing is. */
  const say = async (section: Section, key: string, value: unknown) => {
    const answer = await staff.call('POST', '/api/appsettings/config/', { [section]: { [key]: value } });
    return answer.statusCode === 200 ? answer.json()[section][key] : answer.json()[`${section}.${key}`];
  };
  const notUnderstood = ['Not understood.'];

  test.each(['channel_size', 'live_channel_size', 'shorts_channel_size', 'playlist_size'])(
    '%s may be nothing, which is all',
    async (key) => {
      expect(await say('subscriptions', key, null)).toBeNull();
      expect(await say('subscriptions', key, 0)).toBe(0);
      expect(await say('subscriptions', key, -1)).toEqual(['Ensure this value is greater than or equal to 0.']);
    },
  );

  const formats = [
    `bv*[vcodec~='^((he|a)vc|h26[45])']+ba/b`,
    `best[format_id!~="foo"]`,
    `b[format_note*='50 % & @ \\d{2} {x}']`,
    '-1/(mp4,webm)[height<=?1080]',
    'b[format_note*=Größe🎬]',
  ];
  test.each(formats)('the format %s is as yt-dlp has it, for all and for one channel', async (format) => {
    expect(await say('downloads', 'format', ` ${format} `)).toBe(format);
    const channel = await aChannel(t.archive.db);
    const answer = await staff.call('POST', `/api/channel/${channel}/`, { channel_overwrites: { download_format: format } });
    expect(answer.json().channel_overwrites.download_format).toBe(format);
  });

  test.each(['-', ' - ', 'b\nest', 'b\u007f', 'b\u001b[1m', 'b\u0085', 'b\ud800'])('the format %j is refused', async (format) => {
    expect(await say('downloads', 'format', format)).toEqual(notUnderstood);
    const channel = await aChannel(t.archive.db);
    const answer = await staff.call('POST', `/api/channel/${channel}/`, { channel_overwrites: { download_format: format } });
    expect(answer.json()['channel_overwrites.download_format']).toEqual(notUnderstood);
  });

  test('the order of formats is what yt-dlp can read', async () => {
    for (const order of ['res:1080,vcodec:h264', '+size, br~1.5M ,ext:mp4:m4a', 'id:a|b{2}', 'res,,fps'])
      expect(await say('downloads', 'format_sort', order)).toBe(order);
    for (const order of ['-res', 'res;fps', '--exec=id', 'res\n', 'res:1\u0007'].map((one) => `${one},fps`))
      expect(await say('downloads', 'format_sort', order), order).toEqual(notUnderstood);
  });

  test('the day before which nothing is wanted is one of the calendar', async () => {
    expect(await say('rules', 'published_after', ' 2024-02-29 ')).toBe('2024-02-29');
    for (const day of ['2024-02-31', '2023-02-29', '2024-13-01', '24-01-01', 'yesterday'])
      expect(await say('rules', 'published_after', day), day).toEqual(notUnderstood);
    expect(await say('rules', 'published_after', '')).toBeNull();
  });

  test('languages of subtitles may be expressions, and titles may come in several languages', async () => {
    for (const languages of ['en\\d{2}', 'all,-live_chat', `^(?!zh)[a-z]+$, e'n"%@&`])
      expect(await say('downloads', 'subtitle', languages)).toBe(languages);
    expect(await say('downloads', 'subtitle', 'en\nde')).toEqual(notUnderstood);
    for (const languages of ['en, de', 'pt-BR ,en']) expect(await say('downloads', 'extractor_lang', languages)).toBe(languages);
    for (const languages of ['en de', 'en;player_client=x', 'en,'])
      expect(await say('downloads', 'extractor_lang', languages), languages).toEqual(notUnderstood);
  });

  test('deleting after 0 days is deleting never', async () => {
    expect(await say('downloads', 'autodelete_days', 3)).toBe(3);
    expect(await say('downloads', 'autodelete_days', '0')).toBeNull();
    expect(await say('downloads', 'autodelete_days', 0)).toBeNull();
    expect(await say('downloads', 'autodelete_days', -1)).toEqual(['Ensure this value is greater than or equal to 0.']);
  });
});
