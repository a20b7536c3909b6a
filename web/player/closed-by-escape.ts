import type { KeyboardEvent } from 'react';

/** Escape closes what is open in the player, and means nothing to the player itself; its button has the focus again. */
export const closedByEscape = (close: () => void) => (event: KeyboardEvent) => {
  if (event.key !== 'Escape') return;
  event.stopPropagation();
  const opener = event.currentTarget.closest('[data-player]')?.querySelector<HTMLElement>('[aria-expanded="true"]');
  close();
  opener?.focus();
};
