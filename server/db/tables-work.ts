import type { Generated } from 'kysely';

// What is to be done, now or later; rows look as tables.ts says.

type Flag = 0 | 1;
type Json = string;

export interface DownloadTable {
  /** Ours: names the folder the download happens in. */
  number: Generated<number>;
  id: string;
  site: string;
  siteId: string;
  url: string;
  title: string;
  /** Folded, to search by. */
  foldedTitle: string;
  channelId: string;
  channelName: string;
  kind: 'videos' | 'streams' | 'shorts' | 'unknown';
  durationSeconds: number | null;
  publishedAt: number | null;
  thumbnailUrl: string | null;
  status: 'pending' | 'ignore';
  autoStart: Flag;
  /** Downloaded again although it is in the archive. */
  isForced: Generated<Flag>;
  /** Class of the last failure; null while nothing is wrong. */
  failure: string | null;
  message: string | null;
  queuedAt: number;
  attempts: Generated<number>;
  /** Failures in a row, and when it is tried again by itself; null: when somebody asks. */
  failures: Generated<number>;
  retryAt: number | null;
  /** Who works on it (a run id), and until when that holds unless renewed. */
  leasedBy: string | null;
  leaseUntil: number | null;
}

/** A site that turned us away is left alone until then. */
export interface SitePauseTable {
  site: string;
  untilAt: number;
  failure: string;
  message: string;
  /** How often in a row. */
  times: number;
}

/** What a source was seen to list, wanted or not. */
export interface ListedTable {
  videoId: string;
  channelId: string;
  title: string;
  kind: 'videos' | 'streams' | 'shorts' | 'unknown';
  durationSeconds: number | null;
  publishedAt: number | null;
  isMembersOnly: Flag;
  listedAt: number;
}

/** How far a long listing has come. */
export interface ListingTable {
  url: string;
  reached: number;
  updatedAt: number;
}

/** A file below the media folder that no row names any more: it goes, now or at the next start. */
export interface RemovalTable {
  path: string;
}

/** What is to be brought up to date, in this order. */
export interface RefreshWishTable {
  number: Generated<number>;
  kind: 'video' | 'channel' | 'playlist';
  id: string;
  isByHand: Flag;
}

export interface TaskTable {
  id: string;
  name: string;
  input: Json;
  status: 'pending' | 'running' | 'success' | 'failure' | 'stopped';
  /** One at a time: set to the task's name while it waits or runs, null for tasks that may run side by side. */
  onlyOne: string | null;
  messages: Generated<Json>;
  progress: number | null;
  isError: Generated<Flag>;
  command: 'STOP' | 'KILL' | null;
  result: string | null;
  queuedAt: number;
  startedAt: number | null;
  endedAt: number | null;
  leasedBy: string | null;
  leaseUntil: number | null;
  attempts: Generated<number>;
}

export interface ScheduleTable {
  /** Of the task. */
  name: string;
  /** Minute, hour, day of the week. */
  schedule: string;
  config: Json;
  lastRunAt: number | null;
  nextAt: number;
}

/** What must be readable again and is nobody's to read: AES-256-GCM with the key file. */
export interface SecretTable {
  name: 'cookie' | 'potoken' | 'membership';
  sealed: string;
  /** What is known of it. */
  state: Json;
  updatedAt: number;
}

/** Where the end of a task is told. */
export interface NotifyTargetTable {
  number: Generated<number>;
  taskName: string;
  urlHash: string;
  sealed: string;
}

/** What is still to be told; tried again until it is a day old. */
export interface OutboxTable {
  number: Generated<number>;
  sealed: string;
  message: Json;
  attempts: Generated<number>;
  nextAt: number;
  createdAt: number;
}

/** How much of a channel is in the queue or ignored; kept by triggers. A row may say 0. */
export interface QueueTallyTable {
  channelId: string;
  channelName: string;
  status: 'pending' | 'ignore';
  kind: 'videos' | 'streams' | 'shorts' | 'unknown';
  items: number;
}
