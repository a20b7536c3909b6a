/** The addresses in what somebody pasted, dropped or shared; each once, at most 50. */
export function linksIn(text: string): string[] {
  const found = text.match(/https?:\/\/[^\s<>"']+/gi) ?? [];
  return [...new Set(found.map((link) => link.replace(/[),.;!?\]]+$/, '')).filter((link) => URL.canParse(link)))].slice(0, 50);
}
