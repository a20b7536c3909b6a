import { expect, test } from 'vitest';
import { makeTurns } from './turns.ts';

const wait = () => Promise.withResolvers<string>();

test('one search at a time, in the order they came', async () => {
  const turns = makeTurns();
  const [first, second] = [wait(), wait()];
  const log: string[] = [];
  const run = (name: string, end: Promise<string>) =>
    turns.take(name, async () => {
      log.push(`${name} begins`);
      const said = await end;
      log.push(`${name} ends`);
      return said;
    });
  const answers = [run('anna', first.promise), run('ben', second.promise)];
  second.resolve('b');
  await Promise.resolve();
  first.resolve('a');
  expect(await Promise.all(answers)).toEqual(['a', 'b']);
  expect(log).toEqual(['anna begins', 'anna ends', 'ben begins', 'ben ends']);
});

test('who types on gets what they typed last; what others wait for stays', async () => {
  const turns = makeTurns();
  const first = wait();
  const done: string[] = [];
  const take = (name: string, what: string) => turns.take(name, async () => void done.push(what));
  const running = turns.take('anna', () => first.promise);
  const older = take('anna', 'r');
  const bens = take('ben', 'other');
  const newer = take('anna', 'rust');
  await expect(older).rejects.toMatchObject({ status: 409 });
  first.resolve('');
  await Promise.all([running, bens, newer]);
  expect(done).toEqual(['other', 'rust']);
});

test('a search that fails holds up nobody, and too many that wait are told so', async () => {
  const turns = makeTurns({ mostWaiting: 1 });
  const first = wait();
  const failing = turns.take('a', () => first.promise);
  const waiting = turns.take('b', async () => 'served');
  await expect(turns.take('c', async () => '')).rejects.toMatchObject({ status: 429 });
  first.reject(new Error('no'));
  await expect(failing).rejects.toThrow('no');
  expect(await waiting).toBe('served');
});
