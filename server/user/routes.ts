import { UserConfig, userCalls } from '#contract/user.ts';
import { inTransaction } from '../db/db.ts';
import { refused, switchedOff } from '../http/problem.ts';
import { routes } from '../http/route.ts';
import { beginSession, endSessions, endSession } from '../http/session.ts';
import { choosePassword } from './choose-password.ts';
import { confirmationOf } from './confirm.ts';
import { arrive, leave, leaveToLink } from './oidc-routes.ts';
import { hashPassword } from './password.ts';
import { isOwnPassword, refuseElsewhere } from './prove.ts';
import { shapeAccount, shapeConfig } from './shape.ts';
import { findAccount, findByName, noteLogin, saveConfig, savePassword } from './store.ts';
import { refuseWeak } from './weak-password.ts';
import { noteProof, throttle, whoHas } from './whose-password.ts';

export const userRoutes = routes(userCalls, {
  'POST /api/user/login/': async ({ body, request, reply }, archive) => {
    const { username, password } = body;
    await throttle.attempt(request.ip, username);
    const known = await whoHas(archive, username, password);
    if (!known) {
      archive.meter.loginFailures.inc();
      const account = (await findByName(archive.db, username))?.id ?? null;
      noteProof(request, { account, by: 'password', isRight: false });
      throw refused('Invalid credentials');
    }
    await throttle.succeeded(request.ip, username);
    const { id, isMade } = known;
    noteProof(request, { account: id, by: 'password', isRight: true });
    if ((await findAccount(archive.db, id)).isDisabled) throw refused(switchedOff);
    if (isMade) {
      await choosePassword(archive, id, password, body.new_password);
      request.log.info({ account: id, address: request.ip }, 'a password was changed by its owner');
    }
    await noteLogin(archive.db, id, archive.now());
    await beginSession(archive, request, reply, id, { remember: body.remember_me === 'on', provedAt: archive.now() });
  },

  'GET /api/user/ways/': (_, { config }) => ({
    password: config.hasPasswords || config.ldap !== undefined,
    oidc: config.oidc?.name ?? null,
    logout_url: (config.userHeader && config.proxyLogoutUrl) ?? null,
  }),

  'GET /api/user/oidc/': (call, archive) => leave(call, archive, null),
  'GET /api/user/oidc/again/': (call, archive) => leave(call, archive, call.user.id),
  'POST /api/user/oidc/link/': (call, archive) => leaveToLink(call, archive),
  'GET /api/user/oidc/callback/': ({ request, reply, url }, archive) => arrive(archive, request, reply, url.search),

  'POST /api/user/logout/': async ({ user, request, reply }, { db, events }) => {
    // What the browser kept of videos and pictures goes. Not "cookies": that would log out of everything on this host, on
    // every port; ours are taken back by name. Not "storage": volume and theme are no secrets.
    reply.header('Clear-Site-Data', '"cache"');
    await endSession(db, request, reply);
    request.log.info({ account: user.id, address: request.ip }, 'somebody logged out');
    events.dismiss(user.id);
  },

  'POST /api/user/password/': async ({ user, body, request }, archive) => {
    const { db, events } = archive;
    await refuseElsewhere(archive, user);
    await throttle.attempt(request.ip, user.name);
    const isRight = await isOwnPassword(archive, { user, request }, body.current);
    noteProof(request, { account: user.id, by: 'password', isRight });
    if (!isRight) throw refused('That is not your present password.');
    await throttle.succeeded(request.ip, user.name);
    await refuseWeak(body.next, user.name);
    const next = await hashPassword(body.next);
    await inTransaction(db, async (tx) => {
      await savePassword(tx, user.id, next);
      await endSessions(tx, user.id, request);
    });
    request.log.info({ account: user.id, address: request.ip }, 'a password was changed by its owner');
    events.dismiss(user.id);
  },

  'GET /api/user/confirm/': ({ user }, archive) => confirmationOf(archive, user),

  'GET /api/user/account/': async ({ user }, { db }) => shapeAccount(await findAccount(db, user.id)),

  'GET /api/user/me/': async ({ user }, { db }) => shapeConfig(await findAccount(db, user.id)),

  'POST /api/user/me/': async ({ user, body }, archive) => {
    // Somebody may choose several things one after the other and not wait.
    const config = await inTransaction(archive.db, async (tx) => {
      const whole = UserConfig.parse({ ...shapeConfig(await findAccount(tx, user.id)), ...body });
      await saveConfig(tx, user.id, JSON.stringify(whole));
      return whole;
    });
    archive.events.announceTo(user.id, 'user');
    return config;
  },
});
