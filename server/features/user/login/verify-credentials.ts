import { message } from '#contract/messages.ts';
import type { AppContext } from '../../../platform/context/app-context.ts';
import type { FastifyRequest } from 'fastify';
import { HttpError } from '../../../platform/http/http-error.ts';
import { authenticateWithLdap } from './ldap.ts';
import { accountForDirectoryEntry } from './external-accounts.ts';
import { hashPassword, isCurrentHash, matchesPassword } from './password.ts';
import { findByName, renewHash } from '../account/store.ts';

/** A user with verified credentials. */
interface Known {
  id: number;
  /** The password was generated and must be replaced. */
  isMade: boolean;
}

const away = message('error.directory');

/**
 * Verifies a name and password, in the directory first if configured, then locally. Returns null if they are wrong. If the
 * directory is unavailable, local passwords still work where enabled; otherwise it throws an HttpError.
 */
export async function verifyCredentials(app: AppContext, name: string, password: string): Promise<Known | null> {
  const { config, db, log } = app;
  const [directory] = await Promise.allSettled(config.ldap ? [authenticateWithLdap(config.ldap, name, password)] : []);
  if (directory?.status === 'fulfilled' && directory.value)
    return { id: await accountForDirectoryEntry(app, directory.value), isMade: false };
  if (directory?.status === 'rejected') log.warn({ err: directory.reason }, 'cannot query the LDAP directory');
  const account = config.hasPasswords ? await findByName(db, name) : undefined;
  if (config.hasPasswords && (await matchesPassword(password, account?.passwordHash)) && account) {
    const was = account.passwordHash;
    if (!isCurrentHash(was)) await renewHash(db, account.id, was, await hashPassword(password));
    return { id: account.id, isMade: account.mustChoosePassword === 1 };
  }
  // This message is public; details about the failure go to the log.
  if (directory?.status === 'rejected') throw new HttpError(503, away, { retryAfterSeconds: 30 });
  return null;
}

/**
 * Logs the result of an authentication, with the account id (null if the name does not exist) and the address. The entered name
 * is not logged, because users sometimes type their password into that field.
 */
export function recordReauthentication(
  request: FastifyRequest,
  outcome: { account: number | null; by: 'password' | 'oidc'; isRight: boolean },
) {
  const { isRight, ...who } = outcome;
  const line = { ...who, address: request.ip, route: request.routeOptions.url };
  if (isRight) request.log.info(line, 'authentication succeeded');
  else request.log.warn(line, 'authentication failed');
}
