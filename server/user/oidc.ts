import type { Configuration } from 'openid-client';
import { z } from 'zod';
import type { Archive } from '../archive.ts';
import type { OidcConfig } from '../config.ts';
import { withWay } from '../notify/way.ts';
import { keysOf, seal, unseal } from '../seal.ts';

// The code flow with PKCE, state and nonce, by the certified client library. What must be remembered while somebody is at the
// provider travels sealed in a cookie of their own browser, so that nobody else can come back in their place.

const Journey = z.object({
  verifier: z.string(),
  state: z.string(),
  nonce: z.string(),
  next: z.string(),
  redirectUri: z.string(),
  /** The account that is to be logged in to from there, when that is what is wanted. */
  linkTo: z.number().nullable(),
  /** The account whose owner is to log in there again, though they are logged in there. */
  again: z.number().nullable(),
  until: z.number(),
});
export type Journey = z.infer<typeof Journey>;

export const journeySeconds = 600;

/** Who has come back from the provider. */
export interface Arrived {
  issuer: string;
  subject: string;
  name: string;
  /** Undefined: the provider has no say in that. */
  isStaff: boolean | undefined;
  /** When they logged in there, as the provider says; 0 when it does not. */
  provedAt: number;
}

// Asked once in a start; a provider that could not be reached is asked again.
const known = new WeakMap<OidcConfig, Promise<Configuration>>();

function providerOf({ config }: Archive, oidc: OidcConfig): Promise<Configuration> {
  // It may stand in the local network, like everything that staff name, and on this machine: whoever runs the archive says where.
  const allowed = { ...config, allowPrivate: [...config.allowPrivate, new URL(oidc.issuer).hostname] };
  const fetchThere = async (url: string, init: { method: string; headers: Record<string, string>; body?: unknown }) => {
    const { status, text } = await withWay(allowed, (way) =>
      way.ask({
        url,
        method: init.method as 'GET',
        headers: init.headers,
        ...(init.body !== undefined && init.body !== null && { body: String(init.body) }),
      }),
    );
    return new Response(text, { status, headers: { 'content-type': 'application/json' } });
  };
  const asked =
    known.get(oidc) ??
    import('openid-client').then((client) =>
      client.discovery(new URL(oidc.issuer), oidc.clientId, oidc.clientSecret, oidc.clientSecret ? undefined : client.None(), {
        [client.customFetch]: fetchThere as never,
        execute: [
          // The signature is checked too, though what comes from the provider itself would do without.
          client.enableNonRepudiationChecks,
          ...(oidc.issuer.startsWith('http:') ? [client.allowInsecureRequests] : []),
        ],
      }),
    );
  known.set(oidc, asked);
  asked.catch(() => known.delete(oidc));
  return asked;
}

/** Where to send somebody, and what their browser is to keep meanwhile. */
export async function leaveForProvider(
  archive: Archive,
  oidc: OidcConfig,
  { redirectUri, next, linkTo, again }: Pick<Journey, 'redirectUri' | 'next' | 'linkTo' | 'again'>,
): Promise<{ address: string; kept: string }> {
  const client = await import('openid-client');
  const provider = await providerOf(archive, oidc);
  const journey: Journey = {
    verifier: client.randomPKCECodeVerifier(),
    state: client.randomState(),
    nonce: client.randomNonce(),
    next,
    redirectUri,
    linkTo,
    again,
    until: archive.now() + journeySeconds,
  };
  const address = client.buildAuthorizationUrl(provider, {
    redirect_uri: redirectUri,
    scope: oidc.scopes,
    code_challenge: await client.calculatePKCECodeChallenge(journey.verifier),
    code_challenge_method: 'S256',
    state: journey.state,
    nonce: journey.nonce,
    // The first makes the provider ask, the second makes it say when that was: a browser can leave out the first on its way.
    ...(again !== null && { prompt: 'login', max_age: '60' }),
  });
  return { address: address.href, kept: seal(archive.keys, JSON.stringify(journey)) };
}

/** What a browser kept of its way to the provider; null when that was too long ago, or not written here. */
export function readJourney({ keys, now }: Archive, kept: string | undefined): Journey | null {
  try {
    const journey = Journey.parse(JSON.parse(unseal(keysOf(keys.present), kept ?? '')));
    return journey.until >= now() ? journey : null;
  } catch {
    return null; // whatever it is, it is not ours
  }
}

/** Reads who comes back from the provider with this query. Throws when anything of it is not as it must be. */
export async function arriveFromProvider(archive: Archive, oidc: OidcConfig, journey: Journey, query: string): Promise<Arrived> {
  const client = await import('openid-client');
  const provider = await providerOf(archive, oidc);
  const tokens = await client.authorizationCodeGrant(provider, new URL(`${journey.redirectUri}${query}`), {
    pkceCodeVerifier: journey.verifier,
    expectedState: journey.state,
    expectedNonce: journey.nonce,
    idTokenExpected: true,
  });
  const claims = tokens.claims()!;
  // Some providers tell groups and names only when asked for them.
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
    name: name.trim().slice(0, 150),
    isStaff: oidc.staffGroup === undefined ? undefined : groups.includes(oidc.staffGroup),
    provedAt: Math.min(claims.auth_time ?? 0, archive.now()),
  };
}
