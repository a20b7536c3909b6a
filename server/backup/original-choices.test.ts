import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pairs } from '../../e2e/backups.ts';
import { channel, one } from '../../e2e/original-backup.ts';
import { engines } from '../testing.ts';
import { archiveForOriginals, type ForOriginals } from '../testing-original.ts';

describe.each(engines)('what was chosen in the original program, on $engine', (engine) => {
  let t: ForOriginals['t'];
  let ann: ForOriginals['ann'];
  let original: ForOriginals['original'];
  beforeEach(async () => void ({ t, ann, original } = await archiveForOriginals(engine)));
  afterEach(() => t.close());

  const read = async (path: string) => (await ann.call('GET', path)).json();
  const settings = (appsettings: object, user: object = {}) => ({
    'es_config-20260105-0.json': pairs('config', { appsettings, user_1: { config: user } }),
  });
  /** Takes it in, after the same was only tried; both tell the same. */
  async function take(files: Record<string, string>) {
    await original.write(files);
    const tried = await original.restore({ dry_run: true });
    const said = await original.restore();
    expect(said.status, said.result ?? '').toBe('success');
    const problemsOf = (result: string | null) => /\d+ problems/.exec(result ?? '')?.[0];
    expect(problemsOf(tried.result)).toBe(problemsOf(said.result));
    return said;
  }

  test('nothing is a choice where something holds here until it is chosen', async () => {
    const said = await take(
      settings({ downloads: { sleep_interval: null, comment_sort: null, limit_speed: null, format: '', subtitle: false } }),
    );
    expect(said.result).not.toContain('problem');
    expect((await read('/api/appsettings/config/')).downloads).toMatchObject({
      sleep_interval: null,
      comment_sort: null,
      limit_speed: null,
      format: null,
      subtitle: null,
    });
  });

  test('what is not possible here is told, each by itself, and everything else comes', async () => {
    const { messages, result } = await take({
      ...settings(
        { downloads: { sleep_interval: false, limit_speed: -3, format: 'best' }, application: { enable_snapshot: null } },
        { page_size: 100_000, sort_by: 'beauty', grid_items: 5, sponsorblock_id: 'of another version' },
      ),
      'es_channel-20260105-0.json': pairs('channel', {
        [one]: channel(one, {
          channel_overwrites: {
            autodelete_days: -1,
            subscriptions_channel_size: 'many',
            download_format: 'best',
            index_playlists: null,
            subscriptions_shorts_channel_size: false,
          },
        }),
      }),
    });
    for (const [what, said] of [
      ['downloads.sleep_interval', 'false'],
      ['downloads.limit_speed', '-3'],
      ['application.enable_snapshot', 'null'],
      ['user_1.page_size', '100000'],
      ['user_1.sort_by', '"beauty"'],
      [`${one}.autodelete_days`, '-1'],
      [`${one}.subscriptions_channel_size`, '"many"'],
    ])
      expect(JSON.parse(messages)).toContain(`${what}: The setting ${said} is not possible here.`);
    expect(result).toContain(' 7 problems.');
    const { downloads, application } = await read('/api/appsettings/config/');
    expect([downloads.sleep_interval, downloads.format, application.enable_snapshot]).toEqual([10, 'best', true]);
    expect(await read('/api/user/me/')).toMatchObject({ page_size: 12, sort_by: 'published', grid_items: 5 });
    const overwrites = Object.entries((await read(`/api/channel/${one}/`)).channel_overwrites);
    expect(overwrites.filter(([, value]) => value !== null)).toEqual([['download_format', 'best']]);
  });

  test('a description that only says that there is none is none', async () => {
    const list = (id: string, description: unknown) => ({
      playlist_id: id,
      playlist_name: id,
      playlist_description: description,
    });
    await take({
      'es_playlist-20260105-0.json': pairs('playlist', {
        TA_playlist_a: { ...list('TA_playlist_a', 'False'), playlist_type: 'custom' },
        TA_playlist_b: { ...list('TA_playlist_b', 'False friends'), playlist_type: 'custom' },
        PLregular: list('PLregular', 'False'),
      }),
    });
    const described = async (id: string) => (await read(`/api/playlist/${id}/`)).playlist_description;
    expect(await Promise.all(['TA_playlist_a', 'TA_playlist_b', 'PLregular'].map(described))).toEqual([
      null,
      'False friends',
      null,
    ]);
  });
});
