// Where a key stands on the keyboard, for layouts that write other letters with it.
const byPlace: Record<string, [plain: string, shifted: string]> = {
  Comma: [',', '<'],
  Period: ['.', '>'],
  Slash: ['/', '?'],
  Equal: ['=', '+'],
  Minus: ['-', '_'],
};

const isMac = () => /Mac|iPhone|iPad/.test(navigator.platform);

/** What a key writes, in small letters; by its place where the layout writes no Latin letters with it. */
export function plainKey({ key, code, shiftKey }: Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>): string {
  let plain = key;
  if (key.length === 1 && key.charCodeAt(0) > 127) {
    const letter = /^Key([A-Z])$/.exec(code)?.[1];
    const digit = /^Digit(\d)$/.exec(code)?.[1];
    plain = letter ?? digit ?? byPlace[code]?.[shiftKey ? 1 : 0] ?? key;
  }
  return /^[a-z]$/i.test(plain) ? plain.toLowerCase() : plain;
}

/** What a key says: `k`, `Shift+n`, `<`, `ArrowLeft`, `Chapter+ArrowLeft`; null when it is part of somebody else's shortcut. */
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
