import { message } from '#contract/messages.ts';
import { renderMessages } from '../../platform/messages/render.ts';
import { searchCalls } from '#contract/search.ts';
import { serializeFoundChannel } from '../../archive/channel/serialize.ts';
import { findChannels } from '../../archive/channel/store.ts';
import { HttpError } from '../../platform/http/http-error.ts';
import { routes } from '../../platform/http/route.ts';
import { findPlaylists } from '../../archive/playlist/store.ts';
import { serializePlaylist } from '../playlist/shape.ts';
import { loadVideos } from '../../archive/video-json/load-videos.ts';
import type { NamedHit } from './query/find-by-name.ts';
import { search, windowOf } from './query/search.ts';
import { roundScore } from './query/shape.ts';

const noQuery = message('error.no-query');

export const searchRoutes = routes(searchCalls, {
  'GET /api/search/': async ({ query: { query = '', ...options }, user, url, request, reply }, app) => {
    // Some clients read `message`.
    if (!url.searchParams.has('query')) throw new HttpError(400, noQuery, { more: { message: renderMessages(noQuery) } });
    const nothing = { video_results: [], channel_results: [], playlist_results: [], fulltext_results: [] };
    // The search field was cleared.
    if (!query.trim()) return { results: nothing, queryType: 'simple', has_more: false, corrections: [] };

    const { db } = app;
    const window = windowOf(user.id, request.headers['x-reelkeep-window']);
    const closed = new AbortController();
    if (reply.raw.destroyed) closed.abort();
    else reply.raw.once('close', () => closed.abort());
    const { type, things, spoken, hasMore, corrections } = await search(
      app,
      query,
      options,
      { accountId: user.id, window },
      closed.signal,
    );
    const idsOf = (kind: NamedHit['kind']) => things.filter((thing) => thing.kind === kind).map(({ id }) => id);
    const scores = new Map(things.map(({ kind, id, score }) => [`${kind}/${id}`, roundScore(score)]));
    const videoIds = idsOf('video');
    const [videos, channels, playlists] = await Promise.all([
      loadVideos(db, {
        accountId: user.id,
        ids: videoIds,
        scores: videoIds.map((id) => scores.get(`video/${id}`) ?? 0),
      }),
      findChannels(db, idsOf('channel')),
      findPlaylists(db, user, idsOf('playlist')),
    ]);
    return {
      results: {
        video_results: videos,
        channel_results: channels.map((row) => ({ ...serializeFoundChannel(row), _score: scores.get(`channel/${row.id}`) ?? 0 })),
        playlist_results: playlists.map((row) => ({
          ...serializePlaylist(row, user),
          _score: scores.get(`playlist/${row.id}`) ?? 0,
        })),
        fulltext_results: spoken,
      },
      queryType: type,
      has_more: hasMore,
      corrections,
    };
  },
});
