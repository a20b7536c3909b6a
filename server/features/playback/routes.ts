import { playbackCalls } from '#contract/playback.ts';
import { routes } from '../../platform/http/route.ts';
import { requestPlayback } from './request-playback.ts';

export const playbackRoutes = routes(playbackCalls, {
  'POST /api/video/:id/playback/': ({ params, body, user }, app) => requestPlayback(app, user, params.id, body),
});
