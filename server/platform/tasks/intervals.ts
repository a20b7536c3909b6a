import type { AppContext } from '../context/app-context.ts';

/** A job that runs periodically. */
export interface PeriodicJob {
  name: string;
  everySeconds: number;
  /** Runs on each node that works. Otherwise only on the leader. */
  isOnEachNode?: true;
  /** The signal fires at shutdown. */
  run(app: AppContext, signal: AbortSignal): Promise<void>;
}

/** Starts periodic jobs. The returned function stops them and resolves when none is running. */
export function startPeriodicJobs(app: AppContext, jobs: PeriodicJob[]): () => Promise<void> {
  const ending = new AbortController();
  const running = new Map<PeriodicJob, Promise<void>>();
  const timers = jobs.map((job) =>
    setInterval(() => {
      if (!job.isOnEachNode && !app.nodes.isLeader()) return;
      if (running.has(job) || app.maintenance.why) return; // still running, or maintenance
      const promise = job
        .run(app, ending.signal)
        .catch((error: unknown) => app.log.error({ round: job.name, err: error }, 'a periodic job failed'))
        .finally(() => running.delete(job));
      running.set(job, promise);
    }, job.everySeconds * 1000),
  );
  return async () => {
    for (const timer of timers) clearInterval(timer);
    ending.abort();
    await Promise.all(running.values());
  };
}
