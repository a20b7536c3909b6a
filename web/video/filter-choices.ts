import { useLingui } from '@lingui/react/macro';
import type { Kind } from './kinds.ts';

/** The kinds of videos, and the word for all of them, to choose one. */
export function useKindChoices(every: string): { value: Kind; label: string }[] {
  const { t } = useLingui();
  return [
    { value: '', label: every },
    { value: 'videos', label: t`Videos` },
    { value: 'shorts', label: t`Shorts` },
    { value: 'streams', label: t`Streams` },
  ];
}

/** Watched or not, in the words that each place has for it. */
export function useSeenChoices<T extends string>(all: T, unwatched: T, watched: T): { value: T; label: string }[] {
  const { t } = useLingui();
  return [
    { value: all, label: t`Watched or not` },
    { value: unwatched, label: t`Not watched` },
    { value: watched, label: t`Only watched` },
  ];
}
