import { message } from '#contract/messages.ts';
import type { Settings } from '#contract/settings.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { renderMessages } from '../../platform/messages/render.ts';
import { ValidationError } from '../../platform/http/validate.ts';
import { deleteSecret, readSecret, writeSecret } from './secret.ts';
import { readSettings } from './store.ts';

// The URLs of a PO token provider and its proxy may contain passwords, so they are stored encrypted. The API has them among the
// settings.

type Part = Pick<AppContext, 'db' | 'keys' | 'now'>;
const secretOf = { pot_provider_url: 'pot-provider', pot_provider_proxy: 'pot-proxy' } as const;
type UrlKey = keyof typeof secretOf;
const urlKeys = Object.keys(secretOf) as UrlKey[];

/** Settings for PO tokens, with the passwords of their URLs. */
export type PoTokenSettings = Pick<Settings['downloads'], 'po_tokens' | UrlKey>;

/** Encrypts a URL from the settings table, where earlier versions and their backups have it. */
async function encryptPlainUrl(part: Part): Promise<void> {
  const name = 'downloads.pot_provider_url';
  const row = await part.db.selectFrom('setting').select('value').where('name', '=', name).executeTakeFirst();
  if (!row) return;
  const url = JSON.parse(row.value) as string | null;
  if (url) await writeSecret(part, 'pot-provider', url, {});
  await part.db.deleteFrom('setting').where('name', '=', name).execute();
}

/** Returns whether the user has chosen how PO tokens are created. Earlier versions only had a provider. */
const isChosen = async ({ db }: Part) =>
  Boolean(await db.selectFrom('setting').select('name').where('name', '=', 'downloads.po_tokens').executeTakeFirst());

/** Returns the settings for PO tokens. A provider that was stored before there was a choice stays in use. */
export async function readPoTokenSettings(part: Part): Promise<PoTokenSettings> {
  await encryptPlainUrl(part);
  const [url, proxy] = [await readSecret(part, 'pot-provider'), await readSecret(part, 'pot-proxy')];
  const { po_tokens } = (await readSettings(part.db)).downloads;
  return {
    po_tokens: url && !(await isChosen(part)) ? 'provider' : po_tokens,
    pot_provider_url: url?.text ?? null,
    pot_provider_proxy: proxy?.text ?? null,
  };
}

const masked = (url: string | null) => url && url.replace(/^(\w+:\/\/)[^/?#]*@/i, '$1***@');

/** Returns the settings as the API shows them: with masked credentials, and URLs only for staff. */
export async function shownPoTokenSettings(part: Part, isStaff: boolean): Promise<PoTokenSettings> {
  const stored = await readPoTokenSettings(part);
  const urls = urlKeys.map((key) => [key, isStaff ? masked(stored[key]) : null]);
  return { ...stored, ...(Object.fromEntries(urls) as Pick<PoTokenSettings, UrlKey>) };
}

/**
 * Stores the URLs. The masked form of a current URL changes nothing.
 * @throws ValidationError if another URL has masked credentials
 */
export async function storePoTokenUrls(part: Part, changes: Partial<Pick<PoTokenSettings, UrlKey>>): Promise<void> {
  const before = await readPoTokenSettings(part);
  const changed = urlKeys.filter((key) => changes[key] !== undefined && changes[key] !== masked(before[key]));
  for (const key of changed) {
    if (!/^\w+:\/\/\*\*\*@/.test(changes[key] ?? '')) continue;
    const why = message('error.pot-provider');
    throw new ValidationError({ [`downloads.${key}`]: [renderMessages(why)] }, why);
  }
  for (const key of changed) {
    const url = changes[key];
    if (url) await writeSecret(part, secretOf[key], url, {});
    else await deleteSecret(part, secretOf[key]);
  }
}
