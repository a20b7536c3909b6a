import type { FastifyRequest } from 'fastify';
import type { Archive } from '../archive.ts';
import type { Db } from '../db/db.ts';
import { foldName } from '../fold-text.ts';
import { within } from '../networks.ts';
import { forbidden, switchedOff } from './problem.ts';
import type { Caller } from './session.ts';

// A reverse proxy that has logged somebody in says who it is with every request. Nothing is kept of that here: when the proxy
// stops saying so, nobody is logged in.

const longestName = 150;

/** Who a trusted proxy says it is; null when none says anything, or none may. */
export function nameFromProxy({ config }: Archive, request: FastifyRequest): string | null {
  if (!config.userHeader) return null;
  const said = request.headers[config.userHeader];
  // Whoever is connected, not whoever a header says is behind it.
  if (typeof said !== 'string' || said.trim() === '' || !within(config.trustedProxies)(request.socket.remoteAddress)) return null;
  // Node reads headers as Latin-1; proxies write names as UTF-8.
  const name = Buffer.from(said, 'latin1').toString('utf8').trim();
  if (name.length > longestName || /[\p{Cc}\uFFFD]/u.test(name)) throw forbidden('The proxy says a name that cannot be one.');
  return name;
}

/** Who has this name, for whom a directory or a proxy vouches. */
export const accountNamed = (db: Db, name: string) =>
  db
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
    .where('foldedName', '=', foldName(name))
    .executeTakeFirst();

/**
 * Throws where an account was made for somebody who came from an OpenID provider: they chose its name there, so whom a directory or
 * a proxy calls the same is somebody else, for all that is known. Accounts that were linked later are of the same person.
 */
export function refuseOfProvider({ name, isOfProvider }: NonNullable<Awaited<ReturnType<typeof accountNamed>>>): void {
  if (isOfProvider)
    throw forbidden(`The account called ${name} is of somebody who logs in at the OpenID provider. Log in there.`);
}

/** Whose account has this name; null when nobody's. */
export async function callerByName(db: Db, name: string): Promise<Caller | null> {
  const row = await accountNamed(db, name);
  if (!row) return null;
  if (row.isDisabled) throw forbidden(switchedOff);
  refuseOfProvider(row);
  const { id: accountId, config } = row;
  return { accountId, name: row.name, isStaff: row.isStaff + row.isSuperuser > 0, config, csrfToken: null, tokenHash: null };
}

/** An account without rights for a name that is new, and without a password. */
export async function addCaller({ db, now, log }: Archive, name: string): Promise<Caller | null> {
  await db
    .insertInto('account')
    .values({ name, foldedName: foldName(name), passwordHash: '', isStaff: 0, isSuperuser: 0, createdAt: now() })
    .onConflict((c) => c.column('foldedName').doNothing())
    .execute();
  log.info({ name }, 'a person whom the proxy knows has an account from now on');
  return callerByName(db, name);
}
