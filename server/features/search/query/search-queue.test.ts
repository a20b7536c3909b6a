import { expect, test } from 'vitest';
import { createSearchQueue } from './search-queue.ts';

const deferred = () => Promise.withResolvers<string>();
const [anna, ben] = [
  { accountId: 1, window: 'her tab' },
  { accountId: 2, window: 'his tab' },
];

test('runs one search at a time, in order', async () => {
  const queue = createSearchQueue();
  const [first, second] = [deferred(), deferred()];
  const events: string[] = [];
  const run = (client: typeof anna, pending: Promise<string>) =>
    queue.take(client, async () => {
      events.push(`${client.window} begins`);
      const result = await pending;
      events.push(`${client.window} ends`);
      return result;
    });
  const results = [run(anna, first.promise), run(ben, second.promise)];
  second.resolve('b');
  await Promise.resolve();
  first.resolve('a');
  expect(await Promise.all(results)).toEqual(['a', 'b']);
  expect(events).toEqual(['her tab begins', 'her tab ends', 'his tab begins', 'his tab ends']);
});

test('a newer search of a window replaces its queued one, and keeps those of others', async () => {
  const queue = createSearchQueue();
  const first = deferred();
  const finished: string[] = [];
  const take = (client: typeof anna, name: string) => queue.take(client, async () => void finished.push(name));
  const running = queue.take(anna, () => first.promise);
  const older = take(anna, 'r');
  const others = [
    take(ben, 'other'),
    take({ ...ben, window: anna.window }, 'same window name'),
    take({ ...anna, window: 'her other tab' }, 'other window'),
  ];
  const newer = take(anna, 'rust');
  await expect(older).rejects.toMatchObject({ status: 409 });
  first.resolve('');
  await Promise.all([running, ...others, newer]);
  expect(finished).toEqual(['other', 'same window name', 'other window', 'rust']);
});

test('searches without a window all run in order', async () => {
  const queue = createSearchQueue();
  const first = deferred();
  const script = { accountId: 1, window: null };
  const running = queue.take(script, () => first.promise);
  const others = ['video', 'channel', 'full'].map((name) => queue.take(script, async () => name));
  first.resolve('all');
  expect(await Promise.all([running, ...others])).toEqual(['all', 'video', 'channel', 'full']);
});

const script = { accountId: 1, window: null };

test('queues the searches of one account beyond its share behind those of others', async () => {
  const queue = createSearchQueue({ maxWaiting: 10, maxOfOne: 3 });
  const first = deferred();
  const finished: string[] = [];
  const take = (client: typeof anna | typeof script, name: string) => queue.take(client, async () => void finished.push(name));
  const running = queue.take(script, () => first.promise);
  const searches = ['1', '2', '3', '4', '5'].map((name) => take(script, name));
  searches.push(take(ben, "Ben's"));
  first.resolve('');
  await Promise.all([running, ...searches]);
  expect(finished).toEqual(['1', '2', '3', "Ben's", '4', '5']);
});

test('rejects a queued search after a bounded time', async () => {
  const queue = createSearchQueue({ maxWaiting: 2, maxOfOne: 1, longestHeldMs: 1 });
  const first = deferred();
  const running = queue.take(script, () => first.promise);
  const queued = queue.take(script, async () => 'served');
  for (const client of [script, anna])
    await expect(queue.take(client, async () => '')).rejects.toMatchObject({
      status: 429,
      message: 'Too many of your searches are waiting. Try again in a moment.',
      retryAfterSeconds: 2,
    });
  const searchOfBen = queue.take(ben, async () => 'served too');
  await expect(queue.take({ accountId: 3, window: null }, async () => '')).rejects.toMatchObject({
    status: 429,
    message: 'Too many searches are running. Try again in a moment.',
  });
  first.resolve('');
  expect(await Promise.all([running, queued, searchOfBen])).toEqual(['', 'served', 'served too']);
});

test('rejects an excessive number immediately', async () => {
  const queue = createSearchQueue({ maxOfOne: 1, maxHeld: 1 });
  const first = deferred();
  const running = queue.take(script, () => first.promise);
  const others = [1, 2].map((name) => queue.take(script, async () => name));
  await expect(queue.take(script, async () => 3)).rejects.toMatchObject({ status: 429 });
  first.resolve('');
  expect(await Promise.all([running, ...others])).toEqual(['', 1, 2]);
});

test('a search of a closed connection leaves the queue', async () => {
  const queue = createSearchQueue({ maxOfOne: 1 });
  const first = deferred();
  const finished: string[] = [];
  const [queuedController, heldController] = [new AbortController(), new AbortController()];
  const running = queue.take(script, () => first.promise);
  const cancelled = [queuedController, heldController].map(({ signal }, at) =>
    queue.take(script, async () => void finished.push(`gone ${at}`), signal),
  );
  const last = queue.take(script, async () => void finished.push('last'));
  heldController.abort();
  queuedController.abort();
  for (const search of cancelled) await expect(search).rejects.toThrow('The connection was closed.');
  first.resolve('');
  await Promise.all([running, last]);
  expect(finished).toEqual(['last']);
});

test('a failed search blocks no other', async () => {
  const queue = createSearchQueue();
  const first = deferred();
  const failing = queue.take(anna, () => first.promise);
  const queued = queue.take(ben, async () => 'served');
  first.reject(new Error('no'));
  await expect(failing).rejects.toThrow('no');
  expect(await queued).toBe('served');
});
