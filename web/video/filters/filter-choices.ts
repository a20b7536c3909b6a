import { useLingui } from '@lingui/react/macro';
import type { Kind } from '#web/api/queries/video-kinds.ts';

/** Options for the video type; `every` labels the option for all types. */
export function useKindChoices(every: string): { value: Kind; label: string }[] {
  const { t } = useLingui();
  return [
    { value: '', label: every },
    { value: 'videos', label: t`Videos` },
    { value: 'shorts', label: t`Shorts` },
    { value: 'streams', label: t`Streams` },
  ];
}

/** Options for the watched state. Each caller passes its own values. */
export function useWatchedChoices<T extends string>(all: T, unwatched: T, watched: T): { value: T; label: string }[] {
  const { t } = useLingui();
  return [
    { value: all, label: t`All` },
    { value: unwatched, label: t`Unwatched` },
    { value: watched, label: t`Watched` },
  ];
}
