import { z } from 'zod';
import { readStored, writeStored } from '../../archive/settings/store.ts';
import { inTransaction, type Db } from '../../platform/db/db.ts';

const name = 'suggestions.hidden';
const hiddenSeconds = 90 * 86_400;

const Hidden = z.record(z.string(), z.object({ at: z.int(), bytes: z.int() }));
type Hidden = z.infer<typeof Hidden>;

/** Reads the hidden suggestions by key: when they were hidden, and their bytes at that time. */
const readHidden = async (db: Db): Promise<Hidden> => Hidden.safeParse(await readStored(db, name)).data ?? {};

/** Returns whether a suggestion is visible: not hidden, hidden 90 days ago, or its bytes have doubled since. */
export async function visibleAt(db: Db, now: number): Promise<(key: string, bytes: number) => boolean> {
  const hidden = await readHidden(db);
  return (key, bytes) => {
    const own = hidden[key];
    return !own || now - own.at >= hiddenSeconds || bytes >= own.bytes * 2;
  };
}

/** Hides a suggestion of a size, or shows it again (null). Forgets those that are visible again because of their age. */
export const setHidden = (db: Db, key: string, bytes: number | null, now: number) =>
  inTransaction(db, async (tx) => {
    const { [key]: _, ...others } = await readHidden(tx);
    const current = Object.entries(others).filter(([, { at }]) => now - at < hiddenSeconds);
    await writeStored(
      tx,
      name,
      Object.fromEntries([...current, ...(bytes === null ? [] : [[key, { at: now, bytes }] as const])]),
    );
  });
