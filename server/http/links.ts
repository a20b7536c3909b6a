import { createHmac, hkdfSync } from 'node:crypto';
import type { Archive } from '../archive.ts';
import { decoded } from '../decoded.ts';
import { sameSecret, tokenHashesOf, tokenHashOf } from './session.ts';
import { readWritten, Written } from './written.ts';

// Players that take a link from an answer and ask for it without any credentials (Kodi, cast devices, VLC) get links that
// carry their own leave: for one path, one person and a time. A link ends with what it was made by: the API token that
// asked for it, or the password of whoever was logged in.

const hour = 3600;
const day = 24 * hour;
// The end is rounded up to this, so that a link asked for again is the same one and what was fetched by it stays good.
const stepSeconds = 6 * hour;

/** On whose behalf a link is signed. */
export interface Holder {
  accountId: number;
  /** SHA-256 of the token that the person came with; null when they came with a session. */
  tokenHash: string | null;
}

const keys = new WeakMap<Buffer, Buffer>();
function keyOf(key: Buffer): Buffer {
  let derived = keys.get(key);
  if (!derived) keys.set(key, (derived = Buffer.from(hkdfSync('sha256', key, '', 'reelkeep signed links', 32))));
  return derived;
}

interface Said {
  how: 'token' | 'account';
  accountId: number;
  expiresAt: number;
  path: string;
}

const macOf = (key: Buffer, { how, accountId, expiresAt, path }: Said, holds: string) =>
  createHmac('sha256', keyOf(key)).update(`${how}\n${accountId}\n${expiresAt}\n${holds}\n${path}`).digest('base64url');

const endOf = (now: number, seconds: number) => Math.ceil((now + Math.max(day, seconds + 6 * hour)) / stepSeconds) * stepSeconds;

/** What links of a person may have been made by, as it is now: their tokens, or their password. Empty for who is switched off. */
async function whatHolds({ db, now }: Archive, how: Said['how'], accountId: number): Promise<string[]> {
  const account = await db
    .selectFrom('account')
    .select(['passwordHash', 'linkSeries'])
    .where('id', '=', accountId)
    .where('isDisabled', '=', 0)
    .executeTakeFirst();
  if (!account) return [];
  const { passwordHash, linkSeries } = account;
  if (how === 'account') return [tokenHashOf(linkSeries === 0 ? passwordHash : `${passwordHash} ${linkSeries}`)];
  return tokenHashesOf(db, accountId, now());
}

/** A function that signs addresses of files, `/youtube/…` or `/cache/…`, for a person; `seconds` is how long the video is. */
export async function linkSigner(archive: Archive, { accountId, tokenHash }: Holder) {
  const how = tokenHash === null ? 'account' : 'token';
  const holds = tokenHash ?? (await whatHolds(archive, how, accountId))[0] ?? '';
  const key = archive.keys.present;
  const now = archive.now();
  const known = new Map<string, string>();
  return (path: string, seconds: number): string => {
    let signed = known.get(path);
    if (!signed) {
      const expiresAt = endOf(now, seconds);
      const mac = macOf(key, { how, accountId, expiresAt, path: decoded(path) }, holds);
      signed = `${path}?sig=${how[0]}.${accountId}.${expiresAt.toString(36)}.${mac}`;
      known.set(path, signed);
    }
    return signed;
  };
}
export type SignLink = Awaited<ReturnType<typeof linkSigner>>;

/** When a link that is signed now will end, epoch seconds. */
export const linkEnds = (now: number, seconds: number) => endOf(now, seconds);

const signature = /[?&]sig=([ta])\.(\d{1,15})\.([0-9a-z]{1,10})\.([\w-]{43})(?:&|$)/;
const isFile = /^\/(youtube|media|cache)\//;

/** Whether an address carries a signature, right or wrong. */
export const isSigned = (url: string) => isFile.test(url) && /[?&]sig=/.test(url);

/** Whose leave a signed address carries, an account's id; null when it carries none that is good, or no longer. */
export async function holderOf(archive: Archive, url: string): Promise<number | null> {
  const [, short, account, ends, mac] = signature.exec(url) ?? [];
  if (!isFile.test(url) || !account || !ends || !mac) return null;
  const how = short === 't' ? 'token' : 'account';
  const [accountId, expiresAt] = [Number(account), Number.parseInt(ends, 36)];
  if (!Number.isSafeInteger(accountId) || expiresAt <= archive.now()) return null;
  const path = decoded(url.split('?')[0] ?? '');
  const holds = await whatHolds(archive, how, accountId);
  return holds.some((one) => sameSecret(mac, macOf(archive.keys.present, { how, accountId, expiresAt, path }, one)))
    ? accountId
    : null;
}

// Where answers name files.
const places = new Set([
  'media_url',
  'vid_thumb_url',
  'vid_thumb',
  'channel_thumb_url',
  'channel_banner_url',
  'channel_tvart_url',
  'playlist_thumbnail',
]);

/** The same answer with every address of a file in it signed. */
export function withSignedLinks(answer: unknown, sign: SignLink, seconds = 0): unknown {
  if (Array.isArray(answer)) return answer.map((one) => withSignedLinks(one, sign, seconds));
  if (answer instanceof Written && answer.hasLinks) return withSignedLinks(readWritten(answer), sign, seconds);
  if (typeof answer !== 'object' || answer === null || answer instanceof Written) return answer;
  const { player } = answer as { player?: { duration?: unknown } };
  const length = typeof player?.duration === 'number' ? player.duration : seconds;
  const signed: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(answer))
    signed[key] =
      typeof value === 'string'
        ? places.has(key) && isFile.test(value) && !isSigned(value)
          ? sign(value, length)
          : value
        : withSignedLinks(value, sign, length);
  return signed;
}
