import { UserConfig, userCalls } from '#contract/user.ts';
import { refused } from '../http/problem.ts';
import { routes } from '../http/route.ts';
import { beginSession, endSession } from '../http/session.ts';
import { isPassword } from './password.ts';
import { shapeAccount, shapeConfig } from './shape.ts';
import { findAccount, findByName, noteLogin, saveConfig } from './store.ts';
import { makeThrottle } from './throttle.ts';

const throttle = makeThrottle();

export const userRoutes = routes(userCalls, {
  'POST /api/user/login/': async ({ body, request, reply }, archive) => {
    const { username, password } = body;
    await throttle.check(request.ip, username);
    const account = await findByName(archive.db, username);
    if (!(await isPassword(password, account?.passwordHash)) || !account) {
      await throttle.failed(request.ip, username);
      throw refused('Invalid credentials');
    }
    await throttle.succeeded(request.ip, username);
    await noteLogin(archive.db, account.id, archive.now());
    await beginSession(archive, request, reply, account.id, body.remember_me === 'on');
  },

  'POST /api/user/logout/': ({ request, reply }, { db }) => endSession(db, request, reply),

  'GET /api/user/account/': async ({ user }, { db }) => shapeAccount(await findAccount(db, user.id)),

  'GET /api/user/me/': async ({ user }, { db }) => shapeConfig(await findAccount(db, user.id)),

  'POST /api/user/me/': async ({ user, body }, archive) => {
    const config = UserConfig.parse({ ...shapeConfig(await findAccount(archive.db, user.id)), ...body });
    await saveConfig(archive.db, user.id, JSON.stringify(config));
    archive.announce('user');
    return config;
  },
});
