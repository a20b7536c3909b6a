import type { Archive } from '../archive.ts';
import { leaseSeconds, renewLease } from './store.ts';

/** Renews the lease of an item for as long as it is worked on; the function it answers ends that. */
export function keepLease({ db, now, log }: Archive, number: number): () => void {
  const renewal = setInterval(
    () => renewLease(db, number, now()).catch((error: unknown) => log.warn({ err: error }, 'a lease was not renewed')),
    (leaseSeconds / 4) * 1000,
  );
  return () => clearInterval(renewal);
}
