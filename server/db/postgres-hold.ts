import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';

// One program at a time on a PostgreSQL database: an advisory lock of a connection of its own, which the server lets go of with that
// connection. Locks are those of one database, and the second number is that of the schema, so that what is beside it is not hindered.

const lock = `1382376812, hashtext(coalesce(current_schema(), ''))`;

const lookMs = 3_000;
const againMs = 1_000;
const longestMs = 10_000;
/** After so long without a sign of life the server ends the connection; else the lock of a machine without power would stay for hours. */
const silentSeconds = 12;
// Longer than that, so that whoever starts again after such an end is let in.
const graceMs = (silentSeconds + 3) * 1000;

const noticeSoon = [
  `set tcp_user_timeout = ${silentSeconds * 1000}`,
  `set tcp_keepalives_idle = ${silentSeconds / 4}`,
  `set tcp_keepalives_interval = ${silentSeconds / 4}`,
  'set tcp_keepalives_count = 3',
].join('; ');

/** A connection that has the lock. */
interface Holder {
  client: pg.Client;
  /** Fires when the connection ends. */
  ended: AbortSignal;
  /** Which of the server's it is: numbers of processes come again, together with their beginning they do not. */
  pid: number;
  since: string;
}

/** Tries once. Null: another has it. Throws where the server cannot be asked, or still has the former connection of ours. */
async function take(url: string, former?: Holder): Promise<Holder | null> {
  const ended = new AbortController();
  const client = new pg.Client({
    connectionString: url,
    keepAlive: true,
    connectionTimeoutMillis: longestMs,
    query_timeout: longestMs,
  });
  client.on('error', () => {}).once('end', () => ended.abort());
  try {
    await client.connect();
    await client.query(noticeSoon).catch(() => {}); // an old server notices later
    if (former) {
      const cut = 'select pg_terminate_backend(pid) from pg_stat_activity where pid = $1 and backend_start::text = $2';
      if ((await client.query(cut, [former.pid, former.since])).rowCount)
        throw new Error('The former connection is still there.');
    }
    const { rows } = await client.query<{ isOurs: boolean; pid: number; since: string }>(
      `select pg_try_advisory_lock(${lock}) as "isOurs", pid, backend_start::text as since
       from pg_stat_activity where pid = pg_backend_pid()`,
    );
    const [{ isOurs, pid, since } = { isOurs: false, pid: 0, since: '' }] = rows;
    if (isOurs) {
      // It keeps no program from ending that has nothing else to do. (@types/pg does not know the method.)
      (client as pg.Client & { unref(): void }).unref();
      return { client, ended: ended.signal, pid, since };
    }
  } catch (error) {
    void client.end().catch(() => {});
    throw error;
  }
  await client.end();
  return null;
}

/** Resolves when the connection is lost, or the signal fires. */
async function untilLost({ client, ended }: Holder, signal: AbortSignal): Promise<void> {
  const over = AbortSignal.any([ended, signal]);
  for (let isThere = true; isThere && !over.aborted;) {
    await wait(lookMs, undefined, { signal: over, ref: false }).catch(() => {});
    isThere = over.aborted || (await client.query('select 1').then(Boolean, () => false));
  }
}

/** Takes it again as soon as the server answers. Null: another has it. */
async function takeAgain(url: string, former: Holder, signal: AbortSignal): Promise<Holder | null> {
  for (; !signal.aborted; await wait(againMs, undefined, { signal }).catch(() => {})) {
    try {
      return await take(url, former);
    } catch {
      // The program says of itself that the database is away.
    }
  }
  return null;
}

interface Wish {
  /** Is told when another has it; then it is tried for a while, since a program may just have died with its machine. */
  onWait?: () => void;
  /** Is told when the connection was lost, and it is taken again. */
  onLost?: () => void;
}

interface HeldDatabase {
  /** Fires when another program took it while the connection was lost. */
  taken: AbortSignal;
  release(): Promise<void>;
}

/** Holds a database for as long as the program lives; null when another does. Without `onWait` it is tried once. */
export async function holdPostgres(url: string, { onWait, onLost }: Wish = {}): Promise<HeldDatabase | null> {
  let holder = await take(url);
  if (!holder && onWait) {
    onWait();
    for (const until = performance.now() + graceMs; !holder && performance.now() < until; holder = await take(url))
      await wait(againMs);
  }
  if (!holder) return null;
  const taken = new AbortController();
  const released = new AbortController();
  const keep = async (first: Holder) => {
    for (let own = first; ;) {
      await untilLost(own, released.signal);
      const closed = own.client.end().catch(() => {});
      if (released.signal.aborted) return closed;
      onLost?.();
      const next = await takeAgain(url, own, released.signal);
      if (!next) {
        if (!released.signal.aborted) taken.abort();
        return;
      }
      own = next;
    }
  };
  const kept = keep(holder);
  return {
    taken: taken.signal,
    async release() {
      released.abort();
      await kept;
    },
  };
}
