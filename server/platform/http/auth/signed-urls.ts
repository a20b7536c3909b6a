import { createHmac, hkdfSync } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { AppContext } from '../../context/app-context.ts';
import { safeDecodeUri } from '../../lib/safe-decode-uri.ts';
import { sameSecret, tokenHashesOf, tokenHashOf } from './session.ts';
import { RawJson } from '../raw-json.ts';

// Players that get a URL without credentials (Kodi, cast devices, VLC) receive signed URLs, valid for one path, one user and a
// time. A URL becomes invalid with the API token it was created for, or with the password of the user.

const hour = 3600;
const day = 24 * hour;
// The expiry is rounded up, so that repeated requests return the same URL. Plex and Kodi cache images by URL, so these change
// only once a week.
const stepSeconds = 6 * hour;
const pictureStepSeconds = 7 * day;

/** The user for whom a URL is signed. */
export interface UrlOwner {
  accountId: number;
  /** SHA-256 of the API token; null with a session. */
  tokenHash: string | null;
}

declare module 'node:http' {
  interface IncomingMessage {
    /** The signature that `withoutSignature` removed from the URL; undefined without one. */
    urlSignature?: string;
  }
}

const signingKey = ({ keys }: AppContext): Buffer =>
  Buffer.from(hkdfSync('sha256', keys.present, '', 'reelkeep signed links', 32));

interface SignatureClaims {
  how: 'token' | 'account';
  accountId: number;
  expiresAt: number;
  path: string;
}

const macOf = (key: Buffer, { how, accountId, expiresAt, path }: SignatureClaims, credential: string) =>
  createHmac('sha256', key).update(`${how}\n${accountId}\n${expiresAt}\n${credential}\n${path}`).digest('base64url');

const endOf = (now: number, seconds: number, step = stepSeconds) =>
  Math.ceil((now + Math.max(day, seconds + 6 * hour)) / step) * step;

/** Returns what URLs of a user may be bound to: the hashes of their tokens, or of their password. Undefined for disabled accounts. */
async function currentCredentials({ db, now }: AppContext, how: SignatureClaims['how'], accountId: number) {
  const account = await db.lookups
    .selectFrom('account')
    .select(['passwordHash', 'signatureVersion', 'isStaff', 'isSuperuser'])
    .where('id', '=', accountId)
    .where('isDisabled', '=', 0)
    .executeTakeFirst();
  if (!account) return undefined;
  const { passwordHash, signatureVersion } = account;
  const hashes =
    how === 'account'
      ? [tokenHashOf(signatureVersion === 0 ? passwordHash : `${passwordHash} ${signatureVersion}`)]
      : await tokenHashesOf(db, accountId, now());
  return { hashes, isStaff: account.isStaff + account.isSuperuser > 0 };
}

/**
 * Returns a function that signs URLs of files for a user; `seconds` is the duration of the video. The signature is a path
 * segment, as in `/youtube/~<signature>/<channel>/<id>.mp4`, because clients read the extension, append a query, and keep the
 * name.
 */
export async function createUrlSigner(app: AppContext, { accountId, tokenHash }: UrlOwner) {
  const how = tokenHash === null ? 'account' : 'token';
  const credential = tokenHash ?? (await currentCredentials(app, how, accountId))?.hashes[0] ?? '';
  const key = signingKey(app);
  const now = app.now();
  const known = new Map<string, string>();
  return (path: string, seconds: number): string => {
    let signed = known.get(path);
    if (!signed) {
      const expiresAt = endOf(now, seconds, path.endsWith('.jpg') ? pictureStepSeconds : stepSeconds);
      const mac = macOf(key, { how, accountId, expiresAt, path: signedPart(path) }, credential);
      signed = path.replace(isFile, `$&~${how[0]}.${accountId}.${expiresAt.toString(36)}.${mac}/`);
      known.set(path, signed);
    }
    return signed;
  };
}
export type UrlSigner = Awaited<ReturnType<typeof createUrlSigner>>;

/** Returns the expiry of a URL signed now, epoch seconds. */
export const signatureExpiry = (now: number, seconds: number) => endOf(now, seconds);

const isFile = /^\/(youtube|media|cache|m3u|hls)\//;

/** The part of a path that is signed: of HLS the folder, because players follow the relative addresses of its playlists. */
const signedPart = (path: string) => safeDecodeUri(/^\/hls\/[^/]+\/[^/]+\//.exec(path)?.[0] ?? path);

const signature = /^([ta])\.(\d{1,15})\.([0-9a-z]{1,10})\.([\w-]{43})$/;
// Some clients encode the tilde.
const signedPath = /^(\/(?:youtube|media|cache|m3u|hls)\/)(?:~|%7e)([ta]\.[\w.-]+)\//i;

/** Removes the signature from the URL of a request and stores it in the request for `ownerOf`, so that routes see plain paths. */
export function withoutSignature(raw: IncomingMessage, url: string): string {
  const [whole, root, sent] = signedPath.exec(url) ?? [];
  if (whole === undefined || root === undefined || sent === undefined) return url;
  raw.urlSignature = sent;
  return root + url.slice(whole.length);
}

/** Returns whether the URL of a request has a signature, valid or not. */
export const isSigned = (raw: IncomingMessage) => raw.urlSignature !== undefined;

/**
 * Returns the user of a valid signature and the token it was created for; null if it is missing, invalid or expired. What is
 * signed further in the reply is signed for that token, so that it ends with it.
 */
export async function ownerOf(
  app: AppContext,
  raw: IncomingMessage,
  url: string,
): Promise<(UrlOwner & { isStaff: boolean }) | null> {
  const [, short, account, ends, mac] = signature.exec(raw.urlSignature ?? '') ?? [];
  if (!account || !ends || !mac) return null;
  const how = short === 't' ? 'token' : 'account';
  const [accountId, expiresAt] = [Number(account), Number.parseInt(ends, 36)];
  if (!Number.isSafeInteger(accountId) || expiresAt <= app.now()) return null;
  const path = signedPart(url.split('?')[0] ?? '');
  const current = await currentCredentials(app, how, accountId);
  const key = signingKey(app);
  const credential = current?.hashes.find((one) => sameSecret(mac, macOf(key, { how, accountId, expiresAt, path }, one)));
  if (!current || credential === undefined) return null;
  return { accountId, tokenHash: how === 'token' ? credential : null, isStaff: current.isStaff };
}

// Fields with URLs of files.
const urlFields = new Set([
  'media_url',
  'vid_thumb_url',
  'vid_thumb',
  'channel_thumb_url',
  'channel_banner_url',
  'channel_tvart_url',
  'playlist_thumbnail',
]);

/** Returns a copy of the response with all file URLs signed. */
export function withSignedUrls(answer: unknown, sign: UrlSigner, seconds = 0): unknown {
  if (Array.isArray(answer)) return answer.map((one) => withSignedUrls(one, sign, seconds));
  if (answer instanceof RawJson && answer.hasLinks) return withSignedUrls(answer.parse(), sign, seconds);
  if (typeof answer !== 'object' || answer === null || answer instanceof RawJson) return answer;
  const { player } = answer as { player?: { duration?: unknown } };
  const length = typeof player?.duration === 'number' ? player.duration : seconds;
  const signed: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(answer))
    signed[key] =
      typeof value === 'string'
        ? urlFields.has(key) && isFile.test(value) && !signedPath.test(value)
          ? sign(value, length)
          : value
        : withSignedUrls(value, sign, length);
  return signed;
}
