import type { Message } from '#contract/messages.ts';
import type { Insertable } from 'kysely';
import type { NodeInfo } from '../platform/context/nodes.ts';
import type { Db } from '../platform/db/db.ts';
import type { NodeTable } from '../platform/db/schema/tables.ts';
import { nodeBackend } from '../platform/db/postgres/advisory-lock.ts';
import { parseMessages, storeMessages } from '../platform/messages/stored.ts';

// The rows of the nodes of one database.

// A node is dead if it was not seen for so long, or for less if its connection is closed too. Its leases are released.
const deadSeconds = 30;
const lostSeconds = 12;

/** What a node records of itself with each heartbeat. */
type Heartbeat = Omit<Insertable<NodeTable>, 'name' | 'isDraining' | 'problems'> & { problems: Message[] };

/** Returns how the node `name` reads and changes the rows. `now`: the clock of the database, epoch seconds. */
export function openNodeTable(db: Db, name: string, now: () => number) {
  /** All nodes with whether they are alive. */
  const read = async () => {
    const rows = await db.selectFrom('node').selectAll().select(nodeBackend.as('backend')).orderBy('name').execute();
    return rows.map((row) => ({ ...row, isAlive: row.seenAt >= now() - (row.backend === null ? lostSeconds : deadSeconds) }));
  };
  return {
    read,
    list: async () =>
      (await read()).map((row): NodeInfo => ({
        name: row.name,
        runId: row.runId,
        isThis: row.name === name,
        role: row.role,
        egress: row.egress,
        version: row.version,
        ytdlp: row.ytdlp,
        isLeader: row.isLeader === 1 && row.isAlive,
        isDraining: row.isDraining === 1 && row.isAlive,
        problems: row.isAlive ? parseMessages(row.problems) : [],
        startedAt: row.startedAt,
        seenAt: row.seenAt,
        isAlive: row.isAlive,
      })),
    workerEgresses: async () => [
      ...new Set((await read()).flatMap((row) => (row.isAlive && row.role !== 'web' ? [row.egress] : []))),
    ],
    /** Returns the run ids of the other live nodes. */
    otherRuns: async (runId: string) =>
      (await read()).filter((row) => row.isAlive && row.runId !== runId).map((row) => row.runId),
    /** Records that this node is alive, the first time without draining. Returns whether it is draining. */
    async record({ problems, ...rest }: Heartbeat, isFirst: boolean): Promise<boolean> {
      const row = { ...rest, problems: storeMessages(problems) };
      const { isDraining } = await db
        .insertInto('node')
        .values({ name, ...row, isDraining: 0 })
        .onConflict((c) => c.column('name').doUpdateSet(isFirst ? { ...row, isDraining: 0 } : row))
        .returning('isDraining')
        .executeTakeFirstOrThrow();
      return isDraining === 1;
    },
    setDraining: (other: string, drains: boolean) =>
      db
        .updateTable('node')
        .set({ isDraining: drains ? 1 : 0 })
        .where('name', '=', other)
        .execute(),
    /** Removes a node unless it was seen since. Returns whether it is removed. */
    async remove({ name: dead, seenAt }: Pick<NodeInfo, 'name' | 'seenAt'>): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('node')
        .where('name', '=', dead)
        .where('seenAt', '=', seenAt)
        .executeTakeFirstOrThrow();
      return numDeletedRows === 1n;
    },
    /** Removes this node, unless another run has taken its name. */
    leave: (runId: string) => db.deleteFrom('node').where('name', '=', name).where('runId', '=', runId).execute(),
  };
}
