import { peopleCalls } from '#contract/people.ts';
import { refused } from '../http/problem.ts';
import { routes } from '../http/route.ts';
import { listPeople } from './list-people.ts';
import { addPerson, changePerson, deletePerson, replacePassword } from './people.ts';

export const peopleRoutes = routes(peopleCalls, {
  'GET /api/user/people/': (_, { db, now }) => listPeople(db, now()),

  'POST /api/user/people/': async ({ body }, archive) => {
    const { username: name, is_staff: isStaff } = body;
    const { id, password } = await addPerson(archive, { name, isStaff, password: body.password ?? null });
    const [person] = await listPeople(archive.db, archive.now(), id);
    return { person: person!, password };
  },

  'POST /api/user/people/:id/': async ({ user, params, body }, archive) => {
    await changePerson(archive, user.id, params.id, { isStaff: body.is_staff, isDisabled: body.is_disabled });
    const [person] = await listPeople(archive.db, archive.now(), params.id);
    return person!;
  },

  'POST /api/user/people/:id/password/': async ({ user, params, body }, archive) => {
    if (params.id === user.id) throw refused('Change your own password on your own page.');
    return { password: await replacePassword(archive, params.id, body.password ?? null) };
  },

  'DELETE /api/user/people/:id/': ({ user, params }, archive) => deletePerson(archive, user.id, params.id),
});
