/** A name as it is sorted and compared: without regard to case, accents and how a letter was typed. */
export const foldText = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .trim();

/** How names of people are told apart: without regard to case and to how a letter was typed. */
export const foldName = (name: string) => name.trim().normalize('NFKC').toLowerCase();
