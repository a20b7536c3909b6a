import { message } from '#contract/messages.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LoginProblem } from '#contract/user.ts';
import type { AppContext } from '../../../platform/context/app-context.ts';
import { credentialKind } from '../../../platform/http/auth/authenticate.ts';
import { notFound, HttpError } from '../../../platform/http/http-error.ts';
import type { User } from '../../../platform/http/route.ts';
import { createSession } from '../../../platform/http/auth/session.ts';
import { accountForOidcLogin, LoginRefusedError } from './external-accounts.ts';
import { completeLogin, consumeLoginFlow, loginFlowSeconds, buildAuthorizationUrl, type LoginFlow } from './oidc.ts';
import { isFresh } from './reauthentication.ts';
import { findAccount, recordLogin } from '../account/store.ts';
import { recordReauthentication } from './verify-credentials.ts';

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

const away = message('error.provider');

/** Returns the authorization URL of the provider and sets the cookie of the login flow; null if the provider is unavailable. */
async function wayThere(app: AppContext, { request, reply }: Leaving, options: Pick<LoginFlow, 'next' | 'linkTo' | 'again'>) {
  const { oidc } = app.config;
  if (!oidc) throw notFound('error.no-provider');
  const redirectUri = `${request.protocol}://${request.host}${request.basePath}${callbackPath}`;
  try {
    const { address, kept } = await buildAuthorizationUrl(app, oidc, { redirectUri, ...options });
    reply.setCookie(cookie, kept, { ...cookieSettings(request), maxAge: loginFlowSeconds });
    return address;
  } catch (error) {
    app.log.warn({ err: error }, 'cannot reach the OpenID provider');
    return null;
  }
}

/** Redirects the browser to the provider. `again` is the account whose owner has to authenticate again. */
export async function startLogin(
  call: Leaving & { query: { next: string } },
  app: AppContext,
  again: number | null,
): Promise<void> {
  const { query, request, reply } = call;
  const { next } = query;
  if (!app.config.oidc) throw notFound('error.no-provider');
  // Protects against login CSRF: a cross-site request must not log a user in.
  if (credentialKind(request) === 'elsewhere') {
    await reply.redirect(`${request.basePath}/login/?${new URLSearchParams({ next })}`, 302);
    return;
  }
  const address = await wayThere(app, call, { next, linkTo: null, again });
  if (address) await reply.redirect(address, 302);
  else await back(request, reply, 'provider-away');
}

/** Returns the URL where the browser links an identity of the provider with the caller's account. */
export async function startLinking(call: Leaving & { user: User; body: { next: string } }, app: AppContext) {
  const address = await wayThere(app, call, { next: call.body.next, linkTo: call.user.id, again: null });
  if (!address) throw new HttpError(503, away, { retryAfterSeconds: 60 });
  return { address };
}

/** Handles the redirect from the provider and continues to the requested page. */
export async function handleCallback(
  app: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  query: string,
): Promise<void> {
  const { oidc } = app.config;
  if (!oidc) throw notFound('error.no-provider');
  const journey = await consumeLoginFlow(app, request.cookies[cookie]);
  reply.clearCookie(cookie, cookieSettings(request)); // valid for one callback
  if (!journey) return back(request, reply, 'expired');
  try {
    const arrived = await completeLogin(app, oidc, journey, query);
    const id = await accountForOidcLogin(app, arrived, journey);
    // The authorization URL can be modified in the browser, so the reauthentication time must come from the provider.
    if (journey.again !== null && !isFresh(app, arrived.authenticatedAt)) {
      recordReauthentication(request, { account: id, by: 'oidc', isRight: false });
      return back(request, reply, 'not-recent');
    }
    recordReauthentication(request, { account: id, by: 'oidc', isRight: true });
    if (journey.linkTo !== null)
      request.log.info({ account: id, address: request.ip }, 'account linked with the OpenID provider');
    if ((await findAccount(app.db, id)).isDisabled) return back(request, reply, 'disabled');
    await recordLogin(app.db, id, app.now());
    await createSession(app, request, reply, id, { remember: false, authenticatedAt: arrived.authenticatedAt });
    await reply.redirect(request.basePath + journey.next, 302);
  } catch (error) {
    if (error instanceof LoginRefusedError) return back(request, reply, error.why);
    app.metrics.loginFailures.inc();
    request.log.warn({ err: error, address: request.ip }, 'OpenID login failed');
    await back(request, reply, 'failed');
  }
}

const back = async (request: FastifyRequest, reply: FastifyReply, why: LoginProblem) =>
  void (await reply.redirect(`${request.basePath}/login/?${new URLSearchParams({ why })}`, 302));
