import { usersCalls } from '#contract/users.ts';
import { badRequest } from '../../platform/http/http-error.ts';
import { routes } from '../../platform/http/route.ts';
import { listUsers } from './list-users.ts';
import { addUser, updateUser, deleteUser, replacePassword } from './user-admin.ts';

export const userAdminRoutes = routes(usersCalls, {
  'GET /api/users/': (_, { db, now }) => listUsers(db, now()),

  'POST /api/users/': async ({ user, body, request }, archive) => {
    const { username: name, is_staff: isStaff } = body;
    const { id, password } = await addUser(archive, { name, isStaff, password: body.password ?? null });
    request.log.info({ by: user.id, account: id, isStaff }, 'account created');
    const [person] = await listUsers(archive.db, archive.now(), id);
    return { user: person!, password };
  },

  'POST /api/users/:id/': async ({ user, params, body, request }, archive) => {
    const change = { isStaff: body.is_staff, isDisabled: body.is_disabled, mayShare: body.may_share };
    await updateUser(archive, user.id, params.id, change);
    request.log.info({ by: user.id, account: params.id, ...change }, 'account permissions changed');
    const [person] = await listUsers(archive.db, archive.now(), params.id);
    return person!;
  },

  'POST /api/users/:id/password/': async ({ user, params, body, request }, archive) => {
    if (params.id === user.id) throw badRequest('error.own-password');
    const password = await replacePassword(archive, params.id, body.password ?? null);
    request.log.info({ by: user.id, account: params.id }, 'password reset by staff');
    return { password };
  },

  'DELETE /api/users/:id/': async ({ user, params, request }, archive) => {
    const gone = await deleteUser(archive, user.id, params.id);
    request.log.info({ by: user.id, account: params.id }, 'account deleted');
    return gone;
  },
});
