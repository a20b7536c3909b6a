import { counted } from '../counted.ts';
import { holdIfFree } from '../hold.ts';
import { changeKey, dropFormerKeys } from '../service/change-key.ts';
import { byHand, onArchive } from './by-hand.ts';

// `npm run new-key`: another key, and everything that is sealed is sealed with it. May run beside the program.

const values = (count: number) => counted(count, { one: 'value', other: 'values' });

await byHand((config) =>
  onArchive(config, 'new-key', async (db) => {
    const held = await holdIfFree(config);
    try {
      const { anew, closed } = await changeKey({ db, config });
      if (held) await dropFormerKeys({ db, config });
      return [
        `There is a new key, and ${values(anew)} that the former one sealed ${anew === 1 ? 'is' : 'are'} sealed with it.`,
        ...(closed > 0 ? [`${values(closed)} had been sealed with a key that is lost, and can still not be read.`] : []),
        held
          ? 'The former key is gone.'
          : 'The program goes on with it. The former key stays in secret.key until the program starts again.',
        'Signed links to films (Kodi, televisions, VLC) have ended: players ask for new ones. Logins, passwords and API tokens go on.',
        'Backups and snapshots of before need the former key: with the new one API tokens, cookies and notification addresses that are in them must be given again, and a restore names them.',
        `Write a backup now, and copy ${config.dataFolder}/secret.key again to where you keep it.`,
      ].join('\n');
    } finally {
      await held?.release();
    }
  }),
);
