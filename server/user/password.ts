import { argon2, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { tooMany } from '../http/problem.ts';

const derive = promisify(argon2);

interface Cost {
  /** KiB. */
  memory: number;
  passes: number;
  parallelism: number;
}

// argon2id with 19 MiB and two passes: OWASP's recommendation, and 19 MB a hash instead of scrypt's 128.
const cost: Cost = { memory: 19_456, passes: 2, parallelism: 1 };
// What a text from elsewhere, such as a backup, may ask for.
const mostCost: Cost = { memory: 262_144, passes: 16, parallelism: 8 };
const hashBytes = 32;
const mostWaiting = 32;

let waiting = 0;
let turn: Promise<unknown> = Promise.resolve();

/** One hash at a time, so that a flood of logins costs neither the memory nor the threads that read files. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (waiting >= mostWaiting) throw tooMany('Too many people log in at this moment; try again in a few seconds.', 5);
  waiting++;
  const result = turn.then(work).finally(() => waiting--);
  turn = result.catch(() => {});
  return result;
}

/** What a kept text says: its salt, its hash, and how a password becomes one. */
interface Kept {
  hash: Buffer;
  /** The hash of another password by the same way. */
  of(password: string): Promise<Buffer>;
}

const argon2id =
  (salt: Buffer, { memory, passes, parallelism }: Cost, tagLength: number) =>
  (password: string) =>
    derive('argon2id', { message: Buffer.from(password.normalize('NFKC')), nonce: salt, memory, passes, parallelism, tagLength });

/**
 * The ways in which a hash may be kept. The first one writes; the others are read beside it until their owner logs in the next
 * time. A way that answers null does not know the text.
 */
const ways: ((kept: string) => Kept | null)[] = [
  // As most programs write it (PHC): the way, its version, its cost.
  (kept) => {
    const [, m, t, p, salt = '', text = ''] =
      /^\$argon2id\$v=19\$m=(\d{1,9}),t=(\d{1,9}),p=(\d{1,9})\$([\w+/]+)\$([\w+/]{22,86})$/.exec(kept) ?? [];
    const said: Cost = { memory: Number(m), passes: Number(t), parallelism: Number(p) };
    const isBearable = Object.keys(mostCost).every((name) => said[name as keyof Cost] <= mostCost[name as keyof Cost]);
    if (!salt || !isBearable) return null;
    const hash = Buffer.from(text, 'base64');
    return { hash, of: argon2id(Buffer.from(salt, 'base64'), said, hash.length) };
  },
  // As it was kept first, when there was one cost: `argon2id$salt$hash`, both base64url.
  (kept) => {
    const [, salt = '', text = ''] = /^argon2id\$([\w-]+)\$([\w-]{43})$/.exec(kept) ?? [];
    const hash = Buffer.from(text, 'base64url');
    return salt ? { hash, of: argon2id(Buffer.from(salt, 'base64url'), cost, hash.length) } : null;
  },
];

function readKept(kept: string): Kept | null {
  for (const way of ways) {
    const read = way(kept);
    if (read) return read;
  }
  return null;
}

const presentMark = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$`;
const unpadded = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');

/** Whether a hash is kept as one would be now; else it is to be made anew when its password is known, at a login. */
export const isHashedAnew = (kept: string): boolean => kept.startsWith(presentMark);

// Without letters and digits that look alike: it is read off a terminal once.
const letters = 'abcdefghjkmnpqrstuvwxyz23456789';

/** A password that nobody guesses: four groups of four. */
export const generatePassword = () =>
  Array.from({ length: 4 }, () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('')).join('-');

/** Hashes a password for keeping: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await inTurn(() => argon2id(salt, cost, hashBytes)(password));
  return `${presentMark}${unpadded(salt)}$${unpadded(hash)}`;
}

// What an unknown name is checked against: it must cost what a known one costs, or the time tells the names.
let nobody: Promise<string> | undefined;

/** Whether the password is the one that was hashed, in whichever way; with nothing that is known it takes as long, and is false. */
export async function isPassword(password: string, kept: string | undefined): Promise<boolean> {
  const known = readKept(kept ?? '');
  const read = known ?? readKept(await (nobody ??= hashPassword(randomBytes(16).toString('hex'))))!;
  const given = await inTurn(() => read.of(password));
  return read.hash.length === given.length && timingSafeEqual(read.hash, given) && known !== null;
}
