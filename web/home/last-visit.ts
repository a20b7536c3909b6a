import { useEffect, useState } from 'react';
import { setStored, getStored } from '#web/ui/use-local-storage.ts';
import { useAccountId } from '#web/api/account.ts';

// A visit ends after this long without activity; reloading the page continues it.
const visitGapSeconds = 30 * 60;
const recordIntervalMs = 60_000;

interface Visits {
  /** End of the previous visit, epoch seconds; 0 if there was none. */
  previous: number;
  /** Time of the latest activity, epoch seconds. */
  latest: number;
}

/** Returns the stored visits updated to `now`. */
export function updateVisits(stored: string | null, now: number): Visits {
  const [previous = 0, latest = 0] = (stored ?? '').split(' ').map(Number);
  return now - latest > visitGapSeconds ? { previous: latest, latest: now } : { previous, latest: now };
}

const nowSeconds = () => Math.floor(Date.now() / 1000);

/** Returns when the user's previous visit in this browser ended, epoch seconds; undefined on the first visit. */
export function useLastVisit(): number | undefined {
  const accountId = useAccountId();
  const key = `reelkeep.visits.${accountId}`;
  const [since, setSince] = useState(() => updateVisits(getStored(key), nowSeconds()).previous || undefined);
  useEffect(() => {
    if (accountId === undefined) return;
    const record = () => {
      const { previous, latest } = updateVisits(getStored(key), nowSeconds());
      setStored(key, `${previous} ${latest}`);
      setSince(previous || undefined);
    };
    record();
    const timer = setInterval(() => document.visibilityState === 'visible' && record(), recordIntervalMs);
    return () => clearInterval(timer);
  }, [accountId, key]);
  return since;
}
