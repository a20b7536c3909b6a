import { useLayoutEffect } from 'react';

interface Waiting {
  /** It has been asked for. */
  isOn: boolean;
  /** It is there, and types for itself. */
  isThere(): boolean;
  onText(change: (text: string) => string): void;
  onClose(): void;
}

const isLetter = ({ key }: KeyboardEvent) => [...key].length === 1;

/** What is typed for a field that is still on its way goes into it: nothing on the page may take it for a key of its own. */
export function useTypedAhead({ isOn, isThere, onText, onClose }: Waiting) {
  useLayoutEffect(() => {
    if (!isOn) return;
    const take = (event: KeyboardEvent) => {
      if (isThere() || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (event.key === 'Escape') onClose();
      else if (event.key === 'Backspace') onText((text) => [...text].slice(0, -1).join(''));
      else if (isLetter(event)) onText((text) => text + event.key);
    };
    addEventListener('keydown', take, { capture: true });
    return () => removeEventListener('keydown', take, { capture: true });
  }, [isOn, isThere, onText, onClose]);
}
