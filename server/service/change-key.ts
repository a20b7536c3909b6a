import type { Archive } from '../archive.ts';
import { inTransaction, type Db, type Tx } from '../db/db.ts';
import { newKey, openKeys, writeKeys } from '../key-file.ts';
import { hashOfUrl } from '../notify/targets.ts';
import { isSealedAnew, seal, unseal, type Keys } from '../seal.ts';

// Another key for everything that is sealed (decision 28). What must never be is a row whose key is in no file: the new key joins
// the file before any row is sealed with it, and a former one leaves it when no row needs it and no program may still write one.

interface Sealed {
  /** Values that are sealed with the present key since. */
  anew: number;
  /** Values that none of the keys opens; they stay as they are. */
  closed: number;
}

/** Seals with the present key what is not. Each row changes only as it was read: a program may work beside this. */
async function sealAnew(tx: Tx, keys: Keys): Promise<Sealed> {
  const count: Sealed = { anew: 0, closed: 0 };
  /** The text and its new form; null where nothing is to be done. */
  const turned = (was: string) => {
    if (isSealedAnew(keys, was)) return null;
    try {
      const text = unseal(keys, was);
      count.anew++;
      return { text, sealed: seal(keys, text) };
    } catch {
      count.closed++;
      return null;
    }
  };
  for (const { accountId, sealed: was } of await tx.selectFrom('token').select(['accountId', 'sealed']).execute()) {
    const now = turned(was);
    if (now)
      await tx
        .updateTable('token')
        .set({ sealed: now.sealed })
        .where('accountId', '=', accountId)
        .where('sealed', '=', was)
        .execute();
  }
  for (const { name, sealed: was } of await tx.selectFrom('secret').select(['name', 'sealed']).execute()) {
    const now = turned(was);
    if (now)
      await tx.updateTable('secret').set({ sealed: now.sealed }).where('name', '=', name).where('sealed', '=', was).execute();
  }
  for (const { number, taskName, sealed: was } of await tx.selectFrom('notifyTarget').selectAll().execute()) {
    const now = turned(was);
    if (!now) continue;
    const urlHash = hashOfUrl(keys.present, now.text);
    // The program may have been told the same address again under the new key.
    const isThere = await tx
      .selectFrom('notifyTarget')
      .select('number')
      .where('taskName', '=', taskName)
      .where('urlHash', '=', urlHash)
      .executeTakeFirst();
    if (isThere) await tx.deleteFrom('notifyTarget').where('number', '=', number).execute();
    else await tx.updateTable('notifyTarget').set({ sealed: now.sealed, urlHash }).where('number', '=', number).execute();
    // What is still to be told to an address is found by the very text that the address is kept as.
    await tx.updateTable('outbox').set({ sealed: now.sealed }).where('sealed', '=', was).execute();
  }
  for (const { number, sealed: was } of await tx.selectFrom('outbox').select(['number', 'sealed']).execute()) {
    const now = turned(was);
    if (now) await tx.updateTable('outbox').set({ sealed: now.sealed }).where('number', '=', number).execute();
  }
  return count;
}

type Part = { db: Db; config: Pick<Archive['config'], 'dataFolder'> };

/** Makes a new key and seals everything with it. The former keys stay readable; `dropFormerKeys` ends that. */
export async function changeKey({ db, config: { dataFolder } }: Part): Promise<Sealed> {
  const keys = await openKeys(dataFolder);
  return inTransaction(db, async (tx) => {
    await writeKeys(dataFolder, [newKey(), ...keys.all]);
    return sealAnew(tx, keys);
  });
}

/**
 * Takes the former keys out of the file, once everything that they open is sealed with the present one. For whoever holds the data
 * folder: a program that works beside could be about to write what it sealed a moment ago. Also goes on where a change was cut off.
 */
export async function dropFormerKeys({ db, config: { dataFolder } }: Part): Promise<void> {
  const keys = await openKeys(dataFolder);
  if (keys.all.length === 1) return;
  // In transactions, so that two commands of the console do not write the file at once. The first one that finds nothing to do knows
  // that all rows are committed.
  const isLast = () =>
    inTransaction(db, async (tx) => {
      const { anew } = await sealAnew(tx, keys);
      if (anew === 0) await writeKeys(dataFolder, [keys.present]);
      return anew === 0;
    });
  while (!(await isLast()));
}
