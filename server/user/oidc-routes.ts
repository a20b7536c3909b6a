import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Archive } from '../archive.ts';
import { cameFrom } from '../http/guard.ts';
import { notFound, Problem, switchedOff } from '../http/problem.ts';
import type { User } from '../http/route.ts';
import { beginSession } from '../http/session.ts';
import { accountOfArrived } from './elsewhere.ts';
import { arriveFromProvider, journeySeconds, leaveForProvider, readJourney, type Journey } from './oidc.ts';
import { isFresh } from './prove.ts';
import { findAccount, noteLogin } from './store.ts';
import { noteProof } from './whose-password.ts';

const cookie = 'oidc';
const callbackPath = '/api/user/oidc/callback/';

const cookieSettings = (request: FastifyRequest) =>
  ({
    path: `${request.basePath}/api/user/oidc/`,
    httpOnly: true,
    sameSite: 'lax',
    secure: request.protocol === 'https',
  }) as const;

interface Leaving {
  request: FastifyRequest;
  reply: FastifyReply;
}

const away = 'The page for logging in cannot be reached just now. Try again in a minute.';

/** Where a browser goes to log in at the provider, which keeps what it needs to come back; null when that cannot be asked. */
async function wayThere(archive: Archive, { request, reply }: Leaving, wish: Pick<Journey, 'next' | 'linkTo' | 'again'>) {
  const { oidc } = archive.config;
  if (!oidc) throw notFound('OpenID provider');
  const redirectUri = `${request.protocol}://${request.host}${request.basePath}${callbackPath}`;
  try {
    const { address, kept } = await leaveForProvider(archive, oidc, { redirectUri, ...wish });
    reply.setCookie(cookie, kept, { ...cookieSettings(request), maxAge: journeySeconds });
    return address;
  } catch (error) {
    archive.log.warn({ err: error }, 'the OpenID provider cannot be asked');
    return null;
  }
}

/** Sends a browser to the provider; `again`: whose owner is to log in there again. */
export async function leave(call: Leaving & { query: { next: string } }, archive: Archive, again: number | null): Promise<void> {
  const { query, request, reply } = call;
  const { next } = query;
  if (!archive.config.oidc) throw notFound('OpenID provider');
  // A page elsewhere must not log somebody in unasked.
  if (cameFrom(request) === 'elsewhere') {
    await reply.redirect(`${request.basePath}/login/?${new URLSearchParams({ next })}`, 302);
    return;
  }
  const address = await wayThere(archive, call, { next, linkTo: null, again });
  if (address) await reply.redirect(address, 302);
  else await back(request, reply, away);
}

/** Says where a browser goes that links whoever its owner is at the provider with their account here. */
export async function leaveToLink(call: Leaving & { user: User; body: { next: string } }, archive: Archive) {
  const address = await wayThere(archive, call, { next: call.body.next, linkTo: call.user.id, again: null });
  if (!address) throw new Problem(503, away, { retryAfterSeconds: 60 });
  return { address };
}

/** Takes a browser in that comes back, and lets it go on where it wanted to. */
export async function arrive(archive: Archive, request: FastifyRequest, reply: FastifyReply, query: string): Promise<void> {
  const { oidc } = archive.config;
  if (!oidc) throw notFound('OpenID provider');
  const journey = readJourney(archive, request.cookies[cookie]);
  reply.clearCookie(cookie, cookieSettings(request)); // it is good for one arrival
  if (!journey) return back(request, reply, 'That took too long, or began in another browser. Please try again.');
  try {
    const arrived = await arriveFromProvider(archive, oidc, journey, query);
    const id = await accountOfArrived(archive, arrived, journey);
    // A browser can be sent on without what was asked of the provider: only its own word counts.
    if (journey.again !== null && !isFresh(archive, arrived.provedAt)) {
      noteProof(request, { account: id, by: 'oidc', isRight: false });
      return back(request, reply, notAgain);
    }
    noteProof(request, { account: id, by: 'oidc', isRight: true });
    if (journey.linkTo !== null)
      request.log.info({ account: id, address: request.ip }, 'an account was linked with the OpenID provider');
    if ((await findAccount(archive.db, id)).isDisabled) return back(request, reply, switchedOff);
    await noteLogin(archive.db, id, archive.now());
    await beginSession(archive, request, reply, id, { remember: false, provedAt: arrived.provedAt });
    await reply.redirect(request.basePath + journey.next, 302);
  } catch (error) {
    if (error instanceof Problem) return back(request, reply, error.message);
    archive.meter.loginFailures.inc();
    request.log.warn({ err: error, address: request.ip }, 'somebody came back from the OpenID provider and was not let in');
    await back(request, reply, 'Logging in there did not work. Please try again; the log says what was wrong.');
  }
}

const notAgain =
  'The OpenID provider does not say that you logged in there just now, so it proves nothing. Try again; if it stays so, with a password here, which staff can give you, you need no provider for that.';

const back = async (request: FastifyRequest, reply: FastifyReply, why: string) =>
  void (await reply.redirect(`${request.basePath}/login/?${new URLSearchParams({ why })}`, 302));
