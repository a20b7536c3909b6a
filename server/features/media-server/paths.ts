/** A folder here and as a media server sees it. */
export interface Mapping {
  from: string;
  to: string;
}

const isWindows = (path: string) => /^[a-z]:|\\/i.test(path);

/** Returns a path with forward slashes and without one at its end. Names in views contain no backslashes. */
const unify = (path: string) => path.replaceAll('\\', '/').replace(/(?<=.)\/+$/, '');

/** Returns the rest of a path below a folder: empty, or with a slash at its beginning. Null if it is not inside. */
function restOf(path: string, folder: string): string | null {
  const [whole, start] = [unify(path), unify(folder)];
  const compared = isWindows(folder) ? whole.toLowerCase() : whole;
  const prefix = isWindows(folder) ? start.toLowerCase() : start;
  if (compared === prefix) return '';
  return compared.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`) ? whole.slice(start.replace(/\/$/, '').length) : null;
}

/** Returns whether a path of a server is a folder or inside it. */
export const isInside = (path: string, folder: string) => restOf(path, folder) !== null;

export const overlaps = (one: string, other: string) => isInside(one, other) || isInside(other, one);

const longestFirst = (mappings: Mapping[], side: keyof Mapping) =>
  mappings.toSorted((a, b) => unify(b[side]).length - unify(a[side]).length);

/** Returns a path here as the server sees it; null if no mapping contains it. */
export function pathThere(mappings: Mapping[], path: string): string | null {
  for (const { from, to } of longestFirst(mappings, 'from')) {
    const rest = restOf(path, from);
    if (rest === null) continue;
    const joined = `${unify(to).replace(/\/$/, '')}${rest}` || '/';
    return to.includes('\\') ? joined.replaceAll('/', '\\') : joined;
  }
  return null;
}

/** Returns a path of the server as it is here; null if no mapping contains it. */
export function pathHere(mappings: Mapping[], path: string): string | null {
  for (const { from, to } of longestFirst(mappings, 'to')) {
    const rest = restOf(path, to);
    if (rest !== null) return `${unify(from).replace(/\/$/, '')}${rest}` || '/';
  }
  return null;
}
