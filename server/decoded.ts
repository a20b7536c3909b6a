/** A text with its percent signs undone; as it stands where one of them stands for nothing, as in a password `50%off`. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
