import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Archive } from '../archive.ts';
import { cameFrom } from '../http/guard.ts';
import { forbidden, notFound, Problem, switchedOff } from '../http/problem.ts';
import { beginSession } from '../http/session.ts';
import { accountOfArrived } from './elsewhere.ts';
import { arriveFromProvider, journeySeconds, leaveForProvider, readJourney } from './oidc.ts';
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
  query: { next: string };
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Sends a browser to the provider. */
export async function leave({ query, request, reply }: Leaving, archive: Archive, linkTo: number | null): Promise<void> {
  const { oidc } = archive.config;
  if (!oidc) throw notFound('OpenID provider');
  // A page elsewhere must neither log somebody in unasked, nor link whoever its visitor is at the provider with an account here.
  const from = cameFrom(request);
  if (linkTo !== null && from !== 'ours') throw forbidden('This begins on your own page: Settings, User.');
  if (from === 'elsewhere') {
    await reply.redirect(`${request.basePath}/login/?${new URLSearchParams({ next: query.next })}`, 302);
    return;
  }
  const redirectUri = `${request.protocol}://${request.host}${request.basePath}${callbackPath}`;
  try {
    const { address, kept } = await leaveForProvider(archive, oidc, { redirectUri, next: query.next, linkTo });
    reply.setCookie(cookie, kept, { ...cookieSettings(request), maxAge: journeySeconds });
    await reply.redirect(address, 302);
  } catch (error) {
    archive.log.warn({ err: error }, 'the OpenID provider cannot be asked');
    await back(request, reply, 'The page for logging in cannot be reached just now. Try again in a minute.');
  }
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
    const id = await accountOfArrived(archive, arrived, journey.linkTo);
    noteProof(request, { account: id, by: 'oidc', isRight: true });
    if (journey.linkTo !== null)
      request.log.info({ account: id, address: request.ip }, 'an account was linked with the OpenID provider');
    if ((await findAccount(archive.db, id)).isDisabled) return back(request, reply, switchedOff);
    await noteLogin(archive.db, id, archive.now());
    await beginSession(archive, request, reply, id, false);
    await reply.redirect(request.basePath + journey.next, 302);
  } catch (error) {
    if (error instanceof Problem) return back(request, reply, error.message);
    archive.meter.loginFailures.inc();
    request.log.warn({ err: error, address: request.ip }, 'somebody came back from the OpenID provider and was not let in');
    await back(request, reply, 'Logging in there did not work. Please try again; the log says what was wrong.');
  }
}

const back = async (request: FastifyRequest, reply: FastifyReply, why: string) =>
  void (await reply.redirect(`${request.basePath}/login/?${new URLSearchParams({ why })}`, 302));
