import { createHash } from 'node:crypto';
import { foldName } from '../fold-text.ts';
import { refused } from '../http/problem.ts';

/** What anybody would try first here, beside the name of the person. */
export const wordsOfOurs = ['reelkeep', 'tubearchivist', 'youtube', 'ytdlp', 'video', 'archive', 'admin', 'staff', 'password'];

async function isCommon(password: string): Promise<boolean> {
  const { commonPasswords } = await import('./common-passwords.ts'); // 24 kB that are needed once in a while
  const sum = createHash('sha256').update(password.toLowerCase()).digest().readUInt32BE(0);
  let [from, to] = [0, commonPasswords.length / 4];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (commonPasswords.readUInt32BE(middle * 4) < sum) from = middle + 1;
    else to = middle;
  }
  return from * 4 < commonPasswords.length && commonPasswords.readUInt32BE(from * 4) === sum;
}

const lettersOf = (text: string) => foldName(text).replace(/\P{L}+/gu, '');

/** Whether it has words of ours or of the person's name, and no letter beside them. */
function isOfNames(password: string, name: string): boolean {
  const words = [...wordsOfOurs, lettersOf(name), ...name.split(/\P{L}+/u).map(lettersOf)].filter(Boolean);
  const letters = lettersOf(password);
  const rest = words.toSorted((a, b) => b.length - a.length).reduce((left, word) => left.replaceAll(word, ''), letters);
  return letters !== '' && rest === '';
}

/** Throws when a password is among the first that are tried: a frequent one, or one made of names with nothing but digits and signs around. */
export async function refuseWeak(password: string, name: string): Promise<void> {
  if ((await isCommon(password)) || isOfNames(password, name))
    throw refused('That password is among the first that anybody tries. Take one of several words that do not belong together.');
}
