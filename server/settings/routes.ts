import { appsettingsCalls } from '#contract/appsettings.ts';
import { mergeRules, refuseContradiction, refuseWrongPatterns } from '../download/rules.ts';
import { looksFurther, sizesOf } from '../channel/sizes.ts';
import { routes } from '../http/route.ts';
import { bringPotPlugin } from '../tools.ts';
import { dropApiToken, refuseOtherTokens, tokenOf } from '../user/token.ts';
import { confirmDeletion } from '../user/confirm.ts';
import { goesBySettings } from './goes-by.ts';
import { readSettings, writeSettings } from './store.ts';

export const settingsRoutes = routes(appsettingsCalls, {
  'GET /api/appsettings/config/': (_, { db }) => readSettings(db),

  'POST /api/appsettings/config/': async ({ body, user, request }, archive) => {
    const { db, announce } = archive;
    refuseWrongPatterns(body.rules ?? {});
    const { subscriptions: before, rules } = await readSettings(db);
    if (body.rules) refuseContradiction(mergeRules(rules, body.rules));
    await confirmDeletion(archive, { user, request }, await goesBySettings(archive, body));
    await writeSettings(db, body);
    const isMore = looksFurther(sizesOf({}, { ...before, ...body.subscriptions }), sizesOf({}, before));
    // What the old rules left out, or lay beyond the old sizes, is looked at again.
    if (body.rules || isMore) await db.updateTable('channel').set({ listedAt: null }).execute();
    if (body.downloads?.subtitle_index) await archive.tasks.startByName('index_subtitles');
    if (body.downloads?.pot_provider_url) void bringPotPlugin(archive);
    announce('settings');
    return readSettings(db);
  },

  'GET /api/appsettings/token/': async ({ user }, archive) => {
    await refuseOtherTokens(archive, user);
    return { token: await tokenOf(archive, user.id) };
  },

  'DELETE /api/appsettings/token/': async ({ user }, archive) => {
    await refuseOtherTokens(archive, user);
    await dropApiToken(archive, user.id);
  },
});
