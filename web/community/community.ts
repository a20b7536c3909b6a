import { useEffect } from 'react';
import type { UserConfig } from '#contract/user.ts';
import type * as Community from './Replacements.tsx';
import { getStored, setStored } from '#web/ui/use-local-storage.ts';
import { responseHook } from '#web/api/call.ts';
import { refetchAll } from '#web/api/client.ts';

// The user's choice of titles and thumbnails is stored in the browser, because the first videos may arrive before the settings of the
// user: titles, then thumbnails, each `original` or `community`.
const storageKey = 'reelkeep.community';

/** Titles and thumbnails by viewers. Loaded before the first videos are shown; undefined for users who have not chosen them. */
export let community: typeof Community | undefined;

responseHook.run = async (response) => {
  const choice = getStored(storageKey);
  if (!choice?.includes('community')) return;
  // Without the code, as when offline, the originals are shown.
  community ??= await import('./Replacements.tsx').catch(() => undefined);
  community?.showCommunity(response, choice);
};

/** Stores the choice, and loads all videos again when it has changed. */
export function useCommunityChoice(config: UserConfig | undefined) {
  useEffect(() => {
    const choice = config && config.titles + config.thumbnails;
    if (!choice || choice === (getStored(storageKey) ?? 'originaloriginal')) return;
    setStored(storageKey, choice);
    refetchAll();
  }, [config]);
}
