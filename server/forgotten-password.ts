import { byHand, refuseOthers } from './by-hand.ts';
import { mustBeThere, openAsItIs } from './open-database.ts';
import { resetPassword } from './user/reset-password.ts';

// `npm run reset-password -- <name>`: for whoever has lost it but has the machine. May run beside the program.

await byHand(async (config) => {
  const name = process.argv[2] ?? config.username;
  await mustBeThere(config);
  await refuseOthers(config, 'reset-password');
  const db = await openAsItIs(config);
  try {
    const said = await resetPassword(db, name);
    if ('password' in said) {
      process.stdout.write(`${name} / ${said.password}\nAll other logins, tokens and links of ${name} have ended.\n`);
      return;
    }
    const names = said.names.length > 0 ? `There are: ${said.names.join(', ')}.` : 'There are none yet; start the program first.';
    process.stderr.write(`There is no account ${name}. ${names}\n`);
    process.exitCode = 1;
  } finally {
    await db.destroy();
  }
});
