import { message, type Message } from '#contract/messages.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { HttpError } from '../../platform/http/http-error.ts';
import { hashPassword } from './login/password.ts';
import { findAccount, savePassword } from './account/store.ts';
import { refuseWeakPassword } from './login/weak-password.ts';

const mustChoose = (why: Message) => new HttpError(400, why, { more: { must_choose_password: true } });

/** Replaces a generated password by the user's own. @throws 400 with a message if it is missing or equal to the generated one. */
export async function choosePassword({ db }: Pick<AppContext, 'db'>, id: number, made: string, chosen: string | undefined) {
  if (chosen === undefined) throw mustChoose(message('error.temporary-password'));
  if (chosen === made) throw mustChoose(message('error.same-password'));
  await refuseWeakPassword(chosen, (await findAccount(db, id)).name);
  await savePassword(db, id, await hashPassword(chosen));
}
