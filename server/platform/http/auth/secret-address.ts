import { randomBytes } from 'node:crypto';
import { message } from '#contract/messages.ts';
import type { AppContext } from '../../context/app-context.ts';
import { signingKeyFor, signText } from '../../security/sign-text.ts';
import { HttpError } from '../http-error.ts';
import { sameSecret } from './session.ts';

// Secrets in addresses that need no login: podcast feeds and share links. A secret is 128 random bits and a checksum under the key
// of the server, so that a revoked address, which was issued once, is distinguished from a mistyped one without a list of
// revoked addresses.

const randomLength = 22;
const checksumLength = 11;

const checksumOf = (key: Buffer, random: string) =>
  signText(signingKeyFor(key, 'secret addresses'), random).slice(0, checksumLength);

export function createSecret({ keys }: Pick<AppContext, 'keys'>): string {
  const random = randomBytes(16).toString('base64url');
  return random + checksumOf(keys.present, random);
}

/** Whether this server issued the secret, now or with a former key. */
function wasIssued({ keys }: Pick<AppContext, 'keys'>, secret: string): boolean {
  const [random, checksum] = [secret.slice(0, randomLength), secret.slice(randomLength)];
  return keys.all.some((key) => sameSecret(checksum, checksumOf(key, random)));
}

/** The error for a secret without a row: 410 if it was revoked, 403 if it was never issued. */
export const unknownSecret = (app: Pick<AppContext, 'keys'>, secret: string) =>
  wasIssued(app, secret)
    ? new HttpError(410, message('error.link-revoked'))
    : new HttpError(403, message('error.link-invalid'), { key: 'detail' });

/** Returns a function that signs texts for a purpose. */
export function textSigner({ keys }: Pick<AppContext, 'keys'>, purpose: string): (text: string) => string {
  const signingKey = signingKeyFor(keys.present, purpose);
  return (text) => signText(signingKey, text);
}

/** Returns whether a signature is valid, under the current or a former key. */
export const isSignatureOf = (
  { keys }: Pick<AppContext, 'keys'>,
  purpose: string,
  { text, signature }: { text: string; signature: string },
): boolean => keys.all.some((present) => sameSecret(signature, textSigner({ keys: { present, all: [present] } }, purpose)(text)));

/** Address of the app as the client reached it, without a slash at the end. */
export const originOf = ({ protocol, host, basePath }: { protocol: string; host: string; basePath: string }) =>
  `${protocol}://${host}${basePath}`;
