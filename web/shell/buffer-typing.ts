import { useLayoutEffect } from 'react';

interface BufferTypingOptions {
  /** The field has been requested. */
  isOn: boolean;
  /** The field is mounted and focused. */
  isFocused(): boolean;
  onText(change: (text: string) => string): void;
  onClose(): void;
}

const isLetter = ({ key }: KeyboardEvent) => [...key].length === 1;

/** Buffers keystrokes for a field that is still loading, so that they trigger no shortcuts of the page. */
export function useBufferTyping({ isOn, isFocused, onText, onClose }: BufferTypingOptions) {
  useLayoutEffect(() => {
    if (!isOn) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (isFocused() || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (event.key === 'Escape') onClose();
      else if (event.key === 'Backspace') onText((text) => [...text].slice(0, -1).join(''));
      else if (isLetter(event)) onText((text) => text + event.key);
    };
    addEventListener('keydown', onKeyDown, { capture: true });
    return () => removeEventListener('keydown', onKeyDown, { capture: true });
  }, [isOn, isFocused, onText, onClose]);
}
