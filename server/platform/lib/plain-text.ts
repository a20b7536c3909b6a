// Control characters, and those that change the direction of the text around them.
// eslint-disable-next-line no-control-regex
const unwanted = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g;

/** Returns one line of untrusted text with at most `max` characters, as both databases can store it; null if nothing is left. */
export function plainText(text: string, max: number): string | null {
  const line = text
    .slice(0, 10 * max)
    .toWellFormed()
    .replace(unwanted, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return [...line].slice(0, max).join('').trim() || null;
}
