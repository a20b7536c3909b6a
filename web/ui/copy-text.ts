/** Copies a text to the clipboard. Returns false when the browser forbids it; over plain HTTP all do. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
