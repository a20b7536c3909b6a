import type { ReactNode } from 'react';
import { foldText } from '#web/format/fold-text.ts';

export interface Command {
  /** Stable id, stored in the list of recent commands. */
  value: string;
  label: string;
  hint?: string;
  icon?: ReactNode;
  /** Shown instead of icon, label and hint. */
  content?: ReactNode;
  run(): void;
  /** Alternative with Shift: plays without leaving the page. */
  runInPlace?(): void;
}

/** Whether label and hint contain every typed word, ignoring case and accents. */
export const matchesText = ({ label, hint = '' }: Command, text: string): boolean =>
  foldText(text)
    .split(/\s+/)
    .every((word) => foldText(`${label} ${hint}`).includes(word));

/** Sorts recently used commands first, most recent on top. The others keep their order. */
export function sortByRecent(all: Command[], lastUsed: string[]): Command[] {
  const rank = ({ value }: Command) => {
    const at = lastUsed.indexOf(value);
    return at < 0 ? lastUsed.length : at;
  };
  return all.toSorted((a, b) => rank(a) - rank(b));
}
