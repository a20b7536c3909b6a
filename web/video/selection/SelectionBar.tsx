import { lazy, Suspense, useEffect } from 'react';
import type { SelectionProps } from './SelectionActions.tsx';

const SelectionActions = lazy(async () => ({ default: (await import('./SelectionActions.tsx')).SelectionActions }));

/** Loads the toolbar when videos can be selected. */
export function SelectionBar({ isSelecting, onStarted, ...rest }: SelectionProps & { isSelecting: boolean; onStarted(): void }) {
  const { isOn, start } = rest.selection;
  useEffect(() => {
    if (isSelecting) {
      start();
      onStarted();
    }
  }, [isSelecting, start, onStarted]);
  if (!isOn) return null;
  return (
    <Suspense>
      <SelectionActions {...rest} />
    </Suspense>
  );
}
