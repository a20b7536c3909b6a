import { readConfig } from './config.ts';
import { openDatabase } from './open-archive.ts';
import { resetPassword } from './user/reset-password.ts';

// `npm run reset-password -- <name>`: for whoever has lost it but has the machine. May run beside the program.

const config = readConfig(process.env);
const name = process.argv[2] ?? config.username;
const db = await openDatabase(config);
const said = await resetPassword(db, name);
await db.destroy();
if ('password' in said)
  process.stdout.write(`${name} / ${said.password}\nAll other logins, tokens and links of ${name} have ended.\n`);
else {
  const names = said.names.length > 0 ? `There are: ${said.names.join(', ')}.` : 'There are none yet; start the program first.';
  process.stderr.write(`There is no account ${name}. ${names}\n`);
  process.exitCode = 1;
}
