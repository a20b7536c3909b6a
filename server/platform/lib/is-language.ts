/** Whether a language tag is the wanted one, or a variant of it: `de` also means `de-AT`. */
export const isLanguage = (language: string, wanted: string): boolean =>
  `${language}-`.toLowerCase().startsWith(`${wanted}-`.toLowerCase());
