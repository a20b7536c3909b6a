/** Extracts the http(s) URLs from a text, without duplicates, at most 50. */
export function extractLinks(text: string): string[] {
  const found = text.match(/https?:\/\/[^\s<>"']+/gi) ?? [];
  return [...new Set(found.map((link) => link.replace(/[),.;!?\]]+$/, '')).filter((link) => URL.canParse(link)))].slice(0, 50);
}
