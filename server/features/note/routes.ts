import { noteCalls } from '#contract/note.ts';
import { archiveAddress } from '../../archive/settings/archive-address.ts';
import { pageRequest, paginate } from '../../platform/http/paging.ts';
import { routes } from '../../platform/http/route.ts';
import { exportJson, exportMarkdown } from './export.ts';
import { addNote, changeNote, deleteNote, findNotes, serializeNote } from './store.ts';

const pageSize = 100;

export const noteRoutes = routes(noteCalls, {
  'GET /api/note/': async ({ query: { page, ...filter }, user, url }, { db }) => {
    const { rows, count } = await findNotes(db, user.id, filter, pageRequest(page, pageSize));
    return { data: rows.map(serializeNote), paginate: paginate(count, page, pageSize, url) };
  },

  'POST /api/note/': async ({ body, user }, app) => {
    const note = await addNote(app, user.id, body);
    app.events.announceTo(user.id, 'note', 'tag');
    return serializeNote(note);
  },

  'PATCH /api/note/:id/': async ({ params, body, user }, app) => {
    const note = await changeNote(app, user.id, params.id, body);
    app.events.announceTo(user.id, 'note', 'tag');
    return serializeNote(note);
  },

  'DELETE /api/note/:id/': async ({ params, user }, { db, events }) => {
    await deleteNote(db, user.id, params.id);
    events.announceTo(user.id, 'note', 'tag');
  },

  'GET /api/note/export/': async ({ query: { format, since }, user, request, reply }, app) => {
    const isJson = format === 'json';
    reply
      .header('content-type', isJson ? 'application/json; charset=utf-8' : 'application/zip')
      .header('content-disposition', `attachment; filename="notes.${isJson ? 'json' : 'zip'}"`);
    await reply.send(
      isJson ? exportJson(app.db, user.id, since) : exportMarkdown(app.db, user.id, since, await archiveAddress(app, request)),
    );
  },
});
