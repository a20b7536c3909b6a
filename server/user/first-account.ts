import { randomInt } from 'node:crypto';
import type { Archive } from '../archive.ts';
import { hashPassword } from './password.ts';
import { addAccount, hasAccounts } from './store.ts';

// Without letters and digits that look alike: it is read off a terminal once.
const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
const generated = () =>
  Array.from({ length: 4 }, () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('')).join('-');

/**
 * Makes the first staff account of an empty archive, from the configuration. Answers its name, and its password when it
 * had to be generated: the only time that it can be read. Null when there are accounts already.
 */
export async function makeFirstAccount({ db, config, now }: Pick<Archive, 'db' | 'config' | 'now'>) {
  if (await hasAccounts(db)) return null;
  const password = config.password ?? generated();
  await addAccount(db, { name: config.username, passwordHash: await hashPassword(password), isStaff: true }, now());
  return { name: config.username, password: config.password === undefined ? password : null };
}
