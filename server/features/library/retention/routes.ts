import { rulesCalls, type RulesPreview, type WatchedRule } from '#contract/rules.ts';
import type { AppContext } from '../../../platform/context/app-context.ts';
import { previewRules } from '../../download/preview.ts';
import {
  mergeRules,
  channelRulesOf,
  refuseContradictions,
  refuseInvalidPatterns,
  type ChannelRules,
} from '../../../archive/queue/filter-rules.ts';
import { notFound } from '../../../platform/http/http-error.ts';
import { routes } from '../../../platform/http/route.ts';
import { renderMessages } from '../../../platform/messages/render.ts';
import { confirmDeletion } from '../../user/confirm-deletion.ts';
import { readOverridesOf, readSettings } from '../../../archive/settings/store.ts';
import { findAdditionallyExpired, findExpiredVideos, type ExpiredVideo, type ProposedRules } from './retention.ts';

type Table = 'channel' | 'playlist';

async function rulesOf(archive: AppContext, table: Table, id: string) {
  const row = await archive.db.selectFrom(table).select('rules').where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound(table === 'channel' ? 'error.channel' : 'error.playlist');
  const own = channelRulesOf(row);
  return { own, effective: mergeRules((await readSettings(archive.db)).rules, own) };
}

async function setRules(archive: AppContext, table: Table, { id, own }: { id: string; own: ChannelRules }) {
  refuseInvalidPatterns(own);
  await rulesOf(archive, table, id);
  refuseContradictions(mergeRules((await readSettings(archive.db)).rules, own));
  const rules = Object.keys(own).length > 0 ? JSON.stringify(own) : null;
  // Entries skipped by the old rules are evaluated again.
  const again = table === 'channel' ? { lastFullScanAt: null } : {};
  await archive.db
    .updateTable(table)
    .set({ rules, ...again })
    .where('id', '=', id)
    .execute();
  archive.announce(table);
  return rulesOf(archive, table, id);
}

const serializeExpired = ({ id, title, channelName, sizeBytes, why }: ExpiredVideo) => ({
  youtube_id: id,
  title,
  channel_name: channelName,
  media_size: sizeBytes,
  reason: renderMessages(why),
  reason_messages: [why],
});

const noneExpiring = { expiring: [], expiring_total: 0, expiring_size: 0 };

/** Returns the first videos that would be deleted, with the total count and size. */
async function listExpired(all: AsyncGenerator<ExpiredVideo>, most: number) {
  const data: RulesPreview['expiring'] = [];
  let [total, size] = [0, 0];
  for await (const one of all) {
    total++;
    size += one.sizeBytes;
    if (data.length < most) data.push(serializeExpired(one));
  }
  return { data, total, media_size: size };
}

async function preview(archive: AppContext, table: Table, { id, own }: { id: string; own: ChannelRules }): Promise<RulesPreview> {
  refuseInvalidPatterns(own);
  await rulesOf(archive, table, id);
  const rules = mergeRules((await readSettings(archive.db)).rules, own);
  refuseContradictions(rules);
  const known = await previewRules(archive, table === 'channel' ? { channelId: id } : { playlistId: id }, rules);
  if (table === 'playlist') return { ...known, ...noneExpiring };
  const expiring = await listExpired(findExpiredVideos(archive, { channel: { id, rules: JSON.stringify(own) } }), 100);
  return { ...known, expiring: expiring.data, expiring_total: expiring.total, expiring_size: expiring.media_size };
}

/** A rule for watched videos in place of the settings, or of the overrides of one channel. */
async function proposed(archive: AppContext, rule: WatchedRule, channelId: string | undefined): Promise<ProposedRules> {
  if (channelId === undefined) {
    const { downloads, rules } = await readSettings(archive.db);
    return { settings: { downloads: { ...downloads, ...rule }, rules } };
  }
  await rulesOf(archive, 'channel', channelId);
  const overwrites = { ...(await readOverridesOf(archive.db, channelId)), ...rule };
  return { channel: { id: channelId, overwrites: JSON.stringify(overwrites) } };
}

export const rulesRoutes = routes(rulesCalls, {
  'GET /api/channel/:id/rules/': ({ params }, archive) => rulesOf(archive, 'channel', params.id),
  'PUT /api/channel/:id/rules/': async ({ params, body, user, request }, archive) => {
    refuseInvalidPatterns(body);
    const more = await findAdditionallyExpired(archive, { channel: { id: params.id, rules: JSON.stringify(body) } });
    await confirmDeletion(archive, { user, request }, more);
    return setRules(archive, 'channel', { id: params.id, own: body });
  },
  'POST /api/channel/:id/rules/preview/': ({ params, body }, archive) =>
    preview(archive, 'channel', { id: params.id, own: body }),
  'GET /api/playlist/:id/rules/': ({ params }, archive) => rulesOf(archive, 'playlist', params.id),
  'PUT /api/playlist/:id/rules/': ({ params, body }, archive) => setRules(archive, 'playlist', { id: params.id, own: body }),
  'POST /api/playlist/:id/rules/preview/': ({ params, body }, archive) =>
    preview(archive, 'playlist', { id: params.id, own: body }),

  'POST /api/video/expiring/preview/': async ({ body: { channel: id, ...rule } }, archive) =>
    listExpired(findExpiredVideos(archive, { ...(await proposed(archive, rule, id)), isWatchedOnly: true }), 100),

  'GET /api/video/expiring/': (_, archive) => listExpired(findExpiredVideos(archive), 1000),
});
