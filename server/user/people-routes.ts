import { peopleCalls } from '#contract/people.ts';
import { refused } from '../http/problem.ts';
import { routes } from '../http/route.ts';
import { listPeople } from './list-people.ts';
import { addPerson, changePerson, deletePerson, replacePassword } from './people.ts';

export const peopleRoutes = routes(peopleCalls, {
  'GET /api/user/people/': (_, { db, now }) => listPeople(db, now()),

  'POST /api/user/people/': async ({ user, body, request }, archive) => {
    const { username: name, is_staff: isStaff } = body;
    const { id, password } = await addPerson(archive, { name, isStaff, password: body.password ?? null });
    request.log.info({ by: user.id, account: id, isStaff }, 'an account was added');
    const [person] = await listPeople(archive.db, archive.now(), id);
    return { person: person!, password };
  },

  'POST /api/user/people/:id/': async ({ user, params, body, request }, archive) => {
    const change = { isStaff: body.is_staff, isDisabled: body.is_disabled };
    await changePerson(archive, user.id, params.id, change);
    request.log.info({ by: user.id, account: params.id, ...change }, 'what an account may was changed');
    const [person] = await listPeople(archive.db, archive.now(), params.id);
    return person!;
  },

  'POST /api/user/people/:id/password/': async ({ user, params, body, request }, archive) => {
    if (params.id === user.id) throw refused('Change your own password on your own page.');
    const password = await replacePassword(archive, params.id, body.password ?? null);
    request.log.info({ by: user.id, account: params.id }, 'a password was replaced by staff');
    return { password };
  },

  'DELETE /api/user/people/:id/': async ({ user, params, request }, archive) => {
    const gone = await deletePerson(archive, user.id, params.id);
    request.log.info({ by: user.id, account: params.id }, 'an account was deleted');
    return gone;
  },
});
