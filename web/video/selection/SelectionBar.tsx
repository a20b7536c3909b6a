import { useEffect } from 'react';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import type { SelectionProps } from './SelectionActions.tsx';

const SelectionActions = lazyComponent(async () => (await import('./SelectionActions.tsx')).SelectionActions);

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
  return <SelectionActions {...rest} />;
}
