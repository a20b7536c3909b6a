import { ConfigError } from '../../platform/config/config-error.ts';
import { inTransaction, type Db, type Tx } from '../../platform/db/db.ts';
import { fingerprintOf, type Keys } from '../../platform/security/encryption.ts';

/** Records that the current key encrypts the values of the database. */
export const saveFingerprint = (tx: Db | Tx, keys: Keys) => {
  const fingerprint = fingerprintOf(keys.present);
  return tx
    .insertInto('keyFingerprint')
    .values({ id: 1, fingerprint })
    .onConflict((c) => c.column('id').doUpdateSet({ fingerprint }))
    .execute();
};

/**
 * Records the current key at the first start, and at the start after a change of REELKEEP_KEY.
 * @throws ConfigError if the values of the database are encrypted with a key that is not known here. With another key a server
 *   could read none of them, and would write values that no other server can read.
 */
export const refuseOtherKey = (db: Db, keys: Keys) =>
  inTransaction(db, async (tx) => {
    const known = await tx.selectFrom('keyFingerprint').select('fingerprint').executeTakeFirst();
    if (!known || keys.all.some((key) => fingerprintOf(key) === known.fingerprint)) return void (await saveFingerprint(tx, keys));
    throw new ConfigError(
      `The database was encrypted with another key (${known.fingerprint}; here it is ${fingerprintOf(keys.present)}). Copy secret.key of the data folder that was used before, or set REELKEEP_KEY to its key. If the key is lost, run \`npm run cli -- rotate-key\`: it lists how many API tokens, cookies and notification URLs must be entered again. Nothing was changed.`,
    );
  });
