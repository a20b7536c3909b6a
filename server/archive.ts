import type { Config } from './config.ts';
import type { Db } from './db/db.ts';
import type { Events } from './http/events.ts';
import type { Meter } from './meter.ts';
import type { Keys } from './seal.ts';
import type { Tasks } from './task/task.ts';
import type { Tools } from './tools.ts';
import type { Troubles } from './troubles.ts';

/** Rooms that browsers hear of: the first word of their queries' keys. */
export type Room = 'video' | 'channel' | 'playlist' | 'download' | 'task' | 'user' | 'settings' | 'bin' | 'list';

/** The part of a logger that the rooms use; pino has it. */
export interface Log {
  info(about: object | string, words?: string): void;
  warn(about: object | string, words?: string): void;
  error(about: object | string, words?: string): void;
}

/** The one object that travels: the running archive. */
export interface Archive {
  readonly config: Config;
  readonly db: Db;
  readonly tasks: Tasks;
  /** The programs we run, and the way out to the internet. */
  readonly tools: Tools;
  /** Tells every open browser that what it shows of these rooms is no longer true. */
  announce(...rooms: Room[]): void;
  /** Now, in whole epoch seconds. */
  now(): number;
  /** The browsers that listen. */
  readonly events: Events;
  readonly log: Log;
  /** Counts what happens, for /metrics. */
  readonly meter: Meter;
  /** Names this start of the program in leases. */
  readonly runId: string;
  /** Seal what must be readable again, and sign. */
  readonly keys: Keys;
  /** Kept once what an earlier run left is put right; what is deleted before that could be brought back by it. */
  readonly recovered: Promise<void>;
  /** While the archive is being replaced: why nothing may be changed now, for people; else null. Reads go on. */
  readonly maintenance: { why: string | null };
  /** What keeps it from being well. */
  readonly troubles: Troubles;
}
