import { useEffect } from 'react';

/** Names the page, for tabs, history and those who listen. */
export function useTitle(title: string | undefined) {
  useEffect(() => {
    document.title = title ? `${title} · Reelkeep` : 'Reelkeep';
  }, [title]);
}
