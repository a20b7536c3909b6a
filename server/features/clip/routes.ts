import { clipCalls } from '#contract/clip.ts';
import { pageRequest, paginate } from '../../platform/http/paging.ts';
import { routes } from '../../platform/http/route.ts';
import { serializeClips } from './shape.ts';
import { createClip, deleteClip, findClips, getClip } from './store.ts';
import { makeClipsTask } from './tasks.ts';

const pageSize = 50;

export const clipRoutes = routes(clipCalls, {
  'GET /api/clip/': async ({ query: { page, video }, user, url }, app) => {
    const { rows, count } = await findClips(app.db, user.id, video, pageRequest(page, pageSize));
    return { data: await serializeClips(app, rows), paginate: paginate(count, page, pageSize, url) };
  },

  'POST /api/clip/': async ({ body, user }, app) => {
    const clip = await createClip(app, user.id, body);
    if (clip.state === 'queued') await app.tasks.start(makeClipsTask, {});
    app.events.announceTo(user.id, 'clip');
    return (await serializeClips(app, [clip]))[0]!;
  },

  'GET /api/clip/:id/': async ({ params, user }, app) =>
    (await serializeClips(app, [await getClip(app.db, user.id, params.id)]))[0]!,

  'DELETE /api/clip/:id/': async ({ params, user }, app) => {
    await deleteClip(app, user.id, params.id);
    app.events.announceTo(user.id, 'clip');
  },
});
