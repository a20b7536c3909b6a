import { UserConfig, userCalls } from '#contract/user.ts';
import { inTransaction } from '../../platform/db/db.ts';
import { badRequest, accountDisabled, HttpError } from '../../platform/http/http-error.ts';
import { routes } from '../../platform/http/route.ts';
import { createSession, deleteSessions, deleteSession } from '../../platform/http/auth/session.ts';
import { archiveAddress, rememberProxyAddress } from '../../archive/settings/archive-address.ts';
import { setFirstSubtitleLanguage } from '../../archive/settings/first-language.ts';
import { choosePassword } from './choose-password.ts';
import { confirmationFor } from './confirm-deletion.ts';
import { handleCallback, startLogin, startLinking } from './login/oidc-routes.ts';
import { hashPassword } from './login/password.ts';
import { isOwnPassword, refuseExternalPassword } from './login/reauthentication.ts';
import { endAccess } from './user-admin.ts';
import { serializeAccount, serializeConfig } from './shape.ts';
import {
  awaitsFirstLogin,
  findAccount,
  findByName,
  recordLogin,
  saveConfig,
  savePassword,
  setWatchSharing,
} from './account/store.ts';
import { refuseWeakPassword } from './login/weak-password.ts';
import { recordReauthentication, verifyCredentials } from './login/verify-credentials.ts';

export const userRoutes = routes(userCalls, {
  'POST /api/user/login/': async ({ body, request, reply }, app) => {
    const { username, password } = body;
    await app.state.loginThrottle.attempt(app, request.ip, username);
    const known = await verifyCredentials(app, username, password);
    if (!known) {
      app.metrics.loginFailures.inc();
      const account = (await findByName(app.db, username))?.id ?? null;
      recordReauthentication(request, { account, by: 'password', isRight: false });
      throw badRequest('error.credentials');
    }
    await app.state.loginThrottle.succeeded(request.ip, username);
    const { id, isMade } = known;
    recordReauthentication(request, { account: id, by: 'password', isRight: true });
    if ((await findAccount(app.db, id)).isDisabled) throw new HttpError(400, accountDisabled);
    if (isMade) {
      await choosePassword(app, id, password, body.new_password);
      request.log.info({ account: id, address: request.ip }, 'password changed by its owner');
    }
    await recordLogin(app.db, id, app.now());
    await createSession(app, request, reply, id, { remember: body.remember_me === 'on', authenticatedAt: app.now() });
    await setFirstSubtitleLanguage(app, request.headers['accept-language']);
  },

  'GET /api/user/login-methods/': async (_, { config, db }) => ({
    password: config.hasPasswords || config.ldap !== undefined,
    oidc: config.oidc?.name ?? null,
    logout_url: (config.userHeader && config.proxyLogoutUrl) ?? null,
    awaits_first_login: config.hasPasswords && (await awaitsFirstLogin(db)),
  }),

  'GET /api/user/oidc/': (call, app) => startLogin(call, app, null),
  'GET /api/user/oidc/reauthenticate/': (call, app) => startLogin(call, app, call.user.id),
  'POST /api/user/oidc/link/': (call, app) => startLinking(call, app),
  'GET /api/user/oidc/callback/': ({ request, reply, url }, app) => handleCallback(app, request, reply, url.search),

  'POST /api/user/logout/': async ({ user, request, reply }, { db, events }) => {
    // Clears cached videos and images. Not "cookies": that would log the user out of everything on this host, on all ports; the
    // session cookie is deleted by name. Not "storage": volume and theme are not secret.
    reply.header('Clear-Site-Data', '"cache"');
    await deleteSession(db, request, reply);
    request.log.info({ account: user.id, address: request.ip }, 'logged out');
    events.dismiss(user.id);
  },

  'POST /api/user/password/': async ({ user, body, request }, app) => {
    const { db, events } = app;
    await refuseExternalPassword(app, user);
    await app.state.loginThrottle.attempt(app, request.ip, user.name);
    const isRight = await isOwnPassword(app, { user, request }, body.current);
    recordReauthentication(request, { account: user.id, by: 'password', isRight });
    if (!isRight) throw badRequest('error.current-password');
    await app.state.loginThrottle.succeeded(request.ip, user.name);
    await refuseWeakPassword(body.next, user.name);
    const next = await hashPassword(body.next);
    await inTransaction(db, async (tx) => {
      await savePassword(tx, user.id, next);
      if (body.end_access) await endAccess(tx, user.id, request);
      else await deleteSessions(tx, user.id, request);
    });
    request.log.info({ account: user.id, address: request.ip }, 'password changed by its owner');
    events.dismiss(user.id);
    if (body.end_access) events.announce('share');
  },

  'GET /api/user/confirm/': ({ user }, app) => confirmationFor(app, user),

  'GET /api/user/account/': async ({ user, request }, app) => {
    const account = await findAccount(app.db, user.id);
    if (user.isStaff) await rememberProxyAddress(app, request);
    return { ...serializeAccount(account), address: await archiveAddress(app, request) };
  },

  'POST /api/user/watch-sharing/': async ({ user, body, request }, { db, events }) => {
    await setWatchSharing(db, user.id, body.shares_watch_state);
    request.log.info({ account: user.id, isAllowed: body.shares_watch_state }, 'use of watch states changed by their owner');
    events.announceTo(user.id, 'user');
  },

  'GET /api/user/me/': async ({ user }, { db }) => serializeConfig(await findAccount(db, user.id)),

  'POST /api/user/me/': async ({ user, body }, app) => {
    // A transaction, because several changes can arrive concurrently.
    const config = await inTransaction(app.db, async (tx) => {
      const whole = UserConfig.parse({ ...serializeConfig(await findAccount(tx, user.id)), ...body });
      await saveConfig(tx, user.id, JSON.stringify(whole));
      return whole;
    });
    app.events.announceTo(user.id, 'user');
    return config;
  },
});
