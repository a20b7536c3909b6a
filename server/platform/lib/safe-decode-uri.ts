/** Decodes percent encoding. Returns the text unchanged if it is malformed, as in a password `50%off`. */
export function safeDecodeUri(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
