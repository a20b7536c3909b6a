import { lazy, Suspense, useEffect } from 'react';
import type { VideoFilter } from './queries.ts';
import type { Selection } from './selection.ts';

const SelectionActions = lazy(async () => ({ default: (await import('./SelectionActions.tsx')).SelectionActions }));

export interface OfList {
  selection: Selection;
  /** The list that it is chosen of, and how many there are in all. */
  filter: VideoFilter;
  total: number;
}

/** What can be done with what is chosen; there while something may be. */
export function SelectionBar({ isAsked, onEnd, ...rest }: OfList & { isAsked: boolean; onEnd(): void }) {
  const { isOn, begin } = rest.selection;
  useEffect(() => {
    if (isAsked) {
      begin();
      onEnd();
    }
  }, [isAsked, begin, onEnd]);
  if (!isOn) return null;
  return (
    <Suspense>
      <SelectionActions {...rest} />
    </Suspense>
  );
}
