import { expect, test } from 'vitest';
import { makeTurns } from './turns.ts';

const wait = () => Promise.withResolvers<string>();
const [anna, ben] = [
  { accountId: 1, window: 'her tab' },
  { accountId: 2, window: 'his tab' },
];

test('one search at a time, in the order they came', async () => {
  const turns = makeTurns();
  const [first, second] = [wait(), wait()];
  const log: string[] = [];
  const run = (who: typeof anna, end: Promise<string>) =>
    turns.take(who, async () => {
      log.push(`${who.window} begins`);
      const said = await end;
      log.push(`${who.window} ends`);
      return said;
    });
  const answers = [run(anna, first.promise), run(ben, second.promise)];
  second.resolve('b');
  await Promise.resolve();
  first.resolve('a');
  expect(await Promise.all(answers)).toEqual(['a', 'b']);
  expect(log).toEqual(['her tab begins', 'her tab ends', 'his tab begins', 'his tab ends']);
});

test('who types on gets what they typed last; what others wait for stays', async () => {
  const turns = makeTurns();
  const first = wait();
  const done: string[] = [];
  const take = (who: typeof anna, what: string) => turns.take(who, async () => void done.push(what));
  const running = turns.take(anna, () => first.promise);
  const older = take(anna, 'r');
  const others = [
    take(ben, 'other'),
    take({ ...ben, window: anna.window }, 'of that name too'),
    take({ ...anna, window: 'her other tab' }, 'else'),
  ];
  const newer = take(anna, 'rust');
  await expect(older).rejects.toMatchObject({ status: 409 });
  first.resolve('');
  await Promise.all([running, ...others, newer]);
  expect(done).toEqual(['other', 'of that name too', 'else', 'rust']);
});

test('who names no window is answered whatever they ask for, one after the other', async () => {
  const turns = makeTurns();
  const first = wait();
  const script = { accountId: 1, window: null };
  const running = turns.take(script, () => first.promise);
  const others = ['video', 'channel', 'full'].map((what) => turns.take(script, async () => what));
  first.resolve('all');
  expect(await Promise.all([running, ...others])).toEqual(['all', 'video', 'channel', 'full']);
});

test('one person cannot take all the places: others still wait for their turn', async () => {
  const turns = makeTurns({ mostWaiting: 10, mostOfOne: 3 });
  const first = wait();
  const script = { accountId: 1, window: null };
  const running = turns.take(script, () => first.promise);
  const waiting = [1, 2, 3].map((what) => turns.take(script, async () => what));
  for (const who of [script, anna])
    await expect(turns.take(who, async () => 0)).rejects.toMatchObject({
      status: 429,
      message: 'Many of your searches are waiting already. Try again in a moment.',
    });
  const bens = turns.take(ben, async () => 'served');
  first.resolve('');
  expect(await Promise.all([running, ...waiting, bens])).toEqual(['', 1, 2, 3, 'served']);
});

test('a search that fails holds up nobody, and too many that wait are told so', async () => {
  const turns = makeTurns({ mostWaiting: 1 });
  const first = wait();
  const failing = turns.take(anna, () => first.promise);
  const waiting = turns.take(ben, async () => 'served');
  await expect(turns.take({ accountId: 3, window: null }, async () => '')).rejects.toMatchObject({ status: 429 });
  first.reject(new Error('no'));
  await expect(failing).rejects.toThrow('no');
  expect(await waiting).toBe('served');
});
