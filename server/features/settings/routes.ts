import type { Settings } from '#contract/settings.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { appsettingsCalls } from '#contract/appsettings.ts';
import { mergeRules, refuseContradictions, refuseInvalidPatterns } from '../../archive/queue/filter-rules.ts';
import { scansFurther, scanLimitsOf } from '../../archive/channel/scan-limits.ts';
import { routes, type User } from '../../platform/http/route.ts';
import { tryToInstallPotPlugin } from '../../archive/binaries/binaries.ts';
import { dropApiToken, refuseOtherTokens, tokenOf } from '../user/token.ts';
import { confirmDeletion } from '../user/confirm-deletion.ts';
import { readPoTokenSettings, shownPoTokenSettings, storePoTokenUrls } from '../../archive/settings/po-tokens.ts';
import { findToken } from '../user/account/store.ts';
import { reauthenticate } from '../user/login/reauthentication.ts';
import { deletionImpact } from './deletion-impact.ts';
import { refuseInvalidFormat } from '../../archive/sites/refuse-invalid-format.ts';
import { refuseUnknownClients } from '../../archive/sites/refuse-unknown-clients.ts';
import { readSettings, writeSettings } from '../../archive/settings/store.ts';

/** Returns the settings for an API response. The addresses of the token provider are for staff only, without passwords. */
async function shownSettings(archive: AppContext, { isStaff }: User): Promise<Settings> {
  const settings = await readSettings(archive.db);
  return { ...settings, downloads: { ...settings.downloads, ...(await shownPoTokenSettings(archive, isStaff)) } };
}

/** Installs the plugin for PO tokens in the background, if the settings need it at once. */
async function preparePoTokens(archive: AppContext) {
  const { po_tokens, pot_provider_url } = await readPoTokenSettings(archive);
  if (po_tokens === 'always' || (po_tokens === 'provider' && pot_provider_url)) void tryToInstallPotPlugin(archive);
}

export const settingsRoutes = routes(appsettingsCalls, {
  'GET /api/appsettings/config/': ({ user }, archive) => shownSettings(archive, user),

  'POST /api/appsettings/config/': async ({ body, user, request }, archive) => {
    const { db, announce } = archive;
    refuseInvalidPatterns(body.rules ?? {});
    await refuseInvalidFormat(archive, body.downloads?.format);
    await refuseUnknownClients(archive, body.downloads?.player_client);
    const { subscriptions: before, rules, trash } = await readSettings(db);
    if (body.rules) refuseContradictions(mergeRules(rules, body.rules));
    // Without the trash, deletions are permanent, so a shorter retention requires recent authentication.
    if ((body.trash?.days ?? trash.days) < trash.days) await reauthenticate(archive, { user, request });
    await confirmDeletion(archive, { user, request }, await deletionImpact(archive, body));
    const { pot_provider_url, pot_provider_proxy, ...downloads } = body.downloads ?? {};
    await storePoTokenUrls(archive, { pot_provider_url, pot_provider_proxy });
    await writeSettings(db, { ...body, downloads });
    if (downloads.player_client !== undefined) archive.state.unknownClients = [];
    const isMore = scansFurther(scanLimitsOf({}, { ...before, ...body.subscriptions }), scanLimitsOf({}, before));
    // Videos that the old rules or sizes excluded are evaluated again on the next scan.
    if (body.rules || isMore) await db.updateTable('channel').set({ lastFullScanAt: null }).execute();
    if (body.downloads?.subtitle_index) await archive.tasks.startByName('index_subtitles');
    if (body.downloads?.po_tokens || pot_provider_url) await preparePoTokens(archive);
    announce('settings');
    return shownSettings(archive, user);
  },

  'GET /api/appsettings/token/': async ({ user, request }, archive) => {
    await refuseOtherTokens(archive, user);
    if (!(await findToken(archive.db, user.id))) await reauthenticate(archive, { user, request });
    return { token: await tokenOf(archive, user.id) };
  },

  'DELETE /api/appsettings/token/': async ({ user }, archive) => {
    await refuseOtherTokens(archive, user);
    await dropApiToken(archive, user.id);
  },
});
