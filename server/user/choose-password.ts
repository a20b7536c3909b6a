import type { Archive } from '../archive.ts';
import { Problem } from '../http/problem.ts';
import { hashPassword } from './password.ts';
import { findAccount, savePassword } from './store.ts';
import { refuseWeak } from './weak-password.ts';

const mustChoose = (why: string) => new Problem(400, why, { more: { must_choose_password: true } });

/** Puts the password that somebody chose in place of the one that was made for them. Refuses, with a sentence, where they chose none or that one. */
export async function choosePassword({ db }: Pick<Archive, 'db'>, id: number, made: string, chosen: string | undefined) {
  if (chosen === undefined)
    throw mustChoose('This password was made for you. Choose one of your own, which you log in with from then on.');
  if (chosen === made) throw mustChoose('Choose another password than the one that was made for you.');
  await refuseWeak(chosen, (await findAccount(db, id)).name);
  await savePassword(db, id, await hashPassword(chosen));
}
