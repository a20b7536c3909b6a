import { i18n } from '@lingui/core';
import type { MessageDescriptor } from '@lingui/core';
import { foldText } from '#web/format/fold-text.ts';
import { listSettings } from './list-settings.ts';
import type { SettingsViewer } from './settings-pages.ts';

export interface SettingsHit {
  to: string;
  label: string;
  page: string;
}

const maxHits = 12;

/**
 * Finds settings whose label, page or keywords contain every word. Those with all words in the label come first, then those whose
 * first keyword it is.
 */
export function searchSettings(text: string, viewer: SettingsViewer): SettingsHit[] {
  const words = foldText(text).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const textOf = (message: MessageDescriptor | undefined) => (message ? i18n._(message) : '');
  const containsAll = (where: string) => words.every((word) => foldText(where).includes(word));
  const found = listSettings(viewer).flatMap(({ to, label, page, keywords }) => {
    const hit = { to, label: textOf(label), page: textOf(page) };
    if (containsAll(hit.label)) return { hit, rank: 0 };
    const others = textOf(keywords);
    if (!containsAll(`${hit.label} ${hit.page} ${others}`)) return [];
    return { hit, rank: foldText(others).startsWith(words[0]!) ? 1 : 2 };
  });
  return found
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, maxHits)
    .map(({ hit }) => hit);
}
