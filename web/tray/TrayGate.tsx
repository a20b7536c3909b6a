import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useIsStaff } from '#web/api/account.ts';
import { failedItemsQuery, useNotices } from '#web/api/queries/download.ts';
import { countUnseenFailures, isRecent, useTrayState } from './tray-state.ts';

const Tray = lazy(async () => ({ default: (await import('./Tray.tsx')).Tray }));

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
  if (isWanted && !isLoaded) setIsLoaded(true);
  if (!isLoaded) return null;
  return (
    <Suspense>
      <Tray />
    </Suspense>
  );
}
