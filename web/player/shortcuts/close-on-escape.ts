import type { KeyboardEvent } from 'react';

/** Closes a panel on Escape, without passing the key to the player, and returns the focus to the button of the panel. */
export const closeOnEscape = (close: () => void) => (event: KeyboardEvent) => {
  if (event.key !== 'Escape') return;
  event.stopPropagation();
  const opener = event.currentTarget.closest('[data-player]')?.querySelector<HTMLElement>('[aria-expanded="true"]');
  close();
  opener?.focus();
};
