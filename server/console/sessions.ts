import { counted } from '../counted.ts';
import { endSessions } from '../http/session.ts';
import { listPeople } from '../user/list-people.ts';
import { byHand, onArchive, personCalled, secondsNow } from './by-hand.ts';

// `npm run sessions -- clear [<name>]`: everybody, or one person, has to log in again. May run beside the program. API tokens stay.

const [verb, name, ...others] = process.argv.slice(2);

if (verb !== 'clear' || others.length > 0) {
  console.error('Say what to do: npm run sessions -- clear [<name>]');
  process.exitCode = 2;
} else
  await byHand((config) =>
    onArchive(config, 'sessions', async (db) => {
      const people = await listPeople(db, secondsNow());
      const meant = name === undefined ? people : [personCalled(name, people)];
      const count = meant.reduce((sum, { sessions }) => sum + sessions, 0);
      for (const { id } of meant) await endSessions(db, id);
      return `${counted(count, { one: 'login has', other: 'logins have' })} ended.`;
    }),
  );
