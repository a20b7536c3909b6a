import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../db.ts';
import pg from 'pg';
import { TransactionPoolerError } from './connection-errors.ts';
import { silentSeconds } from './postgres.ts';

// A server holds an advisory lock on its own connection, which PostgreSQL releases when the connection ends: a single server an
// exclusive one on the database, and each of several nodes a shared one, and an exclusive one on its name. Locks are per database;
// the second number identifies the schema, and the name of the node.

const schemaName = `coalesce(current_schema(), '')`;
const lock = `1382376812, hashtext(${schemaName})`;
const leaderLock = `1382376813, hashtext(${schemaName})`;
const nodeLockClass = 1382376814;
const nodeLockKey = (name: string) => `hashtext(${schemaName} || '/' || ${name})`;

/** The backend process of the connection of a row of `node`; null if the connection is closed. */
export const nodeBackend = sql<number | null>`(
  select pid from pg_locks where locktype = 'advisory' and granted and classid = ${sql.lit(nodeLockClass)}
  and database = (select oid from pg_database where datname = current_database())
  and objid::int8 = ${sql.raw(nodeLockKey('node.name'))}::int8 & 4294967295)`;

/** Closes a connection, whose locks become free. */
export const closeBackend = (db: Db, pid: number) => sql`select pg_terminate_backend(${pid})`.execute(db);

const checkMs = 3_000;
const retryMs = 1_000;
const timeoutMs = 10_000;
// Longer than that, so that a restart after such an end gets the lock.
const graceMs = (silentSeconds + 3) * 1000;

const detectFailureSoon = [
  `set tcp_user_timeout = ${silentSeconds * 1000}`,
  `set tcp_keepalives_idle = ${silentSeconds / 4}`,
  `set tcp_keepalives_interval = ${silentSeconds / 4}`,
  'set tcp_keepalives_count = 3',
].join('; ');

/** A connection with the lock. */
interface Holder {
  client: pg.Client;
  /** Fires when the connection ends. */
  ended: AbortSignal;
  /** Backend process; pid and start time together are unique. */
  pid: number;
  since: string;
  schema: string;
}

/** Why a lock was not acquired: another process has locked the database, or another node has the name. */
type Refusal = 'database taken' | 'name taken';

const createClient = (url: string) =>
  new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs });

const backendOf = async (client: pg.Client) =>
  (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid;

/**
 * Rejects a pooler that gives each transaction another connection: two servers would get the same lock, and notifications would
 * be lost. While another client is in a transaction, this one must keep its backend process.
 * @throws TransactionPoolerError
 */
async function refuseTransactionPooling(url: string, client: pg.Client, pid: number) {
  // A pooler has no backend process yet when it accepts a connection, so it invents the number. (@types/pg does not have it.)
  if ((client as pg.Client & { processID: number }).processID === pid) return;
  const other = createClient(url).on('error', () => {});
  try {
    await other.connect();
    await other.query('begin');
    if ((await backendOf(other)) !== pid && (await backendOf(client)) === pid) return;
  } catch (error) {
    // PgBouncer with pool_mode = statement.
    if (!/transaction blocks not allowed/.test((error as Error).message)) throw error;
  } finally {
    void other.end().catch(() => {});
  }
  throw new TransactionPoolerError();
}

/**
 * Tries once to get the lock.
 * @throws if the server is not reachable, still has our former connection, or is a pooler in transaction mode
 */
async function take(url: string, node: string | undefined, former?: Holder): Promise<Holder | Refusal> {
  const ended = new AbortController();
  const client = createClient(url);
  client.on('error', () => {}).once('end', () => ended.abort());
  let refusal: Refusal;
  try {
    await client.connect();
    await client.query(detectFailureSoon).catch(() => {}); // an old server detects it later
    if (former) {
      const cut = 'select pg_terminate_backend(pid) from pg_stat_activity where pid = $1 and backend_start::text = $2';
      if ((await client.query(cut, [former.pid, former.since])).rowCount)
        throw new Error('The former connection is still there.');
    }
    const about = await client.query<{ pid: number; since: string; schema: string }>(
      `select pid, backend_start::text as since, ${schemaName} as schema from pg_stat_activity where pid = pg_backend_pid()`,
    );
    const { pid, since, schema } = about.rows[0]!;
    await refuseTransactionPooling(url, client, pid);
    const tryLock = async (call: string, values: string[] = []) =>
      (await client.query<{ isOurs: boolean }>(`select ${call} as "isOurs"`, values)).rows[0]!.isOurs;
    const isOpen = await tryLock(node === undefined ? `pg_try_advisory_lock(${lock})` : `pg_try_advisory_lock_shared(${lock})`);
    if (
      isOpen &&
      (node === undefined || (await tryLock(`pg_try_advisory_lock(${nodeLockClass}, ${nodeLockKey('$1')})`, [node])))
    ) {
      // The connection does not keep the process alive. (@types/pg does not have this method.)
      (client as pg.Client & { unref(): void }).unref();
      return { client, ended: ended.signal, pid, since, schema };
    }
    refusal = isOpen ? 'name taken' : 'database taken';
  } catch (error) {
    void client.end().catch(() => {});
    throw error;
  }
  await client.end();
  return refusal;
}

/** Resolves when the connection is lost or the signal fires. `probe` fails if it is lost. */
async function untilLost({ client, ended }: Holder, signal: AbortSignal, probe: (client: pg.Client) => Promise<unknown>) {
  const anyEnd = AbortSignal.any([ended, signal]);
  for (let isThere = true; isThere && !anyEnd.aborted;) {
    await wait(checkMs, undefined, { signal: anyEnd, ref: false }).catch(() => {});
    isThere =
      anyEnd.aborted ||
      (await probe(client).then(
        () => true,
        () => false,
      ));
  }
}

/** Gets the lock again as soon as the server is reachable. Null if another process has it. */
async function takeAgain(url: string, node: string | undefined, former: Holder, signal: AbortSignal): Promise<Holder | null> {
  for (; !signal.aborted; await wait(retryMs, undefined, { signal }).catch(() => {})) {
    try {
      const holder = await take(url, node, former);
      return typeof holder === 'string' ? null : holder;
    } catch {
      // The health check reports that the database is unavailable.
    }
  }
  return null;
}

interface LockOptions {
  /** Name of the node, if several servers use the database. */
  node?: string | undefined;
  /** Becomes the leader of all nodes as soon as there is none. */
  canLead?: boolean;
  /** Called if another process has the lock; then it is retried for a while, because that process may have died with its machine. */
  onWait?: () => void;
  /** Called when the connection is lost and the lock is being acquired again. */
  onLost?: () => void;
}

/** The connection of a node, which lasts as long as the process and is opened again when it is lost. */
export interface NodeConnection {
  schema: string;
  /** Calls `onMessage` with the payload of notifications, and `onAgain` after a lost connection. */
  listen(channel: string, onMessage: (payload: string) => void, onAgain: () => void): Promise<void>;
  /** Whether this node is the leader. */
  isLeader(): boolean;
}

export interface HeldDatabase extends NodeConnection {
  /** Fires if another process got the lock while the connection was lost. */
  taken: AbortSignal;
  release(): Promise<void>;
}

/**
 * Locks a database for the lifetime of the process. If another process has the lock, returns whether that is the lock of the
 * database or of the name of the node. Without `onWait` it is tried once.
 */
export async function acquireAdvisoryLock(
  url: string,
  { node, canLead = false, onWait, onLost }: LockOptions = {},
): Promise<HeldDatabase | Refusal> {
  let holder = await take(url, node);
  if (typeof holder === 'string' && onWait) {
    onWait();
    for (
      const until = performance.now() + graceMs;
      typeof holder === 'string' && performance.now() < until;
      holder = await take(url, node)
    )
      await wait(retryMs);
  }
  if (typeof holder === 'string') return holder;
  let current: Holder | undefined = holder;
  let leads = false;
  const probe = async (client: pg.Client) => {
    if (leads || !canLead) return void (await client.query('select 1'));
    const { rows } = await client.query<{ isOurs: boolean }>(`select pg_try_advisory_lock(${leaderLock}) as "isOurs"`);
    leads = rows[0]!.isOurs;
  };
  await probe(holder.client);
  let onConnect: ((client: pg.Client, isAgain: boolean) => Promise<void>) | undefined;
  const taken = new AbortController();
  const released = new AbortController();
  const keep = async (first: Holder) => {
    for (let ownClient = first; ;) {
      await untilLost(ownClient, released.signal, probe);
      current = undefined;
      leads = false;
      const closed = ownClient.client.end().catch(() => {});
      if (released.signal.aborted) return closed;
      onLost?.();
      const next = await takeAgain(url, node, ownClient, released.signal);
      if (!next) {
        if (!released.signal.aborted) taken.abort();
        return;
      }
      ownClient = current = next;
      await onConnect?.(next.client, true).catch(() => {}); // the next check notices a lost connection
    }
  };
  const kept = keep(holder);
  return {
    taken: taken.signal,
    schema: holder.schema,
    async listen(channel, onMessage, onAgain) {
      onConnect = async (client, isAgain) => {
        client.on('notification', ({ payload }) => onMessage(payload ?? ''));
        await client.query(`listen ${pg.escapeIdentifier(channel)}`);
        if (isAgain) onAgain();
      };
      if (current) await onConnect(current.client, false);
    },
    isLeader: () => leads,
    async release() {
      released.abort();
      await kept;
    },
  };
}
