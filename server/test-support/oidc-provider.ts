import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const { privateKey: otherKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const base64 = (value: object | Buffer) =>
  (Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value))).toString('base64url');

interface Person {
  sub: string;
  preferred_username: string;
  groups?: string[];
}

/** Starts a minimal OpenID provider whose behavior tests control with `settings`. */
export async function startOidcProvider() {
  const codes = new Map<string, { challenge: string; nonce: string; isLoginForced: boolean }>();
  const redirectUris: (string | null)[] = [];
  let issuer = '';
  const settings = {
    person: { sub: 'sub-1', preferred_username: 'maria' } as Person,
    /** Changes the claims before they are signed with `key`. */
    claims: (claims: Record<string, unknown>) => claims,
    key: privateKey,
    /** Sends groups only from the userinfo endpoint. */
    groupsOnlyInUserinfo: false,
    isUnsigned: false,
    /** Age of the login at the provider unless the request has `prompt=login`; null omits `auth_time`. */
    secondsSinceLogin: 7200 as number | null,
    /** Announces another issuer. */
    hasWrongIssuer: false,
  };
  const tokenFor = ({ nonce, isLoginForced }: { nonce: string; isLoginForced: boolean }) => {
    const { groups, ...claimsOfPerson } = settings.person;
    const now = Math.floor(Date.now() / 1000);
    const { secondsSinceLogin } = settings;
    const loginTime = secondsSinceLogin === null ? {} : { auth_time: now - (isLoginForced ? 0 : secondsSinceLogin) };
    const profile = { ...claimsOfPerson, ...loginTime, ...(!settings.groupsOnlyInUserinfo && groups && { groups }) };
    const claims = settings.claims({ iss: issuer, aud: 'reelkeep', iat: now, exp: now + 300, nonce, ...profile });
    const body = `${base64({ alg: settings.isUnsigned ? 'none' : 'RS256', kid: 'k' })}.${base64(claims)}`;
    if (settings.isUnsigned) return `${body}.`;
    return `${body}.${base64(sign('sha256', Buffer.from(body), settings.key))}`;
  };
  const server: Server = createServer(async (request, response) => {
    const url = new URL(request.url!, issuer);
    let body = '';
    for await (const part of request) body += part;
    const sendJson = (value: object, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (url.pathname === '/.well-known/openid-configuration')
      return sendJson({
        issuer: settings.hasWrongIssuer ? 'https://evil.example' : issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        userinfo_endpoint: `${issuer}/userinfo`,
        code_challenge_methods_supported: ['S256'],
      });
    if (url.pathname === '/keys')
      return sendJson({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256', use: 'sig' }] });
    if (url.pathname === '/userinfo') return sendJson(settings.person);
    if (url.pathname === '/token') {
      const form = new URLSearchParams(body);
      redirectUris.push(form.get('redirect_uri'));
      const flow = codes.get(form.get('code') ?? '');
      codes.delete(form.get('code') ?? '');
      const proof = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      if (!flow || flow.challenge !== proof) return sendJson({ error: 'invalid_grant' }, 400);
      return sendJson({ access_token: 'a', token_type: 'bearer', id_token: tokenFor(flow) });
    }
    return sendJson({ error: 'not_found' }, 404);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    settings,
    issuer,
    /** Redirect URIs of the token requests. */
    redirectUris,
    /** Grants the authorization request; returns the query of the callback. */
    authorize(address: string) {
      const parameters = new URL(address).searchParams;
      const code = randomUUID();
      codes.set(code, {
        challenge: parameters.get('code_challenge')!,
        nonce: parameters.get('nonce')!,
        isLoginForced: parameters.get('prompt') === 'login',
      });
      return { code, state: parameters.get('state')! };
    },
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}
