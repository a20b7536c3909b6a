import { parseArgs } from 'node:util';
import { NewUserName } from '#contract/users.ts';
import type { Config } from '../platform/config/config.ts';
import { createBroadcaster } from '../platform/http/live-updates/broadcaster.ts';
import { listUsers } from '../features/user/list-users.ts';
import { addUser, updateUser } from '../features/user/user-admin.ts';
import { runCommand, withDatabase, findUserByName, secondsNow } from './run-command.ts';

// `npm run cli -- user list | add <name> [--staff] | disable <name> | enable <name>`: manages accounts. Works while the server
// runs.

const { values, positionals } = parseArgs({ allowPositionals: true, options: { staff: { type: 'boolean', default: false } } });
const [verb = 'list', name = '', ...others] = positionals;

const change = (config: Config) =>
  withDatabase(config, 'user', async (db) => {
    const people = await listUsers(db, secondsNow());
    if (verb === 'list')
      return people
        .map((one) => `${one.name}${one.is_staff ? ', staff' : ''}${one.is_disabled ? ', switched off' : ''}`)
        .join('\n');
    if (verb === 'add') {
      const called = NewUserName.safeParse(name);
      if (!called.success) throw new Error(`Invalid user name: ${called.error.issues[0]?.message}`);
      const user = { name: called.data, password: null, isStaff: values.staff };
      const { password } = await addUser({ db, now: secondsNow }, user);
      return `${called.data} / ${password}\nIt is shown only this once; at the first login they choose one of their own.`;
    }
    const person = findUserByName(name, people);
    const isDisabled = verb === 'disable';
    await updateUser({ db, events: createBroadcaster() }, null, person.id, { isStaff: undefined, isDisabled });
    return isDisabled
      ? `${person.name} cannot log in any more. All logins, tokens and links of ${person.name} have ended.`
      : `${person.name} can log in again.`;
  });

const wantsName = ['add', 'disable', 'enable'].includes(verb);
if ((!wantsName && verb !== 'list') || wantsName !== (name !== '') || others.length > 0) {
  console.error('Say what to do: npm run cli -- user list | add <name> [--staff] | disable <name> | enable <name>');
  process.exitCode = 2;
} else await runCommand(change);
