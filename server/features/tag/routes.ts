import { tagCalls } from '#contract/tag.ts';
import { routes } from '../../platform/http/route.ts';
import { changeTag, countTags, deleteTag, findTags } from './store.ts';

export const tagRoutes = routes(tagCalls, {
  'GET /api/tag/': async ({ query: { video, channel }, user }, { db }) => {
    const on =
      video === undefined ? channel && ({ kind: 'channel', id: channel } as const) : ({ kind: 'video', id: video } as const);
    return countTags(db, user.id, await findTags(db, user.id, on || undefined));
  },

  'PUT /api/tag/:name/': async ({ params, body, user }, { db, events }) => {
    const tag = await changeTag(db, user.id, params.name, body);
    events.announceTo(user.id, 'tag', 'note');
    return tag;
  },

  'DELETE /api/tag/:name/': async ({ params, user }, { db, events }) => {
    await deleteTag(db, user.id, params.name);
    events.announceTo(user.id, 'tag', 'note');
  },
});
