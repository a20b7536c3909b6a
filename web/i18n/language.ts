import { i18n } from '@lingui/core';
import { loadTexts } from './load-texts.ts';
import { setStored, getStored } from '#web/ui/use-local-storage.ts';

/** Available languages by their own names. */
export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

const isLanguage = (code: string): code is Language => code in languages;
const storageKey = 'language';

/** The language chosen in this browser, else the first supported browser language, else English. */
export function preferredLanguage(): Language {
  const chosen = getStored(storageKey);
  if (chosen && isLanguage(chosen)) return chosen;
  return navigator.languages.map((code) => code.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en';
}

/** Activates a language, with the texts of what is loaded so far. */
export async function activateLanguage(language: Language) {
  if (language === 'en') i18n.load('en', {});
  else await loadTexts();
  i18n.activate(language);
  document.documentElement.lang = language;
}

/** Activates a language and stores the choice in this browser. */
export async function setLanguage(language: Language) {
  setStored(storageKey, language);
  await activateLanguage(language);
}
