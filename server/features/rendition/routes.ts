import { renditionCalls } from '#contract/rendition.ts';
import { HttpError } from '../../platform/http/http-error.ts';
import { routes } from '../../platform/http/route.ts';
import { requestRendition } from './request-rendition.ts';
import { audioTracksOf } from './audio-tracks-of-video.ts';

export const renditionRoutes = routes(renditionCalls, {
  'GET /api/video/:id/audio/': async ({ params }, app) => {
    const { why, sounds } = await audioTracksOf(app, params.id);
    if (why !== null) throw new HttpError(503, why);
    return sounds.tracks.map(({ index, language, title, codec, channels, isDefault }) => ({
      index,
      language,
      title,
      codec,
      channels,
      is_default: isDefault,
    }));
  },

  'POST /api/video/:id/rendition/': ({ params, body }, app) => requestRendition(app, params.id, body),
});
