import { message } from '#contract/messages.ts';
import type { FastifyRequest } from 'fastify';
import { renderMessages } from '../../platform/messages/render.ts';
import { searchCalls } from '#contract/search.ts';
import { serializeFoundChannel } from '../../archive/channel/serialize.ts';
import { findChannels } from '../../archive/channel/store.ts';
import { hasScope } from '../../platform/http/auth/authenticate.ts';
import { HttpError, notFound } from '../../platform/http/http-error.ts';
import { routes } from '../../platform/http/route.ts';
import { findPlaylists } from '../../archive/playlist/store.ts';
import { serializePlaylist } from '../playlist/shape.ts';
import { loadVideos } from '../../archive/video-json/load-videos.ts';
import type { NamedHit } from './query/find-by-name.ts';
import { search, windowOf } from './query/search.ts';
import { searchMoments } from './query/search-moments.ts';
import { roundScore } from './query/shape.ts';
import type { Searcher } from './query/search-queue.ts';
import { closedSignal } from '../../platform/http/closed-signal.ts';

const noQuery = message('error.no-query');

const searcherOf = (accountId: number, request: FastifyRequest): Searcher => ({
  accountId,
  window: windowOf(accountId, request.headers['x-reelkeep-window']),
});

export const searchRoutes = routes(searchCalls, {
  'GET /api/search/moments/': async ({ query, user, request, reply }, app) => {
    const { playlist } = query;
    // The videos of a private playlist of another user are not revealed.
    if (playlist !== undefined && (await findPlaylists(app.db, user, [playlist])).length === 0) throw notFound('error.playlist');
    const who = { ...searcherOf(user.id, request), hasNotes: hasScope(user, 'notes') };
    return searchMoments(app, query, who, closedSignal(reply.raw));
  },
  'GET /api/search/moments/similar/': async ({ query, user, request, reply }, app) =>
    (await import('./query/similar-moments.ts')).similarMoments(
      app,
      query,
      searcherOf(user.id, request),
      closedSignal(reply.raw),
    ),
  'GET /api/search/': async ({ query: { query = '', ...options }, user, url, request, reply }, app) => {
    // Some clients read `message`.
    if (!url.searchParams.has('query')) throw new HttpError(400, noQuery, { more: { message: renderMessages(noQuery) } });
    const nothing = { video_results: [], channel_results: [], playlist_results: [], fulltext_results: [] };
    // The search field was cleared.
    if (!query.trim()) return { results: nothing, queryType: 'simple', has_more: false, corrections: [] };

    const { db } = app;
    const { type, things, spoken, hasMore, corrections } = await search(
      app,
      query,
      options,
      searcherOf(user.id, request),
      closedSignal(reply.raw),
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
