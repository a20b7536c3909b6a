import { resetPassword } from '../features/user/reset-password.ts';
import { runCommand, unknownUserError, withDatabase } from './run-command.ts';

// `npm run cli -- reset-password <name>`: sets a new password for a user who has lost it. Works while the server runs.

await runCommand((config) =>
  withDatabase(config, 'reset-password', async (db) => {
    const name = process.argv[2] ?? config.username;
    const result = await resetPassword(db, name);
    if ('names' in result) throw unknownUserError(name, result.names);
    return `${name} / ${result.password}\nIt lets ${name} in to choose one of their own. All logins, tokens and links of ${name} have ended.`;
  }),
);
