import { createHash } from 'node:crypto';
import { normalizeName } from '../../../platform/lib/normalize-text.ts';
import { badRequest } from '../../../platform/http/http-error.ts';

/** Words that an attacker would try first, in addition to the user name. */
export const productWords = ['reelkeep', 'tubearchivist', 'youtube', 'ytdlp', 'video', 'archive', 'admin', 'staff', 'password'];

async function isCommon(password: string): Promise<boolean> {
  const { commonPasswords } = await import('./common-passwords.ts'); // 24 kB, loaded on demand
  const sum = createHash('sha256').update(password.toLowerCase()).digest().readUInt32BE(0);
  let [from, to] = [0, commonPasswords.length / 4];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (commonPasswords.readUInt32BE(middle * 4) < sum) from = middle + 1;
    else to = middle;
  }
  return from * 4 < commonPasswords.length && commonPasswords.readUInt32BE(from * 4) === sum;
}

const lettersOf = (text: string) => normalizeName(text).replace(/\P{L}+/gu, '');

/** Returns whether all letters of a password belong to product words or the user name. */
function isOfNames(password: string, name: string): boolean {
  const words = [...productWords, lettersOf(name), ...name.split(/\P{L}+/u).map(lettersOf)].filter(Boolean);
  const letters = lettersOf(password);
  const rest = words.toSorted((a, b) => b.length - a.length).reduce((left, word) => left.replaceAll(word, ''), letters);
  return letters !== '' && rest === '';
}

/** @throws 400 if a password is common, or consists of names with digits and signs only. */
export async function refuseWeakPassword(password: string, name: string): Promise<void> {
  if ((await isCommon(password)) || isOfNames(password, name)) throw badRequest('error.weak-password');
}
