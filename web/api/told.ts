import { i18n, type MessageDescriptor } from '@lingui/core';
import type { Counted, Said } from '#contract/said.ts';

// What the server says is English. Where the reader has another language, its sentences are told by their codes; what has
// none, as the words of other programs, stays as it is.

type Words = Record<string, MessageDescriptor>;
let words: Words | null = null;

/** From now on sentences are told in these words; null: as the server says them. */
export const tellIn = (some: Words | null) => (words = some);

const inWords = (code: string, values: Record<string, string>) => words?.[code] && i18n._({ ...words[code], values });

/** What was counted as a list; what stands in brackets belongs to what is before it. */
function listed(all: Counted[]): string | undefined {
  const texts = all.map(({ code, values }) => inWords(code, values));
  if (!texts.every(Boolean)) return undefined;
  return texts.reduce((before, text) => `${before}${text!.startsWith('(') ? ' ' : ', '}${text}`);
}

/** A text of the server in the reader's language. */
export function told(text: string, said: Said | undefined): string {
  if (!words || !said) return text;
  const all = said.map(({ code, values }) => {
    const filled = Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value : listed(value)]);
    return (
      filled.every(([, value]) => value !== undefined) && inWords(code, Object.fromEntries(filled) as Record<string, string>)
    );
  });
  return all.every(Boolean) ? all.join(' ') : text;
}

/** The name of a task or a check. */
export const toldName = (kind: 'task' | 'check', name: string, title: string) =>
  told(title, [{ code: `${kind}.${name}`, values: {} }]);

/** What a header of an answer says of its sentence. */
export function saidInHeader(header: string | null): Said {
  try {
    return header ? (JSON.parse(decodeURIComponent(header)) as Said) : null;
  } catch {
    return null;
  }
}
