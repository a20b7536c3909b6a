import { pluralize } from '../platform/lib/pluralize.ts';
import { acquireIfFree } from '../app/instance-lock.ts';
import { rotateKey, finishKeyRotation } from '../archive/security/rotate-key.ts';
import { runCommand, withDatabase } from './run-command.ts';

// `npm run cli -- rotate-key`: creates a new key and encrypts all secrets with it. Works while the server runs.

const values = (count: number) => pluralize(count, { one: 'value', other: 'values' });

await runCommand((config) =>
  withDatabase(config, 'rotate-key', async (db) => {
    const held = await acquireIfFree(config);
    try {
      const { resealed, unreadable } = await rotateKey({ db, config });
      if (held) await finishKeyRotation({ db, config });
      return [
        `Created a new key and encrypted ${values(resealed)} with it.`,
        ...(unreadable > 0 ? [`${values(unreadable)} encrypted with a lost key cannot be decrypted.`] : []),
        held
          ? 'Deleted the previous key.'
          : 'The running server uses the new key. The previous key stays in secret.key until the server restarts.',
        'Signed links to videos (Kodi, TVs, VLC) are no longer valid; players request new ones. Logins, passwords and API tokens stay valid.',
        'Earlier backups and snapshots need the previous key. Without it, a restore lists the API tokens, cookies and notification URLs that must be entered again.',
        `Create a backup now, and update your copy of ${config.dataFolder}/secret.key.`,
      ].join('\n');
    } finally {
      await held?.release();
    }
  }),
);
