import { sql } from 'kysely';
import type { Message } from '#contract/messages.ts';
import { topics } from '../platform/context/events.ts';
import type { NodeMessage, Nodes, Role } from '../platform/context/nodes.ts';
import { version } from '../platform/config/version.ts';
import type { Db } from '../platform/db/db.ts';
import { closeBackend, type NodeConnection } from '../platform/db/postgres/advisory-lock.ts';
import type { AppContext, Log } from '../platform/context/app-context.ts';
import { createNodeMaintenance, type SetQuiet } from './node-maintenance.ts';
import { openNodeTable } from './node-table.ts';

// Nodes of one PostgreSQL database. See docs/decisions/nodes.md.

const heartbeatMs = 5_000;
// Messages of this period are sent together: a NOTIFY in each transaction costs most of the throughput.
const batchMs = 25;
// PostgreSQL allows 8,000 bytes.
const maxPayloadBytes = 7_000;

interface Options {
  db: Db;
  connection: NodeConnection;
  node: { name: string; role: Role; runId: string; egress: string };
  /** Versions of the programs. */
  tools: Pick<AppContext['tools'], 'ytdlp'>;
  now: () => number;
  log: Log;
  /** Finds what is wrong on this machine. Called after each heartbeat. */
  findProblems: () => Promise<Message[]>;
}

/** Payload of a notification. `from` is the run id of the sender, which ignores its own. */
interface Payload {
  from: string;
  messages: NodeMessage[];
}

/** Collects messages; of equal ones only one is sent. */
function outgoing(send: (messages: NodeMessage[]) => void) {
  const waiting = new Map<string, NodeMessage>();
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    let size = 0;
    let some: NodeMessage[] = [];
    for (const [text, message] of waiting) {
      const bytes = Buffer.byteLength(text);
      if (size + bytes > maxPayloadBytes && some.length > 0) {
        send(some);
        [size, some] = [0, []];
      }
      // Too long for a notification: browsers reload their lists instead.
      some.push(bytes > maxPayloadBytes ? { kind: 'changed', topics: ['video', 'download'] } : message);
      size += bytes;
    }
    waiting.clear();
    if (some.length > 0) send(some);
  };
  return {
    add(message: NodeMessage) {
      waiting.set(JSON.stringify(message), message);
      timer ??= setTimeout(flush, batchMs).unref();
    },
    flush,
  };
}

interface Membership {
  nodes: Nodes;
  /** Follows the maintenance of other nodes from now on. Resolves when this node is quiet, if there is one already. */
  follow(set: SetQuiet): Promise<void>;
  leave(): Promise<void>;
}

/** Joins the nodes of the database: records this node and keeps it alive, and exchanges messages with the others. */
export async function joinNodes({ db, connection, node, tools, now, log, findProblems }: Options): Promise<Membership> {
  const { name, role, runId, egress } = node;
  const startedAt = now();
  const listeners: ((message: NodeMessage) => void)[] = [];
  const channel = `reelkeep_${connection.schema}`;

  const table = openNodeTable(db, name, now);

  /** Releases the locks of frozen nodes, such as that of the leader: their connections stay open. */
  const closeDeadConnections = async () => {
    for (const { name: dead, backend, isAlive } of await table.read())
      if (!isAlive && backend !== null) {
        log.warn({ node: dead }, 'a node does not respond; its connection is closed');
        await closeBackend(db, backend);
      }
  };
  const tell = (message: NodeMessage) => {
    for (const listener of listeners) listener(message);
  };
  let isDraining = false;
  let problems: Message[] = [];
  const heartbeat = async (isFirst = false) => {
    const hadDrained = isDraining;
    isDraining = await table.record(
      {
        role,
        runId,
        egress,
        version,
        ytdlp: tools.ytdlp?.version ?? null,
        isLeader: connection.isLeader() ? 1 : 0,
        problems,
        startedAt,
        seenAt: now(),
        quietEpoch: maintenance.quietEpoch(),
      },
      isFirst,
    );
    if (hadDrained && !isDraining) tell({ kind: 'queued' });
    if (role !== 'web') await closeDeadConnections();
  };
  // Not part of the heartbeat: a file system on the network may not respond.
  let isLooking = false;
  const lookForProblems = async () => {
    if (isLooking) return;
    isLooking = true;
    problems = await findProblems().finally(() => (isLooking = false));
  };

  // One after another, so that the last one knows best.
  let beating = Promise.resolve();
  const beat = () =>
    (beating = beating
      .then(() => heartbeat())
      .catch((error: unknown) => log.warn({ err: error }, 'cannot record that this node is alive')));
  const onMessage = (payload: string) => {
    const { from, messages } = JSON.parse(payload) as Payload;
    if (from === runId) return;
    for (const message of messages)
      if (message.kind === 'nodes') void beat();
      else tell(message);
  };
  const send = (messages: NodeMessage[]) =>
    sql`select pg_notify(${channel}, ${JSON.stringify({ from: runId, messages } satisfies Payload)})`
      .execute(db)
      .catch((error: unknown) => log.warn({ err: error }, 'cannot send messages to the other nodes'));
  const { add, flush } = outgoing((messages) => void send(messages));
  const maintenance = createNodeMaintenance({ db, runId, log, readNodes: table.read, record: beat, broadcast: add });
  listeners.push(({ kind }) => {
    if (kind === 'maintenance') void maintenance.follow();
  });

  await connection.listen(channel, onMessage, () => {
    // Messages sent while disconnected are lost.
    tell({ kind: 'changed', topics: [...topics] });
    for (const kind of ['tasks', 'queued', 'maintenance'] as const) tell({ kind });
  });
  await heartbeat(true);
  add({ kind: 'changed', topics: ['node'] });
  const timer = setInterval(() => {
    void beat();
    void maintenance.follow();
    void lookForProblems().catch((error: unknown) => log.warn({ err: error }, 'cannot check this machine'));
  }, heartbeatMs);

  const nodes: Nodes = {
    role,
    egress,
    isLeader: () => connection.isLeader(),
    isDraining: () => isDraining,
    broadcast: add,
    onMessage: (listener) => void listeners.push(listener),
    list: table.list,
    workerEgresses: table.workerEgresses,
    async setDraining(other, drains) {
      await table.setDraining(other, drains);
      add({ kind: 'nodes' });
      if (other === name) await beat();
    },
    remove: table.remove,
    ...maintenance.ofNode,
    otherRuns: () => table.otherRuns(runId),
  };
  return {
    nodes,
    follow(set) {
      maintenance.onQuiet(async (why) => {
        await set(why);
        if (!why) tell({ kind: 'changed', topics: [...topics] });
      });
      return maintenance.follow();
    },
    async leave() {
      clearInterval(timer);
      flush();
      await beating;
      await table.leave(runId).catch((error: unknown) => log.warn({ err: error }, 'cannot record that this node ends'));
      await send([{ kind: 'changed', topics: ['node'] }]);
    },
  };
}
