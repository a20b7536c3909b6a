// What belongs to the device somebody sits at is kept in the browser, and not on the server.

const nameOf = (what: string) => `reelkeep.${what}`;

/** Reads what was kept under a name; `parse` makes of anything strange what it should be. */
export function readKept<T>(what: string, parse: (found: unknown) => T): T {
  try {
    return parse(JSON.parse(localStorage.getItem(nameOf(what)) ?? 'null'));
  } catch {
    return parse(null); // storage may be forbidden, or hold something else
  }
}

/** Keeps something; where storage is forbidden it is forgotten with the page. */
export function keep(what: string, value: unknown): void {
  try {
    localStorage.setItem(nameOf(what), JSON.stringify(value));
  } catch {
    // nothing can be done, and nothing is lost that the person would miss today
  }
}

/** The fields of something that was read, whatever it is. */
export const fieldsOf = (found: unknown): Record<string, unknown> =>
  typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : {};
