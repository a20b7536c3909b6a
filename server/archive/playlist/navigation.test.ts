import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createUser, createVideo, engines, testApp, type TestApp } from '../../test-support/app.ts';

describe.each(engines)('playlist navigation of a video, on $engine', (on) => {
  let t: TestApp;
  let anna: Awaited<ReturnType<typeof createUser>>;
  beforeEach(async () => {
    t = await testApp({ on });
    anna = await createUser(t);
  });
  afterEach(() => t.close());

  async function createPlaylist(id: string, entries: string[], from = 0) {
    const { db } = t.app;
    await db.insertInto('playlist').values({ id, kind: 'regular', name: id, sortName: id, refreshedAt: 0 }).execute();
    await db
      .insertInto('playlistEntry')
      .values(entries.map((videoId, index) => ({ playlistId: id, position: from + index, videoId, title: `listed ${videoId}` })))
      .execute();
  }
  const nav = async (id: string) =>
    (await anna.call('GET', `/api/video/${id}/nav/`))
      .json()
      .map(
        ({ playlist_meta: meta, playlist_previous: before, playlist_next: after }: Record<string, Record<string, unknown>>) => [
          meta!.playlist_id,
          meta!.current_idx,
          before?.youtube_id ?? null,
          after?.youtube_id ?? null,
        ],
      );

  test('returns the nearest archived entries in each playlist with another archived video', async () => {
    const [a, b, c] = [await createVideo(t.app.db), await createVideo(t.app.db), await createVideo(t.app.db)];
    await createPlaylist('PL1', [a, 'missing0001', 'missing0002', b, c]);
    await createPlaylist('PL2', ['missing0001', b, 'missing0003']);
    await createPlaylist('PL3', [c, a, b, a, c], 10);
    expect(await nav(b)).toEqual([
      ['PL1', 3, a, c],
      ['PL3', 12, a, a],
    ]);
    expect(await nav(a)).toEqual([
      ['PL1', 0, null, b],
      ['PL3', 11, c, b],
    ]);
    expect((await anna.call('GET', `/api/video/${b}/nav/`)).json()[0].playlist_next).toEqual({
      youtube_id: c,
      title: expect.stringMatching(/^Video/),
      uploader: null,
      idx: 4,
      downloaded: true,
      vid_thumb: `/cache/videos/v/${c}.jpg`,
    });
  });

  test('returns no playlists for a video without one and 404 for an unknown video', async () => {
    expect(await nav(await createVideo(t.app.db))).toEqual([]);
    expect((await anna.call('GET', '/api/video/nothing0000/nav/')).statusCode).toBe(404);
  });
});
