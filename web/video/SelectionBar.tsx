import { lazy, Suspense, useEffect } from 'react';
import type { Selection } from './selection.ts';

const SelectionActions = lazy(async () => ({ default: (await import('./SelectionActions.tsx')).SelectionActions }));

/** What can be done with what is chosen; there while something may be. */
export function SelectionBar({ selection, isAsked, onEnd }: { selection: Selection; isAsked: boolean; onEnd(): void }) {
  const { isOn, begin } = selection;
  useEffect(() => {
    if (isAsked) {
      begin();
      onEnd();
    }
  }, [isAsked, begin, onEnd]);
  if (!isOn) return null;
  return (
    <Suspense>
      <SelectionActions selection={selection} />
    </Suspense>
  );
}
