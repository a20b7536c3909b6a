import { renditionCalls } from '#contract/rendition.ts';
import { Problem } from '../http/problem.ts';
import { routes } from '../http/route.ts';
import { askFor } from './ask.ts';
import { soundsOf } from './sounds-of.ts';

export const renditionRoutes = routes(renditionCalls, {
  'GET /api/video/:id/audio/': async ({ params }, archive) => {
    const { why, sounds } = await soundsOf(archive, params.id);
    if (why !== null) throw new Problem(503, why);
    return sounds.tracks.map(({ index, language, title, codec, channels, isDefault }) => ({
      index,
      language,
      title,
      codec,
      channels,
      is_default: isDefault,
    }));
  },

  'POST /api/video/:id/rendition/': ({ params, body }, archive) => askFor(archive, params.id, body),
});
