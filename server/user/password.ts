import { argon2, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { tooMany } from '../http/problem.ts';

const derive = promisify(argon2);

// argon2id with 19 MiB and two passes: OWASP's recommendation, and 19 MB a hash instead of scrypt's 128.
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;
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

const hashWith = (password: string, salt: Buffer) =>
  derive('argon2id', { message: Buffer.from(password.normalize('NFKC')), nonce: salt, ...cost });

// Without letters and digits that look alike: it is read off a terminal once.
const letters = 'abcdefghjkmnpqrstuvwxyz23456789';

/** A password that nobody guesses: four groups of four. */
export const generatePassword = () =>
  Array.from({ length: 4 }, () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('')).join('-');

/** Hashes a password for keeping: `argon2id$salt$hash`, both base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await inTurn(() => hashWith(password, salt));
  return ['argon2id', salt.toString('base64url'), hash.toString('base64url')].join('$');
}

// What an unknown name is checked against: it must cost what a known one costs, or the time tells the names.
let nobody: Promise<string> | undefined;

/** Whether the password is the one that was hashed; with nothing kept it takes as long, and is false. */
export async function isPassword(password: string, kept: string | undefined): Promise<boolean> {
  const [, salt = '', hash = ''] = (kept || (await (nobody ??= hashPassword(randomBytes(16).toString('hex'))))).split('$');
  const given = await inTurn(() => hashWith(password, Buffer.from(salt, 'base64url')));
  const right = Buffer.from(hash, 'base64url');
  return right.length === given.length && timingSafeEqual(right, given) && Boolean(kept);
}
