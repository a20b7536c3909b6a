import { Counter, Gauge, Histogram, Registry } from 'prom-client';

// Counters are incremented as events happen; gauges are computed on request (server/features/system/metrics-collector.ts).

/** Prometheus metrics of this process. Names and labels are stable, because dashboards use them. */
export interface Metrics {
  readonly registry: Registry;
  readonly httpSeconds: Histogram<'route' | 'method' | 'status'>;
  readonly streamBytes: Counter;
  readonly databaseBusy: Counter;
  readonly loginFailures: Counter;
  readonly taskSeconds: Histogram<'name'>;
  readonly tasks: Counter<'name' | 'outcome'>;
  readonly downloadedBytes: Counter<'site'>;
  readonly downloadFailures: Counter<'site' | 'class'>;
  readonly streamsActive: Gauge;
  readonly eventClients: Gauge;
  /** Computes the gauges; set by the feature that provides them. */
  collect: () => Promise<void>;
  /** Returns a site name as a label: the first fifty sites, then `other`. */
  site(name: string): string;
}

const maxSites = 50;

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const sites = new Set<string>();
  return {
    registry,
    httpSeconds: new Histogram({
      name: 'reelkeep_http_request_seconds',
      help: 'Time to answer a request, files and event streams left out',
      labelNames: ['route', 'method', 'status'],
      buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
      registers,
    }),
    streamBytes: new Counter({ name: 'reelkeep_stream_bytes_total', help: 'Bytes of media files sent', registers }),
    databaseBusy: new Counter({
      name: 'reelkeep_db_busy_total',
      help: 'Requests rejected because the database was locked',
      registers,
    }),
    loginFailures: new Counter({ name: 'reelkeep_login_failures_total', help: 'Wrong names or passwords', registers }),
    taskSeconds: new Histogram({
      name: 'reelkeep_task_seconds',
      help: 'How long tasks ran',
      labelNames: ['name'],
      buckets: [1, 10, 60, 600, 3600],
      registers,
    }),
    tasks: new Counter({
      name: 'reelkeep_task_total',
      help: 'Tasks that ended, by what came of them',
      labelNames: ['name', 'outcome'],
      registers,
    }),
    downloadedBytes: new Counter({
      name: 'reelkeep_download_bytes_total',
      help: 'Bytes of videos that were archived',
      labelNames: ['site'],
      registers,
    }),
    downloadFailures: new Counter({
      name: 'reelkeep_download_failures_total',
      help: 'Downloads that failed, by the class of the failure',
      labelNames: ['site', 'class'],
      registers,
    }),
    streamsActive: new Gauge({ name: 'reelkeep_streams_active', help: 'Media files being sent', registers }),
    eventClients: new Gauge({ name: 'reelkeep_event_clients', help: 'Browsers that listen for changes', registers }),
    collect: async () => {},
    site(name) {
      if (!sites.has(name) && sites.size >= maxSites) return 'other';
      sites.add(name);
      return name;
    },
  };
}
