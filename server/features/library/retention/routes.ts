import { rulesCalls, type RulesPreview, type WatchedRule } from '#contract/rules.ts';
import type { AppContext } from '../../../platform/context/app-context.ts';
import { previewRules } from '../../download/preview.ts';
import { mergeRules, refuseContradictions, refuseInvalidPatterns, type OwnRules } from '../../../archive/queue/filter-rules.ts';
import { routes } from '../../../platform/http/route.ts';
import { renderMessages } from '../../../platform/messages/render.ts';
import { confirmDeletion } from '../../user/confirm-deletion.ts';
import { readOverridesOf, readSettings } from '../../../archive/settings/store.ts';
import { rulesOf, setRules, type RuleOwner } from './rules-store.ts';
import { findAdditionallyExpired, findExpiredVideos, type ExpiredVideo, type ProposedRules } from './retention.ts';

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

async function preview(app: AppContext, table: RuleOwner, { id, own }: { id: string; own: OwnRules }): Promise<RulesPreview> {
  refuseInvalidPatterns(own);
  await rulesOf(app, table, id);
  const rules = mergeRules((await readSettings(app.db)).rules, own);
  refuseContradictions(rules);
  const known = await previewRules(app, table === 'channel' ? { channelId: id } : { playlistId: id }, rules);
  if (table === 'playlist') return { ...known, ...noneExpiring };
  const expiring = await listExpired(findExpiredVideos(app, { channel: { id, rules: JSON.stringify(own) } }), 100);
  return { ...known, expiring: expiring.data, expiring_total: expiring.total, expiring_size: expiring.media_size };
}

/** A rule for watched videos in place of the settings, or of the overrides of one channel. */
async function proposed(app: AppContext, rule: WatchedRule, channelId: string | undefined): Promise<ProposedRules> {
  if (channelId === undefined) {
    const { downloads, rules } = await readSettings(app.db);
    return { settings: { downloads: { ...downloads, ...rule }, rules } };
  }
  await rulesOf(app, 'channel', channelId);
  const overwrites = { ...(await readOverridesOf(app.db, channelId)), ...rule };
  return { channel: { id: channelId, overwrites: JSON.stringify(overwrites) } };
}

export const rulesRoutes = routes(rulesCalls, {
  'GET /api/channel/:id/rules/': ({ params }, app) => rulesOf(app, 'channel', params.id),
  'PUT /api/channel/:id/rules/': async ({ params, body, user, request }, app) => {
    refuseInvalidPatterns(body);
    const more = await findAdditionallyExpired(app, { channel: { id: params.id, rules: JSON.stringify(body) } });
    await confirmDeletion(app, { user, request }, more);
    return setRules(app, 'channel', { id: params.id, own: body });
  },
  'POST /api/channel/:id/rules/preview/': ({ params, body }, app) => preview(app, 'channel', { id: params.id, own: body }),
  'GET /api/playlist/:id/rules/': ({ params }, app) => rulesOf(app, 'playlist', params.id),
  'PUT /api/playlist/:id/rules/': ({ params, body }, app) => setRules(app, 'playlist', { id: params.id, own: body }),
  'POST /api/playlist/:id/rules/preview/': ({ params, body }, app) => preview(app, 'playlist', { id: params.id, own: body }),

  'POST /api/video/expiring/preview/': async ({ body: { channel: id, ...rule } }, app) =>
    listExpired(findExpiredVideos(app, { ...(await proposed(app, rule, id)), isWatchedOnly: true }), 100),

  'GET /api/video/expiring/': (_, app) => listExpired(findExpiredVideos(app), 1000),
});
