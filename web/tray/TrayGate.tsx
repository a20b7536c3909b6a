import { useQuery, type Query } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useIsStaff } from '#web/api/account.ts';
import { queryClient } from '#web/api/client.ts';
import { failedItemsQuery, useNotices } from '#web/api/queries/download.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { countUnseenFailures, isRecent, useTrayState } from './tray-state.ts';

const Tray = lazyComponent(async () => (await import('./Tray.tsx')).Tray, 'optional');

// The content of the page comes first. It is requested some time after the account.
const restMs = 300;
const isContent = { predicate: ({ state }: Query) => !state.data };

/** Loads the tray when there is something to show. */
export function TrayGate() {
  const isStaff = useIsStaff();
  const hasTasks = useNotices().length > 0;
  const failed = useQuery({ ...failedItemsQuery, enabled: isStaff }).data;
  const state = useTrayState();
  const isWanted =
    hasTasks ||
    (state.activeAt > state.seenAt && isRecent(state.activeAt)) ||
    (failed !== undefined && countUnseenFailures(state, failed.data, failed.paginate.total_hits) > 0);
  const [isLoaded, setIsLoaded] = useState(false);
  useEffect(() => {
    const check = () => setIsLoaded(queryClient.isFetching(isContent) === 0);
    const timer = isWanted && !isLoaded ? setInterval(check, restMs) : undefined;
    return () => clearInterval(timer);
  }, [isWanted, isLoaded]);
  if (!isLoaded) return null;
  return <Tray />;
}
