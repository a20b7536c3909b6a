import type { Archive } from '../archive.ts';
import { inTransaction } from '../db/db.ts';
import { Problem } from '../http/problem.ts';
import { accountNamed, refuseOfProvider } from '../http/proxy-user.ts';
import type { DirectoryEntry } from './directory.ts';
import type { Arrived, Journey } from './oidc.ts';
import { addAccount, findByName, setStaff } from './store.ts';

/** The account of somebody whom the directory knows: that of their name, made when there is none. */
export async function accountOfEntry({ db, now }: Archive, { name, isStaff }: DirectoryEntry): Promise<number> {
  const known = await accountNamed(db, name);
  if (known) refuseOfProvider(known);
  const account = known ?? (await addAccount(db, { name, passwordHash: '', isStaff }, now()));
  const { id } = account ?? (await findByName(db, name))!;
  if (isStaff) await setStaff(db, id, true); // whoever the list does not name keeps what they are here
  return id;
}

/**
 * The account of somebody who comes from the OpenID provider: the one that was linked with them, or a new one. An account that
 * merely has the same name is never theirs; names can be chosen.
 */
export async function accountOfArrived(
  { db, now }: Archive,
  { issuer, subject, name, isStaff }: Arrived,
  { linkTo, again }: Pick<Journey, 'linkTo' | 'again'>,
) {
  return inTransaction(db, async (tx) => {
    const known = await tx
      .selectFrom('identity')
      .select('accountId')
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .executeTakeFirst();
    if (again !== null && known?.accountId !== again)
      throw new Problem(409, 'You logged in there as somebody else than here. Nothing was changed; log in there as yourself.');
    if (known && linkTo !== null && known.accountId !== linkTo)
      throw new Problem(409, 'Whoever you are there is linked with another account here.');
    const id = known?.accountId ?? linkTo ?? (await addAccount(tx, { name, passwordHash: '', isStaff: false }, now()))?.id;
    if (id === undefined)
      throw new Problem(
        409,
        `There is an account called ${name} already. Log in to it as before, and link the two under Settings.`,
      );
    if (!known) await tx.insertInto('identity').values({ issuer, subject, accountId: id, addedAt: now() }).execute();
    if (isStaff !== undefined) await setStaff(tx, id, isStaff);
    return id;
  });
}
