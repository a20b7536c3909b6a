import { resetPassword } from '../user/reset-password.ts';
import { byHand, nobodyCalled, onArchive } from './by-hand.ts';

// `npm run reset-password -- <name>`: for whoever has lost it but has the machine. May run beside the program.

await byHand((config) =>
  onArchive(config, 'reset-password', async (db) => {
    const name = process.argv[2] ?? config.username;
    const said = await resetPassword(db, name);
    if ('names' in said) throw nobodyCalled(name, said.names);
    return `${name} / ${said.password}\nIt lets ${name} in to choose one of their own. All logins, tokens and links of ${name} have ended.`;
  }),
);
