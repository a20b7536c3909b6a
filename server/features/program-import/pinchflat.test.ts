import { createHash } from 'node:crypto';
import { chmod, open, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { importFolder } from '../../platform/config/data-folder.ts';
import { createVideo, type TestApp } from '../../test-support/app.ts';
import {
  archiveForImports,
  channelOf,
  contentsOf,
  countsOf,
  importFromProgram,
  problemsOf,
  undo,
  videoIdOf,
  type Staff,
} from '../../test-support/program-import.ts';
import { writePinchflat } from '../../test-support/pinchflat.ts';

describe('Pinchflat', () => {
  let t: TestApp;
  let staff: Staff;
  let root: string;
  beforeEach(async () => {
    ({ t, staff } = await archiveForImports());
    root = importFolder(t.app.config);
  });
  afterEach(() => t.close());
  const at = (name = 'config/db/pinchflat.db') => join(root, name);

  test('sources become subscriptions with rules and formats, unwanted items the ignore list', async () => {
    const { db } = t.app;
    await createVideo(db, { id: videoIdOf(1) });
    writePinchflat(at(), {
      profiles: [
        { preferred_resolution: '720p', sponsorblock_behaviour: 'mark', shorts_behaviour: 'exclude' },
        { preferred_resolution: 'audio', livestream_behaviour: 'only' },
      ],
      sources: [
        {
          collection_id: channelOf(1),
          custom_name: 'Züge 🚂 / Trains',
          download_cutoff_date: '2023-04-05',
          min_duration_seconds: 60,
          max_duration_seconds: 3600,
          title_filter_regex: '^(?i)ep\\d+',
          retention_period_days: 30,
          download_media: 0,
        },
        {
          collection_id: 'PLabcdefghijklmnopqrstuvwxyz012345',
          collection_type: 'playlist',
          media_profile_id: 2,
          custom_name: 'List',
        },
        {
          collection_id: channelOf(2),
          media_profile_id: 2,
          title_filter_regex: '(unclosed',
          min_duration_seconds: 9,
          max_duration_seconds: 3,
        },
        { collection_id: channelOf(3), marked_for_deletion_at: '2024-01-01T00:00:00' },
        { collection_id: '@handle', original_url: 'ftp://nowhere', custom_name: 'Odd' },
      ],
      items: [
        { media_id: videoIdOf(1), prevent_download: 1 },
        { media_id: videoIdOf(2), prevent_download: 1, title: 'No', uploaded_at: '2024-02-03T04:05:06' },
        { media_id: videoIdOf(2), source_id: 2, title: 'No' },
        { media_id: videoIdOf(3), culled_at: '2024-01-01T00:00:00' },
        { media_id: '-bcDEF_hi-1', title: 'Waiting', duration_seconds: 77 },
        { media_id: 'not an id', title: 'Strange' },
      ],
    });
    const before = await contentsOf(t);
    const dry = await importFromProgram(t, staff, { from: 'pinchflat', path: 'config', dry_run: true });
    expect(await contentsOf(t)).toEqual(before);
    const report = await importFromProgram(t, staff, {
      from: 'pinchflat',
      path: 'config',
      take: ['subscriptions', 'rules', 'queue', 'ignored'],
    });
    const counts = { subscriptions: [3, 3, 0, 0], rules: [3, 3, 0, 0], queue: [1, 1, 0, 0], ignored: [3, 2, 1, 0] };
    expect(countsOf(report)).toEqual(counts);
    expect(countsOf(dry)).toEqual({ ...counts, videos: [0, 0, 0, 0] });
    expect(problemsOf(report)).toEqual(['Odd: The entry has no valid ID.', 'Strange: The entry has no valid ID.']);
    const notes = report.lines.filter(({ kind }) => kind === 'note').map(({ why }) => why);
    expect(notes).toHaveLength(3);
    expect(notes.join('\n')).toMatch(/30 days after the download[\s\S]*unclosed[\s\S]*shortest length/);
    const channel = (await staff.call('GET', `/api/channel/${channelOf(1)}/`)).json();
    expect(channel).toMatchObject({
      channel_name: 'Züge 🚂 / Trains',
      channel_subscribed: true,
      channel_overwrites: {
        integrate_sponsorblock: true,
        subscriptions_shorts_channel_size: 0,
        subscriptions_auto_start: false,
      },
    });
    expect(channel.channel_overwrites.download_format).toMatch(/height<=720/);
    expect((await staff.call('GET', `/api/channel/${channelOf(1)}/rules/`)).json().own).toEqual({
      published_after: '2023-04-05',
      min_seconds: 60,
      max_seconds: 3600,
      title_include: '/^(?i)ep\\d+/c',
      keep_days: 30,
    });
    expect(await db.selectFrom('playlist').select(['name', 'isSubscribed', 'autoStart']).execute()).toEqual([
      { name: 'List', isSubscribed: 1, autoStart: 1 },
    ]);
    expect(await db.selectFrom('download').select(['id', 'status', 'title', 'autoStart']).orderBy('id').execute()).toEqual([
      { id: '-bcDEF_hi-1', status: 'pending', title: 'Waiting', autoStart: 0 },
      { id: videoIdOf(2), status: 'ignore', title: 'No', autoStart: 0 },
      { id: videoIdOf(3), status: 'ignore', title: 'Item', autoStart: 0 },
    ]);
    await undo(t, staff, report.id);
    expect(await contentsOf(t)).toEqual(before);
  });

  test('the database is read on a copy, also while it is locked, read-only, or has a write-ahead log', async () => {
    writePinchflat(at(), { sources: [{ collection_id: channelOf(1) }] });
    await chmod(at(), 0o444);
    const sums = async () =>
      Promise.all(
        (await readdir(join(root, 'config/db'))).map(
          async (name) =>
            `${name} ${createHash('sha256')
              .update(await readFile(join(root, 'config/db', name)))
              .digest('hex')}`,
        ),
      );
    const before = await sums();
    const folders = async () => (await readdir(tmpdir())).filter((name) => name.startsWith(`reelkeep-${process.pid}-`));
    const left = await folders();
    expect(countsOf(await importFromProgram(t, staff, { from: 'pinchflat', path: 'config/db/pinchflat.db' }))).toMatchObject({
      subscriptions: [1, 1, 0, 0],
    });
    expect(await sums()).toEqual(before);
    expect(await folders()).toEqual(left);

    const locked = at('locked/pinchflat.db');
    writePinchflat(locked, { sources: [{ collection_id: channelOf(2) }] });
    const other = new DatabaseSync(locked);
    other.exec('pragma locking_mode = exclusive; begin exclusive');
    try {
      expect(countsOf(await importFromProgram(t, staff, { from: 'pinchflat', path: 'locked' }))).toMatchObject({
        subscriptions: [1, 1, 0, 0],
      });
    } finally {
      other.close();
    }
  });

  test('a damaged, foreign, newer or older database ends with a clear message, and nothing changes', async () => {
    const items = Array.from({ length: 3000 }, (_, n) => ({ media_id: videoIdOf(n), prevent_download: 1 }));
    for (const name of ['damaged', 'cut'])
      writePinchflat(at(`${name}/pinchflat.db`), {
        sources: [{ collection_id: channelOf(1) }],
        items,
        more: 'pragma wal_checkpoint(truncate)',
      });
    const handle = await open(at('damaged/pinchflat.db'), 'r+');
    for (let page = 3; page < 60; page++) await handle.write(Buffer.alloc(4000, 0xa5), 0, 4000, page * 4096);
    await handle.close();
    await truncate(at('cut/pinchflat.db'), 30_000);
    await writeFile(at('text.db'), 'no database');
    writePinchflat(at('older/pinchflat.db'), { more: 'alter table media_items rename column media_id to video_id' });
    writePinchflat(at('other/pinchflat.db'), { more: 'drop table media_items' });
    writePinchflat(at('view/pinchflat.db'), {
      more: "drop table sources; create view sources as select 1 id, 'x' collection_id, 'channel' collection_type",
    });
    const before = await contentsOf(t);
    const errorOf = async (path: string) => (await importFromProgram(t, staff, { from: 'pinchflat', path })).error;
    expect(await errorOf('damaged')).toMatch(/is damaged/);
    expect(await errorOf('cut')).toMatch(/is damaged/);
    expect(await errorOf('text.db')).toMatch(/not a database/);
    expect(await errorOf('older')).toMatch(/column media_id of media_items is missing/);
    expect(await errorOf('other')).toMatch(/table media_items is missing/);
    expect(await errorOf('view')).toMatch(/table sources is missing/);
    expect(await contentsOf(t)).toEqual(before);
    expect((await importFromProgram(t, staff, { from: 'pinchflat', path: '.' })).error).not.toBeNull();

    const more = 'alter table sources add column future text; alter table media_items drop column last_error';
    writePinchflat(at('newer/pinchflat.db'), {
      sources: [{ collection_id: channelOf(1) }],
      items: [{ media_id: videoIdOf(1), prevent_download: 1 }],
      more,
    });
    expect(countsOf(await importFromProgram(t, staff, { from: 'pinchflat', path: 'newer' }))).toMatchObject({
      subscriptions: [1, 1, 0, 0],
      ignored: [1, 1, 0, 0],
    });
  });
});
