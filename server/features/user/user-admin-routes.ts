import { usersCalls } from '#contract/users.ts';
import { badRequest } from '../../platform/http/http-error.ts';
import { routes } from '../../platform/http/route.ts';
import { listUsers } from './list-users.ts';
import { addUser, updateUser, deleteUser, replacePassword } from './user-admin.ts';

export const userAdminRoutes = routes(usersCalls, {
  'GET /api/users/': (_, { db, now }) => listUsers(db, now()),

  'POST /api/users/': async ({ user, body, request }, app) => {
    const { username: name, is_staff: isStaff } = body;
    const { id, password } = await addUser(app, { name, isStaff, password: body.password ?? null });
    request.log.info({ by: user.id, account: id, isStaff }, 'account created');
    const [person] = await listUsers(app.db, app.now(), id);
    return { user: person!, password };
  },

  'POST /api/users/:id/': async ({ user, params, body, request }, app) => {
    const change = {
      isStaff: body.is_staff,
      isDisabled: body.is_disabled,
      mayShare: body.may_share,
      mayTranscribe: body.may_transcribe,
    };
    await updateUser(app, user.id, params.id, change);
    request.log.info({ by: user.id, account: params.id, ...change }, 'account permissions changed');
    const [person] = await listUsers(app.db, app.now(), params.id);
    return person!;
  },

  'POST /api/users/:id/password/': async ({ user, params, body, request }, app) => {
    if (params.id === user.id) throw badRequest('error.own-password');
    const password = await replacePassword(app, params.id, body.password ?? null);
    request.log.info({ by: user.id, account: params.id }, 'password reset by staff');
    return { password };
  },

  'DELETE /api/users/:id/': async ({ user, params, request }, app) => {
    const gone = await deleteUser(app, user.id, params.id);
    request.log.info({ by: user.id, account: params.id }, 'account deleted');
    return gone;
  },
});
