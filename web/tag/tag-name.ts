/** Most characters of a tag (contract/tag.ts). */
export const maxTag = 50;

/** Returns the tag that a typed text names, without what tags cannot contain; empty if nothing is left. */
export function tagName(text: string): string {
  const name = text.replace(/"/g, '').replace(/\s+/g, ' ').trim();
  return /[^.]/.test(name) ? name : '';
}

/** Whether two names are the same tag. */
export const isSameTag = (one: string, other: string) =>
  one.normalize('NFKC').toLowerCase() === other.normalize('NFKC').toLowerCase();

/** The search for videos with a tag. */
export const pathOfTag = (name: string) => `/search/?${new URLSearchParams({ query: `tag:"${name}"` })}`;
