import { afterEach, expect, test, vi } from 'vitest';
import type { View } from '#contract/view.ts';
import { createUser, testApp, testTimeouts } from '../../test-support/app.ts';
import { canRunKodi, createRealVideos, startKodi } from '../../test-support/kodi-program.ts';

let close: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const one of close.toReversed()) await one();
  close = [];
});

interface Episode {
  title: string;
  firstaired: string;
  plot: string;
  season: number;
  episode: number;
  showtitle: string;
  playcount: number;
  lastplayed: string;
  uniqueid: Record<string, string>;
  art: Record<string, string>;
  resume: { position: number };
}

test.skipIf(!canRunKodi)('Kodi lists every episode of a view with title, date, plot, picture and watched state', async () => {
  const t = await testApp();
  close.push(() => t.close());
  const staff = await createUser(t, { isStaff: true });
  await t.runner.begin();
  const videos = await createRealVideos(t);
  await staff.call('POST', '/api/watched/', { id: 'aaaaaaaaaaa', is_watched: true });
  await staff.call('POST', '/api/video/ccccccccccc/progress/', { position: 25 });
  const body = { name: 'Kodi', root: 'kodi', preset: 'kodi', person: staff.id };
  const view = (await staff.call('POST', '/api/view/', body)).json() as View;
  await staff.call('POST', `/api/view/${view.id}/build/`);
  await vi.waitFor(
    async () => expect((await staff.call('GET', '/api/view/')).json().data).toMatchObject([{ state: 'ready', videos: 3 }]),
    testTimeouts,
  );

  const { rpc } = await startKodi(close, view.root);
  await rpc('VideoLibrary.Scan', { directory: `${view.root}/`, showdialogs: false });
  const properties = [
    'title',
    'firstaired',
    'plot',
    'season',
    'episode',
    'showtitle',
    'playcount',
    'lastplayed',
    'uniqueid',
    'art',
    'resume',
  ];
  const episodes = await vi.waitFor(async () => {
    const found = (await rpc<{ episodes?: Episode[] }>('VideoLibrary.GetEpisodes', { properties })).episodes ?? [];
    expect(found).toHaveLength(videos.length);
    return found;
  }, testTimeouts);
  for (const { id, title, channelId } of videos) {
    const episode = episodes.find(({ uniqueid }) => uniqueid['youtube'] === id);
    expect(episode).toMatchObject({
      title,
      firstaired: '2024-02-29',
      plot: `Plot of ${title}\nLine 2`,
      season: 2024,
      showtitle: channelId === 'UCtea' ? 'Tea & more' : 'Subs',
      playcount: id === 'aaaaaaaaaaa' ? 1 : 0,
      resume: { position: id === 'ccccccccccc' ? 25 : 0 },
    });
    expect(episode!.lastplayed === '').toBe(id === '-_bbbbbbbbb');
    expect(decodeURIComponent(episode!.art['thumb']!)).toContain(`[${id}]-thumb.jpg`);
  }
  expect(episodes.map(({ episode }) => episode).toSorted()).toEqual([22901, 22901, 22902]);
  type Show = { label: string; plot: string; genre: string[]; premiered: string; art: Record<string, string> };
  const shows = await rpc<{ tvshows: Show[] }>('VideoLibrary.GetTVShows', {
    properties: ['plot', 'genre', 'premiered', 'art'],
  });
  const tea = shows.tvshows.find(({ label }) => label === 'Tea & more')!;
  expect(tea).toMatchObject({ plot: 'About <tea>.', genre: ['Food/drink'], premiered: '2024-02-29' });
  expect(decodeURIComponent(tea.art['poster']!)).toContain('/Tea & more/poster.jpg');
});
