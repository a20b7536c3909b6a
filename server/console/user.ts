import { parseArgs } from 'node:util';
import { PersonName } from '#contract/people.ts';
import type { Config } from '../config.ts';
import { openEvents } from '../http/events.ts';
import { listPeople } from '../user/list-people.ts';
import { addPerson, changePerson } from '../user/people.ts';
import { byHand, onArchive, personCalled, secondsNow } from './by-hand.ts';

// `npm run user -- list | add <name> [--staff] | disable <name> | enable <name>`: who may log in, for whoever has the machine. May
// run beside the program.

const { values, positionals } = parseArgs({ allowPositionals: true, options: { staff: { type: 'boolean', default: false } } });
const [verb = 'list', name = '', ...others] = positionals;

const change = (config: Config) =>
  onArchive(config, 'user', async (db) => {
    const people = await listPeople(db, secondsNow());
    if (verb === 'list')
      return people
        .map((one) => `${one.name}${one.is_staff ? ', staff' : ''}${one.is_disabled ? ', switched off' : ''}`)
        .join('\n');
    if (verb === 'add') {
      const called = PersonName.safeParse(name);
      if (!called.success) throw new Error(`Nobody can be called that: ${called.error.issues[0]?.message}`);
      const wish = { name: called.data, password: null, isStaff: values.staff };
      const { password } = await addPerson({ db, now: secondsNow }, wish);
      return `${called.data} / ${password}\nIt is shown only this once; at the first login they choose one of their own.`;
    }
    const person = personCalled(name, people);
    const isDisabled = verb === 'disable';
    await changePerson({ db, events: openEvents() }, null, person.id, { isStaff: undefined, isDisabled });
    return isDisabled
      ? `${person.name} cannot log in any more. All logins, tokens and links of ${person.name} have ended.`
      : `${person.name} can log in again.`;
  });

const wantsName = ['add', 'disable', 'enable'].includes(verb);
if ((!wantsName && verb !== 'list') || wantsName !== (name !== '') || others.length > 0) {
  console.error('Say what to do: npm run user -- list | add <name> [--staff] | disable <name> | enable <name>');
  process.exitCode = 2;
} else await byHand(change);
