import type { Archive } from '../archive.ts';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../http/problem.ts';
import { askDirectory } from './directory.ts';
import { accountOfEntry } from './elsewhere.ts';
import { hashPassword, isHashedAnew, isPassword } from './password.ts';
import { findByName, renewHash } from './store.ts';
import { makeThrottle } from './throttle.ts';

/** Counts every try at a password, wherever one is asked for. */
export const throttle = makeThrottle();

/** Somebody who said their name and password. */
interface Known {
  id: number;
  /** The password was made for them, and lets them choose one of their own. */
  isMade: boolean;
}

const away = 'The directory of people (LDAP) cannot be asked just now; the log says why.';

/**
 * Whose name and password these are: those of the directory first, where there is one, then our own. Null: nobody's. A directory that
 * is away keeps nobody out who has a password here, where those count too; for everybody else it throws a Problem that says so.
 */
export async function whoHas(archive: Archive, name: string, password: string): Promise<Known | null> {
  const { config, db, log } = archive;
  const [said] = await Promise.allSettled(config.ldap ? [askDirectory(config.ldap, name, password)] : []);
  if (said?.status === 'fulfilled' && said.value) return { id: await accountOfEntry(archive, said.value), isMade: false };
  if (said?.status === 'rejected') log.warn({ err: said.reason }, 'the directory of people (LDAP) cannot be asked');
  const account = config.hasPasswords ? await findByName(db, name) : undefined;
  if (config.hasPasswords && (await isPassword(password, account?.passwordHash)) && account) {
    const was = account.passwordHash;
    if (!isHashedAnew(was)) await renewHash(db, account.id, was, await hashPassword(password));
    return { id: account.id, isMade: account.mustChoosePassword === 1 };
  }
  // Strangers read this: which address did not answer, and how, is for the log.
  if (said?.status === 'rejected') throw new Problem(503, away, { retryAfterSeconds: 30 });
  return null;
}

/**
 * Writes down that somebody proved, or did not prove, who they are: by which account, its number (null when nobody has that name), and
 * from where. What they typed is not told: a password ends up in the field of the name now and then.
 */
export function noteProof(request: FastifyRequest, said: { account: number | null; by: 'password' | 'oidc'; isRight: boolean }) {
  const { isRight, ...who } = said;
  const line = { ...who, address: request.ip, route: request.routeOptions.url };
  if (isRight) request.log.info(line, 'somebody proved who they are');
  else request.log.warn(line, 'somebody did not prove who they are');
}
