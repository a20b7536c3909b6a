import { readdir, readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { findPlaylist } from '../../../archive/playlist/store.ts';
import { listItems } from '../../../archive/queue/items.ts';
import { readSettings } from '../../../archive/settings/store.ts';
import { queueOutdatedFormats, refreshPending } from '../../../archive/video-json/refresh-response-cache.ts';
import { loadVideo } from '../../../archive/video-json/load-videos.ts';
import { findStaleVideos } from '../../../archive/video-json/verify-response-cache.ts';
import { findWrongCounts } from '../../../features/library/consistency/counts.ts';
import { findEntries } from '../../../features/trash/store.ts';
import { findByName, listNames } from '../../../features/user/account/store.ts';
import { indexPending } from '../../../features/search/index/index-pending.ts';
import { findWrongFacets } from '../../../test-support/facets.ts';
import { openSqliteInMemory } from '../sqlite/sqlite.ts';
import { migrate, newestStep, progressOf, steps } from './migrate.ts';

const folder = new URL('./fixtures/', import.meta.url);
const recorded = (await readdir(folder)).filter((name) => name.endsWith('.sqlite.gz')).sort();

const openRecorded = async (name: string) => openSqliteInMemory(gunzipSync(await readFile(new URL(name, folder))));

test('every migration has a recorded database', () => {
  expect(recorded).toEqual(Object.keys(steps).map((name) => `${name.slice(0, 4)}.sqlite.gz`));
});

describe.each(recorded)('the recorded database %s', (name) => {
  test('has rows in every table that is not an index of the search', async () => {
    const db = await openRecorded(name);
    try {
      const empty: string[] = [];
      for (const { name: table } of await db.introspection.getTables()) {
        if (/^(search_name|search_transcript|download_trigram)/.test(table)) continue;
        const { rows } = await sql`select 1 from ${sql.id(table)} limit 1`.execute(db);
        if (rows.length === 0) empty.push(table);
      }
      expect(empty).toEqual([]);
    } finally {
      await db.destroy();
    }
  });

  test('is migrated and read by this version', async () => {
    const db = await openRecorded(name);
    try {
      await migrate(db);
      expect(await progressOf(db)).toMatchObject({ pending: [], refusal: undefined });
      expect((await sql`pragma foreign_key_check`.execute(db)).rows).toEqual([]);
      expect(await Array.fromAsync(findWrongCounts(db))).toEqual([]);
      expect(await findWrongFacets(db)).toEqual([]);

      const ann = await findByName(db, 'ann');
      expect(ann).toMatchObject({ name: 'Ann', isStaff: 1 });
      expect(await listNames(db)).toEqual(['Ann', 'Bob']);
      expect((await loadVideo(db, ann!.id, 'aaaaaaaaaaa'))?.parse()).toMatchObject({
        youtube_id: 'aaaaaaaaaaa',
        vid_type: 'videos',
      });
      expect(await listItems(db, {}, { size: 9, from: 0 })).toHaveLength(1);
      expect(await findPlaylist(db, { id: ann!.id, isStaff: false }, 'TA_playlist_1')).toMatchObject({ kind: 'custom' });
      expect((await readSettings(db)).downloads.limit_speed).toBe(500);
      expect(await findEntries(db, { size: 9, from: 0 })).toHaveLength(1);

      await queueOutdatedFormats({ db });
      await refreshPending(db);
      expect(await Array.fromAsync(findStaleVideos(db))).toEqual([]);
      expect(await indexPending(db)).toBe(true);
    } finally {
      await db.destroy();
    }
  });
});

test('the newest recorded database is the one of the newest migration', async () => {
  const db = await openRecorded(recorded.at(-1)!);
  try {
    expect(await migrate(db)).toEqual([]);
    expect((await progressOf(db)).pending).toEqual([]);
    expect(newestStep().slice(0, 4)).toBe(recorded.at(-1)!.slice(0, 4));
  } finally {
    await db.destroy();
  }
});
