import { inTransaction, type Db } from '../../platform/db/db.ts';
import { ConfigError } from '../../platform/config/config-error.ts';
import { newKey, openKeys, writeKeys, type KeyConfig } from '../../platform/security/key-file.ts';
import { saveFingerprint } from './key-fingerprint.ts';
import { reseal, type ResealResult } from './reseal.ts';

// Replaces the key of all encrypted values (docs/decisions/key-rotation.md). No row may need a key that is in no file: the new
// key is added to the file before any row uses it, and a former key is removed when no row needs it and no process can still
// write one.

type Part = { db: Db; config: KeyConfig };

/**
 * Creates a new key and encrypts everything with it. Former keys stay readable until `finishKeyRotation`.
 * @throws ConfigError if the key is in the environment
 */
export async function rotateKey({ db, config }: Part): Promise<ResealResult> {
  if (config.keys)
    throw new ConfigError(
      `The key is in REELKEEP_KEY. To change it, set REELKEEP_KEY=<new key>,<current key> and restart all servers, which encrypts everything with the new key; then remove the former key and restart again. \`openssl rand -hex 32\` prints a new key. Nothing was changed.`,
    );
  const keys = await openKeys(config);
  return inTransaction(db, async (tx) => {
    await writeKeys(config.dataFolder, [newKey(), ...keys.all]);
    await saveFingerprint(tx, keys);
    return reseal(tx, keys);
  });
}

/**
 * Encrypts remaining values with the current key, then removes the former keys from the file. Requires the lock of the data
 * folder, because another process could write a value with a former key. Also completes an interrupted rotation.
 */
export async function finishKeyRotation({ db, config }: Part): Promise<void> {
  const keys = await openKeys(config);
  // In transactions, so that two CLI commands do not write the file at once. The first one without changes knows that all rows
  // are committed.
  const isLast = () =>
    inTransaction(db, async (tx) => {
      const { resealed } = await reseal(tx, keys);
      if (resealed === 0 && keys.all.length > 1 && !config.keys) await writeKeys(config.dataFolder, [keys.present]);
      return resealed === 0;
    });
  while (!(await isLast()));
}
