import { message } from '#contract/messages.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pairs } from '../../../../e2e/support/backups.ts';
import { channel, one } from '../../../../e2e/support/original-backup.ts';
import { engines } from '../../../test-support/app.ts';
import { createAppForImport, type AppForImport } from '../../../test-support/tubearchivist.ts';

describe.each(engines)('settings of TubeArchivist, on $engine', (engine) => {
  let t: AppForImport['t'];
  let ann: AppForImport['ann'];
  let backup: AppForImport['backup'];
  beforeEach(async () => void ({ t, ann, backup } = await createAppForImport(engine)));
  afterEach(() => t.close());

  const read = async (path: string) => (await ann.call('GET', path)).json();
  const settings = (appsettings: object, user: object = {}) => ({
    'es_config-20260105-0.json': pairs('config', { appsettings, user_1: { config: user } }),
  });
  /** Imports after a dry run, and checks that both report the same problems. */
  async function importFiles(files: Record<string, string>) {
    await backup.write(files);
    const dryRun = await backup.restore({ dry_run: true });
    const task = await backup.restore();
    expect(task.status, task.result ?? '').toBe('success');
    const problemsOf = (result: string | null) => /\d+ problems/.exec(result ?? '')?.[0];
    expect(problemsOf(dryRun.result)).toBe(problemsOf(task.result));
    return task;
  }

  test('imports no setting that would be a default', async () => {
    const task = await importFiles(
      settings({ downloads: { sleep_interval: null, comment_sort: null, limit_speed: null, format: '', subtitle: false } }),
    );
    expect(task.result).not.toContain('problem');
    expect((await read('/api/appsettings/config/')).downloads).toMatchObject({
      sleep_interval: null,
      comment_sort: null,
      limit_speed: null,
      format: null,
      subtitle: null,
    });
  });

  test('reports each unsupported setting, and imports the others', async () => {
    const { messages, result } = await importFiles({
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
    for (const [what, value] of [
      ['downloads.sleep_interval', 'false'],
      ['downloads.limit_speed', '-3'],
      ['application.enable_snapshot', 'null'],
      ['user_1.page_size', '100000'],
      ['user_1.sort_by', '"beauty"'],
      [`${one}.autodelete_days`, '-1'],
      [`${one}.subscriptions_channel_size`, '"many"'],
    ] as const)
      expect(JSON.parse(messages).messages).toContainEqual(
        message('run.skipped', { what, why: [message('restore.invalid-setting', { value })] }),
      );
    expect(result).toContain(' 7 problems.');
    const { downloads, application } = await read('/api/appsettings/config/');
    expect([downloads.sleep_interval, downloads.format, application.enable_snapshot]).toEqual([10, 'best', true]);
    expect(await read('/api/user/me/')).toMatchObject({ page_size: 12, sort_by: 'published', grid_items: 5 });
    const overwrites = Object.entries((await read(`/api/channel/${one}/`)).channel_overwrites);
    expect(overwrites.filter(([, value]) => value !== null)).toEqual([['download_format', 'best']]);
  });

  test('ignores a placeholder description', async () => {
    const playlist = (id: string, description: unknown) => ({
      playlist_id: id,
      playlist_name: id,
      playlist_description: description,
    });
    await importFiles({
      'es_playlist-20260105-0.json': pairs('playlist', {
        TA_playlist_a: { ...playlist('TA_playlist_a', 'False'), playlist_type: 'custom' },
        TA_playlist_b: { ...playlist('TA_playlist_b', 'False friends'), playlist_type: 'custom' },
        PLregular: playlist('PLregular', 'False'),
      }),
    });
    const descriptionOf = async (id: string) => (await read(`/api/playlist/${id}/`)).playlist_description;
    expect(await Promise.all(['TA_playlist_a', 'TA_playlist_b', 'PLregular'].map(descriptionOf))).toEqual([
      null,
      'False friends',
      null,
    ]);
  });
});
