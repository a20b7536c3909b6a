import { message, type Message } from '#contract/messages.ts';
import type { FastifyRequest } from 'fastify';
import type { AppContext } from '../../context/app-context.ts';
import type { Db } from '../../db/db.ts';
import { normalizeName } from '../../lib/normalize-text.ts';
import { isWithin } from '../../config/ip-networks.ts';
import { forbidden, accountDisabled, HttpError } from '../http-error.ts';
import type { Caller } from './session.ts';

// A reverse proxy sends the name of the logged-in user with every request. No session is created: without the header no user is
// logged in. See docs/decisions/external-login.md.

const maxNameLength = 150;

/**
 * Returns why a user name from a proxy, directory or provider is invalid, or null. Invisible characters are rejected, because the
 * name could look like that of another user.
 */
export function missingNameReason(name: string): Message | null {
  const isVisible = !/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\uFFFD]/u.test(name);
  if (name !== '' && name.length <= maxNameLength && name === name.trim() && isVisible) return null;
  return message('error.external-name');
}

/** Returns the user name sent by a trusted proxy, or null. */
export function nameFromProxy({ config }: AppContext, request: FastifyRequest): string | null {
  if (!config.userHeader) return null;
  const headerValue = request.headers[config.userHeader];
  // The address of the connection, not that of a forwarded header.
  if (
    typeof headerValue !== 'string' ||
    headerValue.trim() === '' ||
    !isWithin(config.trustedProxies)(request.socket.remoteAddress)
  )
    return null;
  // Node joins repeated headers with commas, which a name may contain.
  const { rawHeaders } = request.raw;
  if (rawHeaders.filter((header, index) => index % 2 === 0 && header.toLowerCase() === config.userHeader).length > 1)
    throw forbidden('error.repeated-header', { header: config.userHeader });
  // Node decodes headers as Latin-1; proxies send UTF-8.
  const name = Buffer.from(headerValue, 'latin1').toString('utf8');
  const why = missingNameReason(name);
  if (why) throw new HttpError(403, why, { key: 'detail' });
  return name;
}

/**
 * Finds the account with this or a similar-looking name. The caller has to check with `nameConflictReason` that it belongs to the
 * user.
 */
export const findProxyAccount = (db: Db, name: string) =>
  db.lookups
    .selectFrom('account')
    .select(['id', 'name', 'isStaff', 'isSuperuser', 'config', 'isDisabled'])
    .select((e) =>
      e
        .exists(
          e
            .selectFrom('identity')
            .select('identity.subject')
            .whereRef('identity.accountId', '=', 'account.id')
            .whereRef('identity.addedAt', '<=', 'account.createdAt'),
        )
        .as('isOfProvider'),
    )
    .where('normalizedName', '=', normalizeName(name))
    .executeTakeFirst();

/**
 * Returns why an account does not belong to the user with this name at a directory or proxy, or null. Either the name only looks
 * similar, or the account was created for a user of an OpenID provider, who chose the name there. Accounts that were linked later
 * belong to the same user.
 */
export function nameConflictReason(
  account: NonNullable<Awaited<ReturnType<typeof findProxyAccount>>>,
  name: string,
): Message | null {
  if (account.name.normalize('NFC') !== name.normalize('NFC')) return message('error.look-alike', { name: account.name });
  if (account.isOfProvider) return message('error.provider-account', { name: account.name });
  return null;
}

/**
 * Returns the caller with exactly this name, or null.
 * @throws forbidden if the name only looks like that of an account
 */
export async function callerByName(db: Db, name: string): Promise<Caller | null> {
  const row = await findProxyAccount(db, name);
  if (!row) return null;
  const why = nameConflictReason(row, name) ?? (row.isDisabled ? accountDisabled : null);
  if (why) throw new HttpError(403, why, { key: 'detail' });
  const { id: accountId, config } = row;
  const isStaff = row.isStaff + row.isSuperuser > 0;
  return { accountId, name: row.name, isStaff, config, csrfToken: null, tokenHash: null, scopes: null };
}

/** Creates an account without rights and without a password for a new name. */
export async function addCaller({ db, now, log }: AppContext, name: string): Promise<Caller | null> {
  await db
    .insertInto('account')
    .values({ name, normalizedName: normalizeName(name), passwordHash: '', isStaff: 0, isSuperuser: 0, createdAt: now() })
    .onConflict((c) => c.column('normalizedName').doNothing())
    .execute();
  log.info({ name }, 'created an account for a user of the proxy');
  return callerByName(db, name);
}
