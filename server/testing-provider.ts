import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const { privateKey: strangeKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const base64 = (value: object | Buffer) =>
  (Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value))).toString('base64url');

interface Person {
  sub: string;
  preferred_username: string;
  groups?: string[];
}

/** A small OpenID provider that says what a test wants it to say. */
export async function aProvider() {
  const codes = new Map<string, { challenge: string; nonce: string; isAsked: boolean }>();
  const sentBack: (string | null)[] = [];
  let issuer = '';
  const provider = {
    person: { sub: 'sub-1', preferred_username: 'maria' } as Person,
    /** What is done to the claims, or with which key they are signed, before they leave. */
    claims: (claims: Record<string, unknown>) => claims,
    key: privateKey,
    /** Groups are told only when asked for. */
    tellsLater: false,
    isUnsigned: false,
    /** How long ago people logged in there, when they are not asked to do so anew; null: it never says. */
    loggedInSeconds: 7200 as number | null,
    /** Says of itself that it is another one. */
    isAnother: false,
  };
  const tokenFor = ({ nonce, isAsked }: { nonce: string; isAsked: boolean }) => {
    const { groups, ...who } = provider.person;
    const now = Math.floor(Date.now() / 1000);
    const { loggedInSeconds: ago } = provider;
    const loggedIn = ago === null ? {} : { auth_time: now - (isAsked ? 0 : ago) };
    const about = { ...who, ...loggedIn, ...(!provider.tellsLater && groups && { groups }) };
    const claims = provider.claims({ iss: issuer, aud: 'reelkeep', iat: now, exp: now + 300, nonce, ...about });
    const body = `${base64({ alg: provider.isUnsigned ? 'none' : 'RS256', kid: 'k' })}.${base64(claims)}`;
    if (provider.isUnsigned) return `${body}.`;
    return `${body}.${base64(sign('sha256', Buffer.from(body), provider.key))}`;
  };
  const server: Server = createServer(async (request, response) => {
    const url = new URL(request.url!, issuer);
    let body = '';
    for await (const part of request) body += part;
    const say = (value: object, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (url.pathname === '/.well-known/openid-configuration')
      return say({
        issuer: provider.isAnother ? 'https://evil.example' : issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        userinfo_endpoint: `${issuer}/userinfo`,
        code_challenge_methods_supported: ['S256'],
      });
    if (url.pathname === '/keys')
      return say({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256', use: 'sig' }] });
    if (url.pathname === '/userinfo') return say(provider.person);
    if (url.pathname === '/token') {
      const said = new URLSearchParams(body);
      sentBack.push(said.get('redirect_uri'));
      const known = codes.get(said.get('code') ?? '');
      codes.delete(said.get('code') ?? '');
      const proof = createHash('sha256')
        .update(said.get('code_verifier') ?? '')
        .digest('base64url');
      if (!known || known.challenge !== proof) return say({ error: 'invalid_grant' }, 400);
      return say({ access_token: 'a', token_type: 'bearer', id_token: tokenFor(known) });
    }
    return say({ error: 'not_found' }, 404);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    provider,
    issuer,
    /** Where people were sent back to, as those who asked for tokens said. */
    sentBack,
    /** The person agrees, and is sent back with this query. */
    agree(address: string) {
      const asked = new URL(address).searchParams;
      const code = randomUUID();
      codes.set(code, {
        challenge: asked.get('code_challenge')!,
        nonce: asked.get('nonce')!,
        isAsked: asked.get('prompt') === 'login',
      });
      return { code, state: asked.get('state')! };
    },
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}
