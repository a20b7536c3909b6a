import { useEffect, useState } from 'react';
import { keep, readKept } from '#web/ui/kept.ts';
import { useAccountId } from '#web/user/queries.ts';

// A visit lasts until nobody has looked for this long; loading the page again is the same one.
const visitSeconds = 30 * 60;
const noteMs = 60_000;

interface Visits {
  /** When the visit before this one ended, epoch seconds; 0 when there was none. */
  before: number;
  /** When somebody was last here. */
  latest: number;
}

/** What is known of somebody's visits, as of now. */
export function visitsAt(kept: string | null, now: number): Visits {
  const [before = 0, latest = 0] = (kept ?? '').split(' ').map(Number);
  return now - latest > visitSeconds ? { before: latest, latest: now } : { before, latest: now };
}

/** When this person was here before, in this browser; undefined when they never were. */
export function useLastVisit(): number | undefined {
  const person = useAccountId();
  const [since, setSince] = useState<number>();
  useEffect(() => {
    if (person === undefined) return;
    const key = `reelkeep.visits.${person}`;
    const note = () => {
      const { before, latest } = visitsAt(readKept(key), Math.floor(Date.now() / 1000));
      keep(key, `${before} ${latest}`);
      setSince(before || undefined);
    };
    note();
    const timer = setInterval(() => document.visibilityState === 'visible' && note(), noteMs);
    return () => clearInterval(timer);
  }, [person]);
  return since;
}
