/** A name as it is sorted and compared: without regard to case, accents and how a letter was typed. */
export const foldText = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .trim();
