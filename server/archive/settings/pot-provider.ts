import { message } from '#contract/messages.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { renderMessages } from '../../platform/messages/render.ts';
import { ValidationError } from '../../platform/http/validate.ts';
import { deleteSecret, readSecret, writeSecret } from './secret.ts';

// The URL of a PO token provider may contain a password, so it is stored encrypted. The API has it among the settings.

type Part = Pick<AppContext, 'db' | 'keys' | 'now'>;
const setting = 'downloads.pot_provider_url';

/** Encrypts a URL from the settings table, where earlier versions and their backups have it. */
async function encryptPlainUrl(part: Part): Promise<void> {
  const row = await part.db.selectFrom('setting').select('value').where('name', '=', setting).executeTakeFirst();
  if (!row) return;
  const url = JSON.parse(row.value) as string | null;
  if (url) await writeSecret(part, 'pot-provider', url, {});
  await part.db.deleteFrom('setting').where('name', '=', setting).execute();
}

/** Returns the URL of the PO token provider with its password, or null. */
export async function readPotProvider(part: Part): Promise<string | null> {
  await encryptPlainUrl(part);
  return (await readSecret(part, 'pot-provider'))?.text ?? null;
}

const masked = (url: string | null) => url && url.replace(/^(https?:\/\/)[^/?#]*@/i, '$1***@');

/** Returns the URL with its credentials masked, as the API shows it. */
export const maskedPotProvider = async (part: Part) => masked(await readPotProvider(part));

/**
 * Stores a URL. The masked form of the current URL changes nothing.
 * @throws ValidationError if another URL has masked credentials
 */
export async function storePotProvider(part: Part, url: string | null): Promise<void> {
  const before = await readPotProvider(part);
  if (url === masked(before)) return;
  if (url === null) return void (await deleteSecret(part, 'pot-provider'));
  if (/^https?:\/\/\*\*\*@/i.test(url)) {
    const why = message('error.pot-provider');
    throw new ValidationError({ [setting]: [renderMessages(why)] }, why);
  }
  await writeSecret(part, 'pot-provider', url, {});
}
