import { renditionCalls } from '#contract/rendition.ts';
import { HttpError } from '../../platform/http/http-error.ts';
import { routes } from '../../platform/http/route.ts';
import { requestRendition } from './request-rendition.ts';
import { soundsOf } from './sounds-of-video.ts';
import { audioTracksOf } from './audio-tracks-of-video.ts';

export const renditionRoutes = routes(renditionCalls, {
  'GET /api/video/:id/audio/': async ({ params }, app) => {
    const { why, sounds } = await audioTracksOf(app, params.id);
    if (why !== null) throw new HttpError(503, why);
    const told = await soundsOf(app.db, params.id);
    return sounds.tracks.map(({ index, language, title, codec, channels, isDefault }) => ({
      index,
      // Files have only a part of it: `pt` of `pt-BR`.
      language: told.get(index)?.language ?? language,
      kind: told.get(index)?.kind ?? null,
      title,
      codec,
      channels,
      is_default: isDefault,
    }));
  },

  'POST /api/video/:id/rendition/': ({ params, body }, app) => requestRendition(app, params.id, body),
});
