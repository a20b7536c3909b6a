import { rulesCalls, type RulesPreview } from '#contract/rules.ts';
import type { Archive } from '../archive.ts';
import { previewRules } from '../download/preview.ts';
import { mergeRules, ownRulesOf, refuseContradiction, refuseWrongPatterns, type OwnRules } from '../download/rules.ts';
import { notFound } from '../http/problem.ts';
import { routes } from '../http/route.ts';
import { confirmDeletion } from '../user/confirm.ts';
import { currentSettings } from '../settings/read.ts';
import { leavingMore, whatLeaves, type Leaving } from './retention.ts';

type Table = 'channel' | 'playlist';

async function rulesOf(archive: Archive, table: Table, id: string) {
  const row = await archive.db.selectFrom(table).select('rules').where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound(table);
  const own = ownRulesOf(row);
  return { own, effective: mergeRules((await currentSettings(archive)).rules, own) };
}

async function setRules(archive: Archive, table: Table, { id, own }: { id: string; own: OwnRules }) {
  refuseWrongPatterns(own);
  await rulesOf(archive, table, id);
  refuseContradiction(mergeRules((await currentSettings(archive)).rules, own));
  const rules = Object.keys(own).length > 0 ? JSON.stringify(own) : null;
  // What was left out by the old rules is looked at again.
  const again = table === 'channel' ? { listedAt: null } : {};
  await archive.db
    .updateTable(table)
    .set({ rules, ...again })
    .where('id', '=', id)
    .execute();
  archive.announce(table);
  return rulesOf(archive, table, id);
}

const shapeLeaving = ({ id, title, channelName, sizeBytes, why }: Leaving) => ({
  youtube_id: id,
  title,
  channel_name: channelName,
  media_size: sizeBytes,
  reason: why,
});

const noneLeaves = { leaving: [], leaving_total: 0, leaving_size: 0 };

/** The first of what leaves, and how much it is in all. */
async function listLeaving(all: AsyncGenerator<Leaving>, most: number) {
  const data: RulesPreview['leaving'] = [];
  let [total, size] = [0, 0];
  for await (const one of all) {
    total++;
    size += one.sizeBytes;
    if (data.length < most) data.push(shapeLeaving(one));
  }
  return { data, total, media_size: size };
}

async function preview(archive: Archive, table: Table, { id, own }: { id: string; own: OwnRules }): Promise<RulesPreview> {
  refuseWrongPatterns(own);
  await rulesOf(archive, table, id);
  const rules = mergeRules((await currentSettings(archive)).rules, own);
  refuseContradiction(rules);
  const known = await previewRules(archive, table === 'channel' ? { channelId: id } : { playlistId: id }, rules);
  if (table === 'playlist') return { ...known, ...noneLeaves };
  const leaving = await listLeaving(whatLeaves(archive, { channel: { id, rules: JSON.stringify(own) } }), 100);
  return { ...known, leaving: leaving.data, leaving_total: leaving.total, leaving_size: leaving.media_size };
}

export const rulesRoutes = routes(rulesCalls, {
  'GET /api/channel/:id/rules/': ({ params }, archive) => rulesOf(archive, 'channel', params.id),
  'PUT /api/channel/:id/rules/': async ({ params, body, user, request }, archive) => {
    refuseWrongPatterns(body);
    const more = await leavingMore(archive, { channel: { id: params.id, rules: JSON.stringify(body) } });
    await confirmDeletion(archive, { user, request }, more);
    return setRules(archive, 'channel', { id: params.id, own: body });
  },
  'POST /api/channel/:id/rules/preview/': ({ params, body }, archive) =>
    preview(archive, 'channel', { id: params.id, own: body }),
  'GET /api/playlist/:id/rules/': ({ params }, archive) => rulesOf(archive, 'playlist', params.id),
  'PUT /api/playlist/:id/rules/': ({ params, body }, archive) => setRules(archive, 'playlist', { id: params.id, own: body }),
  'POST /api/playlist/:id/rules/preview/': ({ params, body }, archive) =>
    preview(archive, 'playlist', { id: params.id, own: body }),

  'GET /api/video/leaving/': (_, archive) => listLeaving(whatLeaves(archive), 1000),
});
