import type { Db, Tx } from '../../platform/db/db.ts';
import {
  hashOfUrl,
  isSealedWithPresentKey,
  mediaServerPurpose,
  seal,
  unseal,
  type Keys,
  type Purpose,
} from '../../platform/security/encryption.ts';

export interface ResealResult {
  /** Values that were encrypted again with the current key and their purpose. */
  resealed: number;
  /** Values that no key decrypts; they stay unchanged. */
  unreadable: number;
}

/** An encrypted value that no other column depends on. `key`: the primary key of its row. */
interface SealedValue {
  table: 'token' | 'secret' | 'podcast' | 'share' | 'mediaServer' | 'mediaServerPerson';
  key: Record<string, string | number>;
  purpose: Purpose;
  sealed: string;
}

async function readSealedValues(db: Db | Tx): Promise<SealedValue[]> {
  const tokens = await db.selectFrom('token').select(['accountId', 'sealed']).execute();
  const secrets = await db.selectFrom('secret').select(['name', 'sealed']).execute();
  const podcasts = await db.selectFrom('podcast').select(['number', 'secretHash', 'sealed']).execute();
  const shares = await db.selectFrom('share').select(['number', 'secretHash', 'sealed']).execute();
  const servers = await db.selectFrom('mediaServer').select(['number', 'address', 'sealed']).execute();
  const persons = await db
    .selectFrom('mediaServerPerson')
    .innerJoin('mediaServer', 'mediaServer.number', 'serverNumber')
    .select(['serverNumber', 'accountId', 'mediaServer.address', 'mediaServerPerson.sealed'])
    .execute();
  const values: (Omit<SealedValue, 'sealed'> & { sealed: string | null })[] = [
    ...tokens.map(({ sealed, ...key }) => ({ table: 'token' as const, key, purpose: `token.${key.accountId}` as const, sealed })),
    ...secrets.map(({ sealed, ...key }) => ({ table: 'secret' as const, key, purpose: `secret.${key.name}` as const, sealed })),
    ...podcasts.map(({ number, secretHash, sealed }) => ({
      table: 'podcast' as const,
      key: { number },
      purpose: `link.${secretHash}` as const,
      sealed,
    })),
    ...shares.map(({ number, secretHash, sealed }) => ({
      table: 'share' as const,
      key: { number },
      purpose: `link.${secretHash}` as const,
      sealed,
    })),
    ...servers.map(({ sealed, number, address }) => ({
      table: 'mediaServer' as const,
      key: { number },
      purpose: mediaServerPurpose({ number, address }),
      sealed,
    })),
    ...persons.map(({ sealed, address, ...key }) => ({
      table: 'mediaServerPerson' as const,
      key,
      purpose: mediaServerPurpose({ number: key.serverNumber, address }),
      sealed,
    })),
  ];
  return values.flatMap(({ sealed, ...value }) => (sealed === null ? [] : [{ ...value, sealed }]));
}

/**
 * Encrypts values of former keys, and values of earlier versions without a purpose, with the current key and their purpose. A row
 * is changed only if it still has the value that was read, because a server may run at the same time.
 */
export async function reseal(db: Db | Tx, keys: Keys): Promise<ResealResult> {
  const count: ResealResult = { resealed: 0, unreadable: 0 };
  /** Returns the plain text and its new encrypted form, or null if nothing is to be done. */
  const reencrypt = (purpose: Purpose, before: string) => {
    if (isSealedWithPresentKey(keys, before)) return null;
    try {
      const text = unseal(keys, purpose, before, { orWithoutPurpose: true });
      count.resealed++;
      return { text, sealed: seal(keys, purpose, text) };
    } catch {
      count.unreadable++;
      return null;
    }
  };
  for (const { table, key, purpose, sealed: before } of await readSealedValues(db)) {
    const reencrypted = reencrypt(purpose, before);
    if (reencrypted)
      await db
        .updateTable(table as 'token')
        .set({ sealed: reencrypted.sealed })
        .where((w) => w.and(key as { accountId: number }))
        .where('sealed', '=', before)
        .execute();
  }
  for (const { number, taskName, sealed: before } of await db.selectFrom('notifyTarget').selectAll().execute()) {
    const reencrypted = reencrypt('notify-url', before);
    if (!reencrypted) continue;
    const urlHash = hashOfUrl(keys.present, reencrypted.text);
    // The same URL may have been added again under the new key.
    const duplicate = await db
      .selectFrom('notifyTarget')
      .select('number')
      .where('taskName', '=', taskName)
      .where('urlHash', '=', urlHash)
      .where('number', '!=', number)
      .executeTakeFirst();
    if (duplicate) await db.deleteFrom('notifyTarget').where('number', '=', number).execute();
    else await db.updateTable('notifyTarget').set({ sealed: reencrypted.sealed, urlHash }).where('number', '=', number).execute();
    // Outbox entries refer to a target by its encrypted URL.
    await db.updateTable('outbox').set({ sealed: reencrypted.sealed }).where('sealed', '=', before).execute();
  }
  for (const { number, sealed: before } of await db.selectFrom('outbox').select(['number', 'sealed']).execute()) {
    const reencrypted = reencrypt('notify-url', before);
    if (reencrypted) await db.updateTable('outbox').set({ sealed: reencrypted.sealed }).where('number', '=', number).execute();
  }
  return count;
}
