import { pluralize } from '../platform/lib/pluralize.ts';
import { deleteSessions } from '../platform/http/auth/session.ts';
import { listUsers } from '../features/user/list-users.ts';
import { runCommand, withDatabase, findUserByName, secondsNow } from './run-command.ts';

// `npm run cli -- sessions clear [<name>]`: ends the sessions of all users, or of one. Works while the server runs. API tokens
// are kept.

const [verb, name, ...others] = process.argv.slice(2);

if (verb !== 'clear' || others.length > 0) {
  console.error('Say what to do: npm run cli -- sessions clear [<name>]');
  process.exitCode = 2;
} else
  await runCommand((config) =>
    withDatabase(config, 'sessions', async (db) => {
      const people = await listUsers(db, secondsNow());
      const meant = name === undefined ? people : [findUserByName(name, people)];
      const count = meant.reduce((sum, { sessions }) => sum + sessions, 0);
      for (const { id } of meant) await deleteSessions(db, id);
      return `${pluralize(count, { one: 'login has', other: 'logins have' })} ended.`;
    }),
  );
