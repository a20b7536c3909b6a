import { useState } from 'react';

/**
 * A value that saves itself. `save` rejects with the message to show. After a save, `undo` saves the value from before;
 * until then it is null.
 */
export function useAutoSave<T>({ value, save }: { value: T; save(value: T): Promise<unknown> }) {
  const [state, setState] = useState<{ before?: T; error?: Error; isSaving: boolean }>({ isSaving: false });
  const commit = async (next: T): Promise<boolean> => {
    setState({ isSaving: true });
    try {
      await save(next);
      setState({ before: value, isSaving: false });
      return true;
    } catch (error) {
      setState({ error: error as Error, isSaving: false });
      return false;
    }
  };
  return {
    commit,
    isSaving: state.isSaving,
    isSaved: 'before' in state,
    error: state.error,
    undo: 'before' in state ? () => commit(state.before as T) : null,
    /** Forgets the last result, as soon as something else is typed. */
    clear: () => setState({ isSaving: false }),
  };
}
