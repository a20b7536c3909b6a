import { i18n } from '@lingui/core';
import { tellIn } from '#web/api/told.ts';
import { keep, readKept } from '#web/ui/kept.ts';

/** The languages there are, each by its own name. */
export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

const isLanguage = (code: string): code is Language => code in languages;
const kept = 'language';

/** What the person chose here; without that the first of their browser's languages that there is; else English. */
export function chosenLanguage(): Language {
  const chosen = readKept(kept);
  if (chosen && isLanguage(chosen)) return chosen;
  return navigator.languages.map((code) => code.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en';
}

/** Shows everything in a language; its texts are fetched when it is not English. */
export async function showLanguage(language: Language) {
  const [{ messages }, words] =
    language === 'de'
      ? await Promise.all([import('../locales/de.po'), import('./server-words.ts').then(({ serverWords }) => serverWords)])
      : [{ messages: {} }, null];
  tellIn(words);
  i18n.loadAndActivate({ locale: language, messages });
  document.documentElement.lang = language;
}

/** Shows a language, and remembers it in this browser. */
export async function chooseLanguage(language: Language) {
  keep(kept, language);
  await showLanguage(language);
}
