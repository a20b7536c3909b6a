import { searchCalls } from '#contract/search.ts';
import { showChannels } from '../channel/show.ts';
import { Problem } from '../http/problem.ts';
import { routes } from '../http/route.ts';
import { showPlaylists } from '../playlist/show.ts';
import { writtenVideos } from '../video/show.ts';
import type { Thing } from './find-things.ts';
import { search, windowOf } from './search.ts';
import { roundScore } from './shape.ts';

const noQuery = 'no search query specified';

export const searchRoutes = routes(searchCalls, {
  'GET /api/search/': async ({ query: { query = '', ...wish }, user, url, request }, archive) => {
    // Some clients read `message`.
    if (!url.searchParams.has('query')) throw new Problem(400, noQuery, { more: { message: noQuery } });
    const nothing = { video_results: [], channel_results: [], playlist_results: [], fulltext_results: [] };
    // A field that was emptied.
    if (!query.trim()) return { results: nothing, queryType: 'simple', has_more: false };

    const { db } = archive;
    const window = windowOf(user.id, request.headers['x-reelkeep-window']);
    const { type, things, spoken, hasMore } = await search(archive, query, wish, { accountId: user.id, window });
    const idsOf = (kind: Thing['kind']) => things.filter((thing) => thing.kind === kind).map(({ id }) => id);
    const scores = new Map(things.map(({ kind, id, score }) => [`${kind}/${id}`, roundScore(score)]));
    const [videos, channels, playlists] = await Promise.all([
      writtenVideos(db, user.id, idsOf('video'), { scoreOf: (id) => scores.get(`video/${id}`) ?? 0 }),
      showChannels(db, idsOf('channel')),
      showPlaylists(db, idsOf('playlist')),
    ]);
    return {
      results: {
        video_results: videos,
        channel_results: channels.map((one) => ({ ...one, _score: scores.get(`channel/${one.channel_id}`) ?? 0 })),
        playlist_results: playlists.map((one) => ({ ...one, _score: scores.get(`playlist/${one.playlist_id}`) ?? 0 })),
        fulltext_results: spoken,
      },
      queryType: type,
      has_more: hasMore,
    };
  },
});
