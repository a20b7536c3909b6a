/** Normalizes a text for sorting and comparing: without case, accents and Unicode variants. */
export const normalizeText = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .trim();

/** Normalizes a user name: without case and Unicode variants. */
export const normalizeName = (name: string) => name.trim().normalize('NFKC').toLowerCase();
