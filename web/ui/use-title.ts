import { useEffect } from 'react';

/** Sets the document title. */
export function useTitle(title: string | undefined) {
  useEffect(() => {
    document.title = title ? `${title} · Reelkeep` : 'Reelkeep';
  }, [title]);
}
