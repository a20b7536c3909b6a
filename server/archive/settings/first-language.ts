import { settings } from '#contract/settings.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { writeSettings } from './store.ts';

// Languages of the web app.
const interfaceLanguages = ['en', 'de'];

/** Returns the first language of `Accept-Language` (RFC 9110 §12.5.4, preferred first) that the web app has, else English. */
const interfaceLanguage = (acceptLanguage: string | undefined): string =>
  (acceptLanguage ?? '')
    .split(',')
    .map((tag) => tag.trim().slice(0, 2).toLowerCase())
    .find((language) => interfaceLanguages.includes(language)) ?? 'en';

/**
 * Sets the subtitle languages of an empty archive to the interface language of the user who logs in and the language of each
 * video.
 */
export async function setFirstSubtitleLanguage({ db }: AppContext, acceptLanguage: string | undefined): Promise<void> {
  const subtitle = `${interfaceLanguage(acceptLanguage)},original`;
  if (subtitle === settings.downloads.subtitle.initial) return;
  const stored = await db.selectFrom('setting').select('name').where('name', '=', 'downloads.subtitle').executeTakeFirst();
  const used = stored ?? (await db.selectFrom('channel').select('id').limit(1).executeTakeFirst());
  if (!used) await writeSettings(db, { downloads: { subtitle } });
}
