import { message } from '#contract/messages.ts';
import { argon2, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { tooMany } from '../../../platform/http/http-error.ts';

const derive = promisify(argon2);

interface Cost {
  /** KiB. */
  memory: number;
  passes: number;
  parallelism: number;
}

// argon2id with 19 MiB and two passes: OWASP's recommendation, and 19 MB per hash instead of scrypt's 128 MB.
export const recommendedCost: Cost = { memory: 19_456, passes: 2, parallelism: 1 };
let cost = recommendedCost;
/** Changes the cost of new hashes in tests, which hash thousands of passwords. Returns the former cost. */
export function setHashCost(next: Cost): Cost {
  const former = cost;
  cost = next;
  return former;
}
// Upper bounds for hashes from other sources, such as a backup.
const maxCost: Cost = { memory: 262_144, passes: 16, parallelism: 8 };
const hashBytes = 32;
const maxWaiting = 32;

let waiting = 0;
let turn: Promise<unknown> = Promise.resolve();

/** Computes one hash at a time, so that many logins do not exhaust memory or the threads for file access. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (waiting >= maxWaiting) throw tooMany(message('error.too-many-logins'), 5);
  waiting++;
  const result = turn.then(work).finally(() => waiting--);
  turn = result.catch(() => {});
  return result;
}

/** A parsed hash: its value, and a function that hashes a password with the same parameters. */
interface ParsedHash {
  hash: Buffer;
  /** Hashes another password with the same parameters. */
  of(password: string): Promise<Buffer>;
}

const argon2id =
  (salt: Buffer, { memory, passes, parallelism }: Cost, tagLength: number) =>
  (password: string) =>
    derive('argon2id', { message: Buffer.from(password.normalize('NFKC')), nonce: salt, memory, passes, parallelism, tagLength });

/**
 * The supported hash formats. New hashes use the first; older formats are accepted until the next login of their user. A parser
 * returns null for a text in another format.
 */
const parsers: ((storedHash: string) => ParsedHash | null)[] = [
  // PHC string format: algorithm, version, parameters.
  (storedHash) => {
    const [, m, t, p, salt = '', text = ''] =
      /^\$argon2id\$v=19\$m=(\d{1,9}),t=(\d{1,9}),p=(\d{1,9})\$([\w+/]+)\$([\w+/]{22,86})$/.exec(storedHash) ?? [];
    const cost: Cost = { memory: Number(m), passes: Number(t), parallelism: Number(p) };
    const isBearable = Object.keys(maxCost).every((name) => cost[name as keyof Cost] <= maxCost[name as keyof Cost]);
    if (!salt || !isBearable) return null;
    const hash = Buffer.from(text, 'base64');
    return { hash, of: argon2id(Buffer.from(salt, 'base64'), cost, hash.length) };
  },
  // The earliest format, with fixed parameters: `argon2id$salt$hash`, both base64url.
  (storedHash) => {
    const [, salt = '', text = ''] = /^argon2id\$([\w-]+)\$([\w-]{43})$/.exec(storedHash) ?? [];
    const hash = Buffer.from(text, 'base64url');
    return salt ? { hash, of: argon2id(Buffer.from(salt, 'base64url'), recommendedCost, hash.length) } : null;
  },
];

function parseHash(storedHash: string): ParsedHash | null {
  for (const parseFormat of parsers) {
    const read = parseFormat(storedHash);
    if (read) return read;
  }
  return null;
}

const currentPrefix = () => `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$`;
const unpadded = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');

/** Returns whether a hash has the current format and parameters. Other hashes are renewed at the next login. */
export const isCurrentHash = (storedHash: string): boolean => storedHash.startsWith(currentPrefix());

// Without characters that look alike, because it is copied from a terminal.
const letters = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Generates a random password: four groups of four characters. */
export const generatePassword = () =>
  Array.from({ length: 4 }, () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('')).join('-');

/** Hashes a password for storage: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await inTurn(() => argon2id(salt, cost, hashBytes)(password));
  return `${currentPrefix()}${unpadded(salt)}$${unpadded(hash)}`;
}

// Hash for unknown names: verification takes the same time, so that timing does not reveal existing names.
let dummyHash: Promise<string> | undefined;

/** Verifies a password against a stored hash of any format. Without a valid hash, it takes the same time and returns false. */
export async function matchesPassword(password: string, storedHash: string | undefined): Promise<boolean> {
  const known = parseHash(storedHash ?? '');
  const read = known ?? parseHash(await (dummyHash ??= hashPassword(randomBytes(16).toString('hex'))))!;
  const given = await inTurn(() => read.of(password));
  return read.hash.length === given.length && timingSafeEqual(read.hash, given) && known !== null;
}
