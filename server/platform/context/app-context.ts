import type { Message } from '#contract/messages.ts';
import type { AppState } from './app-state.ts';
import type { Config } from '../config/config.ts';
import type { Db } from '../db/db.ts';
import type { Events, Topic } from './events.ts';
import type { FileStore } from '../storage/file-store.ts';
import type { Nodes } from './nodes.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Keys } from '../security/encryption.ts';
import type { Tasks } from './task.ts';
import type { Tools } from './tools.ts';
import type { HealthState } from './health-state.ts';

/** The methods of pino that are used. */
export interface Log {
  info(about: object | string, message?: string): void;
  warn(about: object | string, message?: string): void;
  error(about: object | string, message?: string): void;
}

/** The app context that is passed to all features. */
export interface AppContext {
  readonly config: Config;
  readonly db: Db;
  /** Media and images of the archive. */
  readonly files: FileStore;
  readonly tasks: Tasks;
  /** External programs and the forward proxy. */
  readonly tools: Tools;
  /** Tells all open browsers to reload data of these topics. */
  announce(...topics: Topic[]): void;
  /** Current time in whole epoch seconds. */
  now(): number;
  /** The open event streams. */
  readonly events: Events;
  readonly log: Log;
  /** Prometheus metrics for /metrics. */
  readonly metrics: Metrics;
  /** Identifies this start of the server in leases. */
  readonly runId: string;
  /** The servers that share the database. */
  readonly nodes: Nodes;
  /** Keys for encryption and signatures. */
  readonly keys: Keys;
  /** Resolves after the recovery at startup. Files deleted before that could be restored by it. */
  readonly recovered: Promise<void>;
  /** Message while all data are being replaced and nothing may be changed; else null. Reads continue. */
  readonly maintenance: { why: Message | null };
  /** Known health problems. */
  readonly health: HealthState;
  /** What features keep in memory. */
  readonly state: AppState;
}
