import { searchCalls } from '#contract/search.ts';
import { showChannels } from '../channel/show.ts';
import { Problem } from '../http/problem.ts';
import { routes } from '../http/route.ts';
import { showPlaylists } from '../playlist/show.ts';
import { showVideos } from '../video/show.ts';
import type { Thing } from './find-things.ts';
import { search, windowOf } from './search.ts';
import { roundScore, shapeSpoken } from './shape.ts';
import { sourcesOfHits, videosOfHits } from './store-lines.ts';

const noQuery = 'no search query specified';

export const searchRoutes = routes(searchCalls, {
  'GET /api/search/': async ({ query: { query = '', ...wish }, user, url, request }, archive) => {
    // Some clients read `message`.
    if (!url.searchParams.has('query')) throw new Problem(400, noQuery, { more: { message: noQuery } });
    const nothing = { video_results: [], channel_results: [], playlist_results: [], fulltext_results: [] };
    // A field that was emptied.
    if (!query.trim()) return { results: nothing, queryType: 'simple', has_more: false };

    const { db } = archive;
    const window = windowOf(user.id, request.cookies.sessionid ?? request.headers.authorization ?? '');
    const { type, things, spoken, hasMore } = await search(archive, query, wish, { accountId: user.id, window });
    const idsOf = (kind: Thing['kind']) => things.filter((thing) => thing.kind === kind).map(({ id }) => id);
    const scores = new Map(things.map(({ kind, id, score }) => [`${kind}/${id}`, roundScore(score)]));
    const [videos, channels, playlists] = await Promise.all([
      showVideos(db, user.id, idsOf('video')),
      showChannels(db, idsOf('channel')),
      showPlaylists(db, idsOf('playlist')),
    ]);
    const hits = spoken?.hits ?? [];
    const ids = [...new Set(hits.map(({ piece }) => piece.videoId))];
    const [about, sources] = hits.length > 0 ? await Promise.all([videosOfHits(db, ids), sourcesOfHits(db, ids)]) : [[], []];
    const fulltext = hits.flatMap((hit) => {
      const video = about.find(({ id }) => id === hit.piece.videoId);
      const source = sources.find(({ videoId, lang }) => videoId === hit.piece.videoId && lang === hit.piece.lang)?.source;
      return video ? [shapeSpoken(hit, { video, source, units: spoken?.units ?? [] })] : [];
    });
    return {
      results: {
        video_results: videos.map((one) => ({ ...one, _score: scores.get(`video/${one.youtube_id}`) ?? 0 })),
        channel_results: channels.map((one) => ({ ...one, _score: scores.get(`channel/${one.channel_id}`) ?? 0 })),
        playlist_results: playlists.map((one) => ({ ...one, _score: scores.get(`playlist/${one.playlist_id}`) ?? 0 })),
        fulltext_results: fulltext,
      },
      queryType: type,
      has_more: hasMore,
    };
  },
});
