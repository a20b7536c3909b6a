import type { AppContext } from '../../platform/context/app-context.ts';
import { LeaseLostError } from '../../platform/context/task.ts';
import { leaseSeconds, renewLease, type Lease } from './claims.ts';

// A renewal that failed is repeated sooner: the connection to the database may have to be opened again.
const againMs = 5_000;

/** Renews a lease until `end`. The signal fires with a LeaseLostError when it is lost. */
export function keepLeaseRenewed({ db, now, log }: AppContext, lease: Lease): { lost: AbortSignal; end(): void } {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const renewIn = (ms: number) => {
    if (!isOver) timer = setTimeout(() => void renew(), ms);
  };
  const renew = async () => {
    try {
      if (await renewLease(db, lease, now())) renewIn((leaseSeconds / 4) * 1000);
      else controller.abort(new LeaseLostError());
    } catch (error) {
      log.warn({ err: error }, 'cannot renew a lease');
      renewIn(againMs);
    }
  };
  renewIn((leaseSeconds / 4) * 1000);
  return {
    lost: controller.signal,
    end() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
