import type { ReactNode } from 'react';

export interface Command {
  /** Tells it from all others, for as long as it is remembered. */
  value: string;
  label: string;
  hint?: string;
  icon?: ReactNode;
  run(): void;
}

const fold = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Whether every word that was typed stands in it somewhere. */
export const fits = ({ label, hint = '' }: Command, text: string): boolean =>
  fold(text)
    .split(/\s+/)
    .every((word) => fold(`${label} ${hint}`).includes(word));

/** What was used lately stands first, the latest before all; the rest keeps its order. */
export function lastFirst(all: Command[], lastUsed: string[]): Command[] {
  const place = ({ value }: Command) => {
    const at = lastUsed.indexOf(value);
    return at < 0 ? lastUsed.length : at;
  };
  return all.toSorted((a, b) => place(a) - place(b));
}
