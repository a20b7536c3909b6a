/** Extracts the http(s) URLs from a text, without duplicates, at most 50. */
export function extractLinks(text: string): string[] {
  const found = text.match(/https?:\/\/[^\s<>"']+/gi) ?? [];
  return [...new Set(found.map((link) => link.replace(/[),.;!?\]]+$/, '')).filter((link) => URL.canParse(link)))].slice(0, 50);
}

/** Whether a text is a single URL or @handle. */
export const isLinkOrHandle = (text: string): boolean =>
  /^(https?:\/\/\S+|((www|m|music)\.)?youtube\.com\/\S+|youtu\.be\/\S+|@[\p{L}\p{N}_.·-]{2,100})$/iu.test(text.trim());
