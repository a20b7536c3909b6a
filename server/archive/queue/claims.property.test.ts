import { assert, asyncModelRun, asyncProperty, commands, constant, constantFrom, nat, type AsyncCommand } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainText } from '#contract/messages.ts';
import type { Db } from '../../platform/db/db.ts';
import { openPostgres } from '../../platform/db/postgres/postgres.ts';
import { createQueueItem, engines, testApp } from '../../test-support/app.ts';
import { claimNext, leaseSeconds, recordFailure, releaseLease, removeItem, renewLease, type QueueItem } from './claims.ts';

const nodeCount = 3;
const perSite = 2;
const itemCount = 9;
const sites = ['youtube', 'vimeo', 'peertube'];

/** A claim as its holder knows it, also after it has expired. */
interface Held {
  item: QueueItem;
  until: number;
}

/** The archive as it should be: time, what each node holds, and what was archived by whom. */
interface Model {
  now: number;
  held: Held[];
  /** The latest epoch of each item that is claimed. */
  epochs: Map<number, number>;
  archived: string[];
}
type Nodes = Db[];
type Step = AsyncCommand<Model, Nodes>;

const isValid = (model: Model) => (held: Held) => held.until >= model.now;

/** No item has two valid leases, and no site more than the limit. */
function expectLimits(model: Model) {
  const valid = model.held.filter(isValid(model)).map(({ item }) => item);
  expect(new Set(valid.map(({ number }) => number)).size).toBe(valid.length);
  for (const site of sites) expect(valid.filter((item) => item.site === site).length).toBeLessThanOrEqual(perSite);
}

const isLatest = (model: Model, { item }: Held) => model.epochs.get(item.number) === item.epoch;

/** A write of a holder, which succeeds if and only if the item was not claimed since. */
const onHolder = (
  name: string,
  pick: number,
  act: (model: Model, nodes: Nodes, held: Held) => Promise<boolean>,
  isAllowed = isLatest,
): Step => ({
  check: ({ held }) => held.length > 0,
  async run(model, nodes) {
    const held = model.held[pick % model.held.length]!;
    const expected = isAllowed(model, held);
    expect(await act(model, nodes, held), name).toBe(expected);
    expectLimits(model);
  },
  toString: () => `${name} ${pick}`,
});

/** The holder has written for the last time. */
function forget(model: Model, held: Held) {
  model.held.splice(model.held.indexOf(held), 1);
}
const nodeOf = (nodes: Nodes, { item }: Held) => nodes[Number(item.leasedBy)]!;

/** All nodes claim at the same time. */
const claimAtOnce: Step = {
  check: () => true,
  async run(model, nodes) {
    const claimed = await Promise.all(
      [...nodes, ...nodes].map((db, n) =>
        claimNext(db, { runId: String(n % nodeCount), now: model.now, autoOnly: false, perSite }),
      ),
    );
    for (const item of claimed.filter((one) => one !== undefined)) {
      expect(item.epoch).toBeGreaterThan(model.epochs.get(item.number) ?? 0);
      model.epochs.set(item.number, item.epoch);
      model.held.push({ item, until: model.now + leaseSeconds });
    }
    expectLimits(model);
  },
  toString: () => 'claim',
};

const pass = (seconds: number): Step => ({
  check: () => true,
  run: async (model) => void (model.now += seconds),
  toString: () => `pass ${seconds} s`,
});

const renew = (pick: number) =>
  onHolder(
    'renew',
    pick,
    async (model, nodes, held) => {
      const isOurs = await renewLease(nodeOf(nodes, held), held.item, model.now);
      if (isOurs) held.until = model.now + leaseSeconds;
      else forget(model, held);
      return isOurs;
    },
    (model, held) => isLatest(model, held) && isValid(model)(held),
  );

const fail = (pick: number) =>
  onHolder('fail', pick, async (model, nodes, held) => {
    forget(model, held);
    const failure = { kind: 'network', message: plainText('Cut.'), retryAt: model.now } as const;
    return recordFailure(nodeOf(nodes, held), held.item, failure);
  });

const archive = (pick: number) =>
  onHolder('archive', pick, async (model, nodes, held) => {
    forget(model, held);
    const [{ numDeletedRows = 0n } = {}] = await removeItem(nodeOf(nodes, held), held.item);
    if (numDeletedRows > 0n) model.archived.push(held.item.id);
    return numDeletedRows > 0n;
  });

const release = (pick: number): Step => ({
  check: ({ held }) => held.length > 0,
  async run(model, nodes) {
    const held = model.held[pick % model.held.length]!;
    forget(model, held);
    await releaseLease(nodeOf(nodes, held), held.item);
    expectLimits(model);
  },
  toString: () => `release ${pick}`,
});

const steps = commands(
  [
    constant(claimAtOnce),
    constantFrom(leaseSeconds / 2, leaseSeconds + 1).map(pass),
    nat().map(renew),
    nat().map(fail),
    nat().map(archive),
    nat().map(release),
  ],
  { maxCommands: 30, size: 'max' },
);

describe.runIf(engines.length > 1)('claims of several nodes on PostgreSQL', () => {
  test('no item has two holders, site limits hold, and each video is archived once, whatever happens', async () => {
    const t = await testApp({ on: engines[1]! });
    const nodes = Array.from({ length: nodeCount }, () => openPostgres(t.app.config.databaseUrl!));
    await assert(
      asyncProperty(steps, async (some) => {
        await t.app.db.deleteFrom('download').execute();
        for (let n = 0; n < itemCount; n++) await createQueueItem(t.app.db, { site: sites[n % sites.length]!, queuedAt: n });
        const model: Model = { now: 1000, held: [], epochs: new Map(), archived: [] };
        await asyncModelRun(() => ({ model, real: nodes }), some);
        const { count } = await t.app.db
          .selectFrom('download')
          .select((e) => e.fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow();
        expect(new Set(model.archived).size).toBe(model.archived.length);
        expect(count + model.archived.length).toBe(itemCount);
      }),
      { numRuns: 80 },
    );
    await Promise.all(nodes.map((db) => db.destroy()));
    await t.close();
  });
});
