import { lazy, Suspense, useEffect } from 'react';
import type { OfList } from './SelectionActions.tsx';

const SelectionActions = lazy(async () => ({ default: (await import('./SelectionActions.tsx')).SelectionActions }));

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
