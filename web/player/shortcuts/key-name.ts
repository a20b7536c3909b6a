// US layout by key code, for keyboards with non-Latin letters.
const byPlace: Record<string, [plain: string, shifted: string]> = {
  Comma: [',', '<'],
  Period: ['.', '>'],
  Slash: ['/', '?'],
  Equal: ['=', '+'],
  Minus: ['-', '_'],
};

/** Whether shortcuts have the command key instead of Ctrl. */
export const isMac = () => /Mac|iPhone|iPad/.test(navigator.platform);

/** Returns the key in lower case; for layouts without Latin letters, the key of the US layout. */
export function plainKey({ key, code, shiftKey }: Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>): string {
  let plain = key;
  if (key.length === 1 && key.charCodeAt(0) > 127) {
    const letter = /^Key([A-Z])$/.exec(code)?.[1];
    const digit = /^Digit(\d)$/.exec(code)?.[1];
    plain = letter ?? digit ?? byPlace[code]?.[shiftKey ? 1 : 0] ?? key;
  }
  return /^[a-z]$/i.test(plain) ? plain.toLowerCase() : plain;
}

/**
 * Returns the name of a shortcut: `k`, `Shift+n`, `<`, `ArrowLeft`, `Chapter+ArrowLeft`; null if the browser or system uses the
 * combination.
 */
export function keyName(
  event: Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey'>,
): string | null {
  const { key, shiftKey, ctrlKey, altKey, metaKey } = event;
  const isChapter = isMac() ? altKey && !ctrlKey && !metaKey : ctrlKey && !altKey && !metaKey;
  if (isChapter && (key === 'ArrowLeft' || key === 'ArrowRight')) return `Chapter+${key}`;
  if (ctrlKey || altKey || metaKey) return null;
  const plain = plainKey(event);
  return shiftKey && /^[a-z]$/.test(plain) ? `Shift+${plain}` : plain;
}
