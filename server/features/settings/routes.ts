import type { Settings } from '#contract/settings.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { appsettingsCalls } from '#contract/appsettings.ts';
import { mergeRules, refuseContradictions, refuseInvalidPatterns } from '../../archive/queue/filter-rules.ts';
import { requestFullScans } from '../../archive/channel/store.ts';
import { scansFurther, scanLimitsOf } from '../../archive/channel/scan-limits.ts';
import type { Db } from '../../platform/db/db.ts';
import { HttpError } from '../../platform/http/http-error.ts';
import { routes, type User } from '../../platform/http/route.ts';
import { tryToInstallPotPlugin } from '../../archive/binaries/binaries.ts';
import { dropApiToken, refuseOtherTokens, tokenOf } from '../user/token.ts';
import { startChaptersIfDue } from '../chapters/tasks.ts';
import { startEmbeddingIfDue } from '../meaning/tasks.ts';
import { confirmDeletion } from '../user/confirm-deletion.ts';
import { readPoTokenSettings, shownPoTokenSettings, storePoTokenUrls } from '../../archive/settings/po-tokens.ts';
import { findToken } from '../user/account/store.ts';
import { reauthenticate } from '../user/login/reauthentication.ts';
import { deletionImpact } from './deletion-impact.ts';
import { refuseInvalidFormat } from '../../archive/sites/refuse-invalid-format.ts';
import { refuseUnknownClients } from '../../archive/sites/refuse-unknown-clients.ts';
import { refuseInvalidHours } from '../../archive/settings/background-hours.ts';
import { readSettings, writeSettings } from '../../archive/settings/store.ts';

/** Returns the settings for an API response. The addresses of the token provider are for staff only, without passwords. */
async function shownSettings(app: AppContext, { isStaff }: User): Promise<Settings> {
  const settings = await readSettings(app.db);
  return { ...settings, downloads: { ...settings.downloads, ...(await shownPoTokenSettings(app, isStaff)) } };
}

/** Installs the plugin for PO tokens in the background, if the settings need it at once. */
async function preparePoTokens(app: AppContext) {
  const { po_tokens, pot_provider_url } = await readPoTokenSettings(app);
  if (po_tokens === 'always' || (po_tokens === 'provider' && pot_provider_url)) void tryToInstallPotPlugin(app);
}

/** @throws 409 unless an evaluation has shown that generated chapters are good in this archive */
async function refuseUntestedChapters(db: Db, isMeaningOn: boolean) {
  const { whyNotGenerate } = await import('../chapters/why-not-generate.ts');
  const why = await whyNotGenerate(db, isMeaningOn);
  if (why) throw new HttpError(409, why);
}

export const settingsRoutes = routes(appsettingsCalls, {
  'GET /api/appsettings/config/': ({ user }, app) => shownSettings(app, user),

  'POST /api/appsettings/config/': async ({ body, user, request }, app) => {
    const { db, announce } = app;
    refuseInvalidPatterns(body.rules ?? {});
    refuseInvalidHours(body.background?.hours);
    await refuseInvalidFormat(app, body.downloads?.format);
    await refuseUnknownClients(app, body.downloads?.player_client);
    const { subscriptions: before, rules, trash, chapters, meaning } = await readSettings(db);
    if (body.rules) refuseContradictions(mergeRules(rules, body.rules));
    if (body.chapters?.generate && !chapters.generate) await refuseUntestedChapters(db, body.meaning?.enabled ?? meaning.enabled);
    // Without the trash, deletions are permanent, so a shorter retention requires recent authentication.
    if ((body.trash?.days ?? trash.days) < trash.days) await reauthenticate(app, { user, request });
    await confirmDeletion(app, { user, request }, await deletionImpact(app, body));
    const { pot_provider_url, pot_provider_proxy, ...downloads } = body.downloads ?? {};
    await storePoTokenUrls(app, { pot_provider_url, pot_provider_proxy });
    await writeSettings(db, { ...body, downloads });
    if (downloads.player_client !== undefined) app.state.unknownClients = [];
    const isMore = scansFurther(scanLimitsOf({}, { ...before, ...body.subscriptions }), scanLimitsOf({}, before));
    // Videos that the old rules or sizes excluded are evaluated again on the next scan.
    if (body.rules || isMore) await requestFullScans(db);
    if (body.downloads?.subtitle_index) await app.tasks.startByName('index_subtitles');
    if (body.meaning) await startEmbeddingIfDue(app);
    if (body.chapters) await startChaptersIfDue(app);
    if (body.downloads?.po_tokens || pot_provider_url) await preparePoTokens(app);
    announce('settings');
    return shownSettings(app, user);
  },

  'GET /api/appsettings/token/': async ({ user, request }, app) => {
    await refuseOtherTokens(app, user);
    if (!(await findToken(app.db, user.id))) await reauthenticate(app, { user, request });
    return { token: await tokenOf(app, user.id) };
  },

  'DELETE /api/appsettings/token/': async ({ user }, app) => {
    await refuseOtherTokens(app, user);
    await dropApiToken(app, user.id);
  },
});
