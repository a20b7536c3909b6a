import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import { call } from '#web/api/call.ts';
import { pathOfVideo } from '../../api/paths.ts';

/** Opens the page of the archived video that a single link or ID points to. Resolves to false if it is not in the archive. */
export function useOpenArchived() {
  const navigate = useNavigate();
  return useCallback(
    async (lines: readonly string[]): Promise<boolean> => {
      const [link] = lines;
      if (!link || lines.length > 1) return false;
      // If the lookup fails, the link is added to the queue as usual.
      const found = await call('GET /api/video/by-link/', { query: { link } }).catch(() => null);
      if (found) await navigate(pathOfVideo(found));
      return found !== null;
    },
    [navigate],
  );
}
