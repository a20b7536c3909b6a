import { UserConfig, userCalls } from '#contract/user.ts';
import { inTransaction } from '../db/db.ts';
import { refused } from '../http/problem.ts';
import { routes } from '../http/route.ts';
import { beginSession, endSessions, endSession } from '../http/session.ts';
import { hashPassword, isPassword } from './password.ts';
import { shapeAccount, shapeConfig } from './shape.ts';
import { findAccount, findByName, noteLogin, saveConfig, savePassword } from './store.ts';
import { makeThrottle } from './throttle.ts';

const throttle = makeThrottle();

export const userRoutes = routes(userCalls, {
  'POST /api/user/login/': async ({ body, request, reply }, archive) => {
    const { username, password } = body;
    await throttle.attempt(request.ip, username);
    const account = await findByName(archive.db, username);
    if (!(await isPassword(password, account?.passwordHash)) || !account) {
      archive.meter.loginFailures.inc();
      throw refused('Invalid credentials');
    }
    await throttle.succeeded(request.ip, username);
    await noteLogin(archive.db, account.id, archive.now());
    await beginSession(archive, request, reply, account.id, body.remember_me === 'on');
  },

  'POST /api/user/logout/': async ({ request, reply }, { db }) => {
    // What the browser kept of videos and pictures goes. Not "cookies": that would log out of everything on this host, on
    // every port; ours are taken back by name. Not "storage": volume and theme are no secrets.
    reply.header('Clear-Site-Data', '"cache"');
    await endSession(db, request, reply);
  },

  'POST /api/user/password/': async ({ user, body, request }, { db }) => {
    await throttle.attempt(request.ip, user.name);
    const { passwordHash } = await findAccount(db, user.id);
    if (!(await isPassword(body.current, passwordHash))) throw refused('That is not your present password.');
    await throttle.succeeded(request.ip, user.name);
    const next = await hashPassword(body.next);
    await inTransaction(db, async (tx) => {
      await savePassword(tx, user.id, next);
      await endSessions(tx, user.id, request);
    });
  },

  'GET /api/user/account/': async ({ user }, { db }) => shapeAccount(await findAccount(db, user.id)),

  'GET /api/user/me/': async ({ user }, { db }) => shapeConfig(await findAccount(db, user.id)),

  'POST /api/user/me/': async ({ user, body }, archive) => {
    const config = UserConfig.parse({ ...shapeConfig(await findAccount(archive.db, user.id)), ...body });
    await saveConfig(archive.db, user.id, JSON.stringify(config));
    archive.events.announceTo(user.id, 'user');
    return config;
  },
});
