import type { Arrival, PlayerChange } from '#contract/events.ts';
import type { Message } from '#contract/messages.ts';
import type { Db, Tx } from '../db/db.ts';
import type { Topic } from './events.ts';

/** What a node does: `web` answers requests, `worker` downloads and runs tasks, `all` does both. */
export type Role = 'all' | 'web' | 'worker';

/** Messages between nodes. No correctness depends on their arrival: data are in the database, and each node also polls it. */
export type NodeMessage =
  /** Data changed; for one account, or for all. */
  | { kind: 'changed'; topics: Topic[]; accountId?: number }
  | { kind: 'player'; accountId: number; change: PlayerChange }
  | { kind: 'arrived'; video: Arrival }
  /** Logins of an account ended. */
  | { kind: 'dismiss'; accountId: number }
  /** Rows of nodes changed. Each node reads its own. */
  | { kind: 'nodes' }
  /** Runs wait for a worker. */
  | { kind: 'queued' }
  /** Notifications of runs changed. */
  | { kind: 'tasks' }
  | { kind: 'stop'; taskId: string }
  /** Queue items were removed or ignored; their downloads end. */
  | { kind: 'abort'; numbers: number[] }
  /** A node begins or ends a maintenance. */
  | { kind: 'maintenance' };

/** A node that is running, or was when it was last seen. */
export interface NodeInfo {
  name: string;
  /** AppContext.runId of its last start. */
  runId: string;
  /** Whether it is the node that was asked. */
  isThis: boolean;
  role: Role;
  /** Network address from which it reaches sites; empty: the usual one. */
  egress: string;
  version: string;
  /** Version of yt-dlp that it uses; null: none. */
  ytdlp: string | null;
  isLeader: boolean;
  /** It claims no new runs and downloads, because staff wants to stop it. */
  isDraining: boolean;
  /** Problems of its machine. */
  problems: Message[];
  /** Epoch seconds. */
  startedAt: number;
  seenAt: number;
  isAlive: boolean;
}

/** The servers that share a database. A single server is the only one, and the leader. */
export interface Nodes {
  readonly role: Role;
  /** Network address from which this node reaches sites, a name from its configuration. */
  readonly egress: string;
  /** Whether this node does what only one may do at a time: schedules, feeds, clean-up. A worker, or an `all` node. */
  isLeader(): boolean;
  /** Whether this node claims no new runs and downloads, because staff wants to stop it. */
  isDraining(): boolean;
  /** Sends a message to the other nodes. */
  broadcast(message: NodeMessage): void;
  /** Adds a listener for messages of other nodes. */
  onMessage(listener: (message: NodeMessage) => void): void;
  /** All known nodes by name; empty for a single server. */
  list(): Promise<NodeInfo[]>;
  /** Network addresses of the workers that are alive. */
  workerEgresses(): Promise<string[]>;
  /** Starts or ends draining a node. It ends too when the node starts again. */
  setDraining(name: string, isDraining: boolean): Promise<void>;
  /** Forgets a dead node. Returns false if it was seen meanwhile. */
  remove(node: NodeInfo): Promise<boolean>;
  /** Run ids (AppContext.runId) of the other nodes that are alive. Their leases are valid. */
  otherRuns(): Promise<string[]>;
  /** Message while another node replaces all data and nothing may be changed; else null. */
  otherMaintenance(): Promise<Message | null>;
  /**
   * Has all other nodes reject changes and interrupt their tasks until `endMaintenance`. Resolves when all that are alive have done
   * so; meanwhile `onWait` gets the names of those that have not.
   */
  beginMaintenance(why: Message, options: { signal: AbortSignal; onWait: (names: string[]) => void }): Promise<void>;
  /**
   * Call it in the transaction that replaces the data.
   * @throws MessageError if this node did not respond for so long that the others continued
   */
  confirmMaintenance(tx: Db | Tx): Promise<void>;
  endMaintenance(): Promise<void>;
}

/** The only server of its database. */
export const singleNode: Nodes = {
  role: 'all',
  egress: '',
  isLeader: () => true,
  isDraining: () => false,
  broadcast() {},
  onMessage() {},
  list: async () => [],
  workerEgresses: async () => [''],
  setDraining: async () => {},
  remove: async () => false,
  otherRuns: async () => [],
  otherMaintenance: async () => null,
  async beginMaintenance() {},
  async confirmMaintenance() {},
  async endMaintenance() {},
};
