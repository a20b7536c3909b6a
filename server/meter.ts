import { Counter, Gauge, Histogram, Registry } from 'prom-client';

// What happens is counted here as it happens; what stands is looked up when somebody asks (service/metrics.ts).

/** The counters of this start of the program. Names and labels are fixed: dashboards are built on them. */
export interface Meter {
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
  /** Looks up what stands rather than happens; set by the room that knows how. */
  look: () => Promise<void>;
  /** The name of a site as a label: the first fifty that come, and `other` for the rest. */
  site(name: string): string;
}

const mostSites = 50;

export function openMeter(): Meter {
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
      help: 'Requests refused because somebody else held the database',
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
    look: async () => {},
    site(name) {
      if (!sites.has(name) && sites.size >= mostSites) return 'other';
      sites.add(name);
      return name;
    },
  };
}
