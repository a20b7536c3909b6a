import type { Configuration } from 'openid-client';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { z } from 'zod';
import type { AppContext } from '../../../platform/context/app-context.ts';
import type { OidcConfig } from '../../../platform/config/config.ts';
import type { CreateLimiter } from '../../../platform/http/limiter.ts';
import { withTransport } from '../../../platform/egress/direct/transport.ts';
import { seal, unseal } from '../../../platform/security/encryption.ts';

// OpenID Connect authorization code flow with PKCE, state and nonce, by a certified client library. The flow state is encrypted
// in a cookie of the browser, so no other browser can complete the flow. All servers of the archive have the key, so each can
// complete a flow that another one started, and they count together that the first callback consumes it.

const LoginFlow = z.object({
  verifier: z.string(),
  state: z.string(),
  nonce: z.string(),
  next: z.string(),
  redirectUri: z.string(),
  /** The account to link with the identity; null for a login. */
  linkTo: z.number().nullable(),
  /** The account whose owner has to authenticate again; null otherwise. */
  again: z.number().nullable(),
  until: z.number(),
});
export type LoginFlow = z.infer<typeof LoginFlow>;

export const loginFlowSeconds = 600;

/** A verified identity from the provider. */
export interface OidcLogin {
  issuer: string;
  subject: string;
  name: string;
  /** Undefined: the provider does not control the role. */
  isStaff: boolean | undefined;
  /** Time of authentication as stated by the provider; 0 if unknown. */
  authenticatedAt: number;
}

declare module '../../../platform/context/app-state.ts' {
  interface AppState {
    /** Discovery result per configuration; a failed discovery is repeated. */
    oidcProviders: Map<OidcConfig, Promise<Configuration>>;
    /** Counts callbacks by the state of their flow. */
    oidcFlows: RateLimiterAbstract;
  }
}

export const createOidcFlows = (createLimiter: CreateLimiter) =>
  createLimiter({ keyPrefix: 'oidc flow', points: 1, duration: loginFlowSeconds });

function providerOf({ config, state }: AppContext, oidc: OidcConfig): Promise<Configuration> {
  // The issuer comes from the operator, so the local network and this machine are allowed.
  const allowed = { ...config, allowPrivate: [...config.allowPrivate, new URL(oidc.issuer).hostname] };
  const fetchThere = async (url: string, init: { method: string; headers: Record<string, string>; body?: unknown }) => {
    const { status, text } = await withTransport(allowed, (transport) =>
      transport.ask({
        url,
        method: init.method as 'GET',
        headers: init.headers,
        ...(init.body !== undefined && init.body !== null && { body: String(init.body) }),
      }),
    );
    return new Response(text, { status, headers: { 'content-type': 'application/json' } });
  };
  const discovery =
    state.oidcProviders.get(oidc) ??
    import('openid-client').then((client) =>
      client.discovery(new URL(oidc.issuer), oidc.clientId, oidc.clientSecret, oidc.clientSecret ? undefined : client.None(), {
        [client.customFetch]: fetchThere as never,
        execute: [
          // The signature is verified too, although OpenID Connect allows omitting that for tokens received directly from the
          // provider.
          client.enableNonRepudiationChecks,
          ...(oidc.issuer.startsWith('http:') ? [client.allowInsecureRequests] : []),
        ],
      }),
    );
  state.oidcProviders.set(oidc, discovery);
  discovery.catch(() => state.oidcProviders.delete(oidc));
  return discovery;
}

/** Returns the authorization URL and the value for the cookie of the flow. */
export async function buildAuthorizationUrl(
  app: AppContext,
  oidc: OidcConfig,
  { redirectUri, next, linkTo, again }: Pick<LoginFlow, 'redirectUri' | 'next' | 'linkTo' | 'again'>,
): Promise<{ address: string; kept: string }> {
  const client = await import('openid-client');
  const provider = await providerOf(app, oidc);
  const journey: LoginFlow = {
    verifier: client.randomPKCECodeVerifier(),
    state: client.randomState(),
    nonce: client.randomNonce(),
    next,
    redirectUri,
    linkTo,
    again,
    until: app.now() + loginFlowSeconds,
  };
  const address = client.buildAuthorizationUrl(provider, {
    redirect_uri: redirectUri,
    scope: oidc.scopes,
    code_challenge: await client.calculatePKCECodeChallenge(journey.verifier),
    code_challenge_method: 'S256',
    state: journey.state,
    nonce: journey.nonce,
    // `prompt` makes the provider ask for the login; `max_age` makes it return the time, since the browser can remove `prompt`.
    ...(again !== null && { prompt: 'login', max_age: '60' }),
  });
  return { address: address.href, kept: seal(app.keys, 'oidc-flow', JSON.stringify(journey)) };
}

/**
 * Consumes the flow in a cookie. Returns null for a flow that was consumed before, has expired, or was not started by a
 * server of this archive.
 */
export async function consumeLoginFlow(
  { keys, now, state }: Pick<AppContext, 'keys' | 'now' | 'state'>,
  kept: string | undefined,
): Promise<LoginFlow | null> {
  let journey: LoginFlow;
  try {
    journey = LoginFlow.parse(JSON.parse(unseal(keys, 'oidc-flow', kept ?? '')));
  } catch {
    return null; // not created by this archive
  }
  if (journey.until < now()) return null;
  const { consumedPoints } = await state.oidcFlows.penalty(journey.state);
  return consumedPoints === 1 ? journey : null;
}

/** Completes the login with the query of the callback. @throws if any verification fails. */
export async function completeLogin(app: AppContext, oidc: OidcConfig, journey: LoginFlow, query: string): Promise<OidcLogin> {
  const client = await import('openid-client');
  const provider = await providerOf(app, oidc);
  const tokens = await client.authorizationCodeGrant(provider, new URL(`${journey.redirectUri}${query}`), {
    pkceCodeVerifier: journey.verifier,
    expectedState: journey.state,
    expectedNonce: journey.nonce,
    idTokenExpected: true,
  });
  const claims = tokens.claims()!;
  // Some providers return groups and names only from the userinfo endpoint.
  const more =
    claims[oidc.groupsClaim] === undefined && provider.serverMetadata().userinfo_endpoint
      ? await client.fetchUserInfo(provider, tokens.access_token, claims.sub)
      : {};
  const all: Record<string, unknown> = { ...more, ...claims };
  const name = [all.preferred_username, all.name, all.sub].find((one) => typeof one === 'string' && one.trim() !== '') as string;
  const groups = [all[oidc.groupsClaim] ?? []].flat();
  return {
    issuer: claims.iss,
    subject: claims.sub,
    name: name.trim(),
    isStaff: oidc.staffGroup === undefined ? undefined : groups.includes(oidc.staffGroup),
    authenticatedAt: Math.min(claims.auth_time ?? 0, app.now()),
  };
}
