import { languageName } from './language-name.ts';

// Those that speech models understand best.
const codes = 'ar cs da de el en es fi fr he hi hu id it ja ko nl no pl pt ro ru sv th tr uk vi zh'.split(' ');

/** Choices of a spoken language by name. */
export const spokenLanguages = (locale: string) =>
  codes
    .map((value) => ({ value, label: languageName(value, locale) }))
    .toSorted((a, b) => a.label.localeCompare(b.label, locale));
