import { message } from '#contract/messages.ts';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { playlistCalls } from '#contract/playlist.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { paginate, pageRequest } from '../../platform/http/paging.ts';
import { scanSubscriptions } from '../subscription/scan-subscriptions.ts';
import { subscribeTo } from '../subscription/subscribe.ts';
import { saveSubscriptionChoices } from '../subscription/subscription-choices.ts';
import type { Db } from '../../platform/db/db.ts';
import { notFound, badRequest, tooMany } from '../../platform/http/http-error.ts';
import type { CreateLimiter } from '../../platform/http/limiter.ts';
import { routes, type User } from '../../platform/http/route.ts';
import { confirmDeletion } from '../user/confirm-deletion.ts';
import { findAccount } from '../user/account/store.ts';
import { serializeConfig } from '../user/shape.ts';
import { totalSizeOf } from '../../archive/queries/total-size.ts';
import { updateCustom, createCustom, setSortOrder, shareCustom } from './custom.ts';
import { archivedVideosOf, checkDeletion, deletePlaylist } from './delete-playlist.ts';
import { serializePlaylist } from './shape.ts';
import { countPlaylists, findPlaylist, listPlaylists, updateSubscription } from '../../archive/playlist/store.ts';

// Daily limit per user without the staff role.
const customInDay = 50;

declare module '../../platform/context/app-state.ts' {
  interface AppState {
    /** Counts new custom playlists per account. */
    customPlaylistLimit: RateLimiterAbstract;
  }
}

export const createCustomPlaylistLimit = (createLimiter: CreateLimiter) =>
  createLimiter({ keyPrefix: 'custom playlist', points: customInDay, duration: 86_400 });

async function countCustom({ state }: AppContext, { id }: User): Promise<void> {
  const { consumedPoints, msBeforeNext } = await state.customPlaylistLimit.penalty(id);
  if (consumedPoints <= customInDay) return;
  const wait = msBeforeNext / 1000;
  throw tooMany(message('error.custom-playlists', { count: customInDay, hours: Math.ceil(wait / 3600) }), wait);
}

async function found(db: Db, user: User, id: string) {
  const playlist = await findPlaylist(db, user, id);
  if (!playlist) throw notFound('error.playlist');
  return serializePlaylist(playlist, user);
}

export const playlistRoutes = routes(playlistCalls, {
  'GET /api/playlist/': async ({ query, user, url }, { db }) => {
    const total = await countPlaylists(db, user, query);
    const playlists = await listPlaylists(db, user, query, pageRequest(query.page, user.pageSize));
    return {
      data: playlists.map((row) => serializePlaylist(row, user)),
      paginate: paginate(total, query.page, user.pageSize, url),
    };
  },

  'POST /api/playlist/': async ({ body }, { tasks }) => {
    const texts = body.data.map((one) => one.playlist_id);
    const { id } = await tasks.start(subscribeTo, {
      kind: 'playlist',
      texts,
      auto_start: body.auto_start,
      back_catalogue: body.back_catalogue,
    });
    return { message: 'playlist subscribe task started', task_id: id };
  },

  'POST /api/playlist/custom/': async ({ body, user }, app) => {
    if (!user.isStaff) await countCustom(app, user);
    const playlist = { name: body.playlist_name, ownerId: user.id, isShared: body.is_shared };
    return found(app.db, user, await createCustom(app, playlist));
  },

  'POST /api/playlist/custom/:id/': async ({ params, body, user }, app) => {
    const { hide_watched: hides } = serializeConfig(await findAccount(app.db, user.id));
    await updateCustom(app, user, params.id, { action: body.action, videoId: body.video_id, hidesWatched: hides === true });
    return found(app.db, user, params.id);
  },

  'POST /api/playlist/custom/:id/sharing/': async ({ params, body, user }, app) => {
    await shareCustom(app, user, params.id, body.is_shared);
    return found(app.db, user, params.id);
  },

  'GET /api/playlist/:id/': ({ params, user }, { db }) => found(db, user, params.id),

  'POST /api/playlist/:id/': async ({ params, body, user }, app) => {
    const { db, announce } = app;
    const playlist = await findPlaylist(db, user, params.id);
    if (!playlist) throw notFound('error.playlist');
    if (playlist.kind === 'custom') throw badRequest('error.is-custom', { id: params.id });
    const { playlist_subscribed: subscribed, playlist_sort_order: order, playlist_auto_start: autoStart } = body;
    if (subscribed === undefined && order === undefined && autoStart === undefined) throw badRequest('error.playlist-change');
    await updateSubscription(db, params.id, { subscribed, autoStart });
    await saveSubscriptionChoices(app, 'playlist', params.id, { back_catalogue: body.back_catalogue });
    if (subscribed && body.back_catalogue) await app.tasks.start(scanSubscriptions, { playlists: [params.id] });
    if (order) await setSortOrder(app, params.id, order);
    announce('playlist');
    return found(db, user, params.id);
  },

  'DELETE /api/playlist/:id/': async ({ params, query, user, request }, app) => {
    const { delete_videos: withVideos } = query;
    await checkDeletion(app.db, user, params.id, withVideos);
    if (withVideos)
      await confirmDeletion(app, { user, request }, await totalSizeOf(app.db, await archivedVideosOf(app.db, params.id)));
    await deletePlaylist(app, params.id, { withVideos, by: user.name });
  },
});
