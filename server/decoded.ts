/** A part of an address with its percent signs undone; as it stands where they stand for nothing, as in a password `50%off`. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
