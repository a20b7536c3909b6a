import { expect, test } from 'vitest';
import { keyName } from './key-name.ts';

const press = (key: string, more: Partial<KeyboardEvent> = {}) =>
  keyName({ key, code: '', shiftKey: false, ctrlKey: false, altKey: false, metaKey: false, ...more });

test('names keys by their letter, or by their position on non-Latin layouts', () => {
  expect(press('k')).toBe('k');
  expect(press('K')).toBe('k'); // caps lock
  expect(press('N', { shiftKey: true })).toBe('Shift+n');
  expect(press('<', { shiftKey: true })).toBe('<');
  expect(press('л', { code: 'KeyK' })).toBe('k');
  expect(press('Ю', { code: 'Period', shiftKey: true })).toBe('>');
  expect(press('٣', { code: 'Digit3' })).toBe('3');
  expect(press('c', { ctrlKey: true })).toBeNull();
  expect(press('k', { metaKey: true })).toBeNull();
  expect(press('ArrowRight', { ctrlKey: true })).toBe('Chapter+ArrowRight');
});
