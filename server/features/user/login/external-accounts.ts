import type { LoginProblem } from '#contract/user.ts';
import type { AppContext } from '../../../platform/context/app-context.ts';
import { inTransaction } from '../../../platform/db/db.ts';
import { HttpError } from '../../../platform/http/http-error.ts';
import { findProxyAccount, missingNameReason, nameConflictReason } from '../../../platform/http/auth/forward-auth.ts';
import type { DirectoryEntry } from './ldap.ts';
import type { OidcLogin, LoginFlow } from './oidc.ts';
import { addAccount, setStaff } from '../account/store.ts';

/** Returns the account with exactly this name. @throws if the account does not belong to the directory entry. */
async function findOfEntry({ db }: AppContext, name: string): Promise<number | undefined> {
  const known = await findProxyAccount(db, name);
  const why = missingNameReason(name) ?? (known ? nameConflictReason(known, name) : null);
  if (why) throw new HttpError(400, why);
  return known?.id;
}

/** Returns the account for a directory entry; creates it if there is none with that name. */
export async function accountForDirectoryEntry(app: AppContext, { name, isStaff }: DirectoryEntry): Promise<number> {
  const { db, now } = app;
  const id =
    (await findOfEntry(app, name)) ??
    (await addAccount(db, { name, passwordHash: '', isStaff }, now()))?.id ??
    (await findOfEntry(app, name))!; // created by a concurrent login
  if (isStaff) await setStaff(db, id, true); // users that the staff list does not name keep their role
  return id;
}

/** A login through the OpenID provider was refused. */
export class LoginRefusedError extends Error {
  readonly why: LoginProblem;
  constructor(why: LoginProblem) {
    super(why);
    this.why = why;
  }
}

/**
 * Returns the account of an OpenID login: the linked one, or a new one. An existing account with the same name is never used,
 * because users can choose their name at the provider.
 */
export async function accountForOidcLogin(
  { db, now }: AppContext,
  { issuer, subject, name, isStaff }: OidcLogin,
  { linkTo, again }: Pick<LoginFlow, 'linkTo' | 'again'>,
) {
  return inTransaction(db, async (tx) => {
    const known = await tx
      .selectFrom('identity')
      .select('accountId')
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .executeTakeFirst();
    if (again !== null && known?.accountId !== again) throw new LoginRefusedError('other-person');
    if (known && linkTo !== null && known.accountId !== linkTo) throw new LoginRefusedError('linked-elsewhere');
    if (!known && linkTo === null && missingNameReason(name)) throw new LoginRefusedError('bad-name');
    const id = known?.accountId ?? linkTo ?? (await addAccount(tx, { name, passwordHash: '', isStaff: false }, now()))?.id;
    if (id === undefined) throw new LoginRefusedError('name-taken');
    if (!known) await tx.insertInto('identity').values({ issuer, subject, accountId: id, addedAt: now() }).execute();
    if (isStaff !== undefined) await setStaff(tx, id, isStaff);
    return id;
  });
}
