import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { engines } from '../../../test-support/app.ts';
import { migrate } from './migrate.ts';

describe.each(engines)('0015-meaning-models on $engine', ({ open }) => {
  test('keeps tracks and what refers to them, never uses a number again, and allows one track for each model', async () => {
    const { db, close } = await open();
    try {
      await migrate(db, '0014-sounds');
      const channel = { id: 'c', site: 'youtube', siteId: 'c', name: 'C', sortName: 'c', addedAt: 1, refreshedAt: 1 };
      await db.insertInto('channel').values(channel).execute();
      const video = (id: string) =>
        sql`insert into video (id, site, site_id, channel_id, title, sort_title, description, kind, published_at, downloaded_at,
        refreshed_at, duration_seconds, size_bytes, sha256, media_path)
        values (${id}, 'youtube', ${id}, 'c', 't', 't', '', 'videos', 0, 0, 0, 1, 1, '', ${id})`.execute(db);
      await video('v');
      const track = { videoId: 'v', lang: 'en', model: 'use-m3', source: 1, passages: 1 } as const;
      await db.insertInto('passageTrack').values(track).execute();
      const { number } = await db.selectFrom('passageTrack').select('number').executeTakeFirstOrThrow();
      await db
        .insertInto('trackVector')
        .values({ number, state: 2, vector: new Uint8Array(512) })
        .execute();
      await db.insertInto('relatedTrack').values({ number, position: 0, related: number }).execute();
      await db.insertInto('generatedChapters').values({ videoId: 'v', track: number, chapters: '[]' }).execute();
      // The number of a newer track that was deleted is not used again.
      await video('w');
      const newest = await db
        .insertInto('passageTrack')
        .values({ ...track, videoId: 'w' })
        .returning('number')
        .executeTakeFirstOrThrow();
      await db.deleteFrom('passageTrack').where('number', '=', newest.number).execute();

      await migrate(db);
      expect(await db.selectFrom('passageTrack').selectAll().execute()).toEqual([{ number, ...track }]);
      expect(await db.selectFrom('trackVector').select(['number', 'state']).execute()).toEqual([{ number, state: 2 }]);
      expect(await db.selectFrom('relatedTrack').selectAll().execute()).toEqual([{ number, position: 0, related: number }]);
      expect(await db.selectFrom('generatedChapters').selectAll().execute()).toEqual([
        { videoId: 'v', track: number, chapters: '[]' },
      ]);
      const other = await db
        .insertInto('passageTrack')
        .values({ ...track, model: 'e5' })
        .returning('number')
        .executeTakeFirstOrThrow();
      expect(other.number).toBeGreaterThan(newest.number);
      await expect(db.insertInto('passageTrack').values(track).execute()).rejects.toThrow(/unique/i);
      await db.deleteFrom('passageTrack').where('number', '=', number).execute();
      expect(await db.selectFrom('relatedTrack').selectAll().execute()).toEqual([]);
      expect(await db.selectFrom('generatedChapters').selectAll().execute()).toEqual([]);
    } finally {
      await close();
    }
  });
});
