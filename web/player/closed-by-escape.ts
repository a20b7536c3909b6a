import type { KeyboardEvent } from 'react';

/** Escape closes what is open in the player, and means nothing to the player itself. */
export const closedByEscape = (close: () => void) => (event: KeyboardEvent) => {
  if (event.key !== 'Escape') return;
  event.stopPropagation();
  close();
};
