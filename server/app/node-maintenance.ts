import { setTimeout as wait } from 'node:timers/promises';
import { message, type Message } from '#contract/messages.ts';
import { inTransaction, type Db } from '../platform/db/db.ts';
import type { Log } from '../platform/context/app-context.ts';
import type { Nodes } from '../platform/context/nodes.ts';
import { MessageError } from '../platform/messages/message-error.ts';

// Maintenance of a database by one of several nodes. See docs/decisions/nodes.md.

const lookAgainMs = 250;

/** A node that is or was alive, with the epoch of the maintenance for which it is quiet. */
interface KnownNode {
  name: string;
  runId: string;
  isAlive: boolean;
  quietEpoch: number | null;
}

interface Options {
  db: Db;
  runId: string;
  log: Log;
  readNodes: () => Promise<KnownNode[]>;
  /** Records this node with its `quietEpoch`. */
  record: () => Promise<void>;
  broadcast: Nodes['broadcast'];
}

/** Rejects changes and interrupts tasks for the maintenance of another node; `null` ends that. */
export type SetQuiet = (why: Message | null) => Promise<void>;

/** Creates the maintenance of a node. */
export function createNodeMaintenance({ db, runId, log, readNodes, record, broadcast }: Options) {
  // Of this node.
  let isOwn = false;
  let ownEpoch: number | undefined;
  // Of another node, since this one is quiet.
  let quietEpoch: number | null = null;
  let setQuiet: SetQuiet | undefined;
  let following: Promise<void> | undefined;
  let followAgain = false;

  const read = () =>
    db
      .selectFrom('maintenance')
      .select(['runId', 'epoch', 'why'])
      .where('runId', 'is not', null)
      .$narrowType<{ runId: string; why: string }>()
      .executeTakeFirst();
  const isAlive = async (of: string) => (await readNodes()).some((node) => node.runId === of && node.isAlive);
  /** In a transaction, so that it is before or after the one that replaces the data. */
  const finish = (of: string) =>
    inTransaction(db, (tx) => tx.updateTable('maintenance').set({ runId: null, why: null }).where('runId', '=', of).execute());

  async function followNow(setQuiet: SetQuiet) {
    let row = await read();
    if (row?.runId === runId) {
      if (!isOwn) await finish(runId); // failed before
      row = undefined;
    } else if (row && !(await isAlive(row.runId))) {
      log.warn('the node of a maintenance does not respond; the others continue');
      await finish(row.runId);
      broadcast({ kind: 'maintenance' });
      row = undefined;
    }
    const epoch = row?.epoch ?? null;
    if (epoch === quietEpoch) return;
    await setQuiet(row ? (JSON.parse(row.why) as Message) : null);
    quietEpoch = epoch;
    await record();
  }

  /** Becomes quiet if another node has a maintenance, or continues after it. */
  async function follow(): Promise<void> {
    if (!setQuiet) return;
    if (following) {
      followAgain = true;
      return following;
    }
    do {
      followAgain = false;
      following = followNow(setQuiet).catch((error: unknown) =>
        log.warn({ err: error }, 'cannot follow the maintenance of the nodes'),
      );
      await following;
    } while (followAgain);
    following = undefined;
  }

  const ofNode: Pick<Nodes, 'otherMaintenance' | 'beginMaintenance' | 'confirmMaintenance' | 'endMaintenance'> = {
    async otherMaintenance() {
      const row = await read();
      return row && row.runId !== runId ? (JSON.parse(row.why) as Message) : null;
    },
    async beginMaintenance(why, { signal, onWait }) {
      isOwn = true;
      const row = { runId, why: JSON.stringify(why) };
      ownEpoch = await inTransaction(db, async (tx) => {
        const { epoch } = await tx
          .insertInto('maintenance')
          .values({ id: 1, epoch: 1, ...row })
          .onConflict((c) => c.column('id').doUpdateSet((e) => ({ ...row, epoch: e('maintenance.epoch', '+', 1) })))
          .returning('epoch')
          .executeTakeFirstOrThrow();
        return epoch;
      });
      broadcast({ kind: 'maintenance' });
      for (;;) {
        const busy = (await readNodes()).filter((node) => node.isAlive && node.runId !== runId && node.quietEpoch !== ownEpoch);
        if (busy.length === 0) return;
        onWait(busy.map(({ name }) => name));
        await wait(lookAgainMs, undefined, { signal });
      }
    },
    async confirmMaintenance(tx) {
      const row = await tx.selectFrom('maintenance').select(['runId', 'epoch']).executeTakeFirst();
      if (row?.runId !== runId || row.epoch !== ownEpoch)
        throw new MessageError([message('restore.no-response'), message('restore.unchanged')]);
    },
    async endMaintenance() {
      if (!isOwn) return;
      isOwn = false;
      // Retried by `follow`.
      await finish(runId).catch((error: unknown) => log.warn({ err: error }, 'cannot end the maintenance yet; retrying'));
      broadcast({ kind: 'maintenance' });
    },
  };
  return {
    ofNode,
    follow,
    quietEpoch: () => quietEpoch,
    onQuiet(set: SetQuiet) {
      setQuiet = set;
    },
  };
}
