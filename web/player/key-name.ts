// Where a key stands on the keyboard, for layouts that write other letters with it.
const byPlace: Record<string, [plain: string, shifted: string]> = {
  Comma: [',', '<'],
  Period: ['.', '>'],
  Slash: ['/', '?'],
  Equal: ['=', '+'],
  Minus: ['-', '_'],
};

const isMac = () => /Mac|iPhone|iPad/.test(navigator.platform);

/** What a key says: `k`, `Shift+n`, `<`, `ArrowLeft`, `Chapter+ArrowLeft`; null when it is part of somebody else's shortcut. */
export function keyName(
  event: Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey'>,
): string | null {
  const { code, shiftKey, ctrlKey, altKey, metaKey } = event;
  let { key } = event;
  const isChapter = isMac() ? altKey && !ctrlKey && !metaKey : ctrlKey && !altKey && !metaKey;
  if (isChapter && (key === 'ArrowLeft' || key === 'ArrowRight')) return `Chapter+${key}`;
  if (ctrlKey || altKey || metaKey) return null;
  if (key.length === 1 && key.charCodeAt(0) > 127) {
    const letter = /^Key([A-Z])$/.exec(code)?.[1];
    const digit = /^Digit(\d)$/.exec(code)?.[1];
    key = letter?.toLowerCase() ?? digit ?? byPlace[code]?.[shiftKey ? 1 : 0] ?? key;
  }
  if (/^[a-z]$/i.test(key)) return shiftKey ? `Shift+${key.toLowerCase()}` : key.toLowerCase();
  return key;
}
