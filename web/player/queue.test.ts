import { expect, test } from 'vitest';
import { besideInQueue, putInto, queueOf, type QueuedVideo } from './queue.ts';

const of = (...ids: string[]): QueuedVideo[] =>
  ids.map((id) => ({ id, title: id, channel: 'c', thumbnail: '/t.jpg', durationSeconds: 1 }));
const ids = (items: QueuedVideo[]) => items.map(({ id }) => id).join(' ');
const [x] = of('x');

test('a video comes right after the one that is shown, or at the end; one that is there moves', () => {
  expect(ids(putInto(of('a', 'b'), x!, 'a'))).toBe('a x b');
  expect(ids(putInto(of('a', 'b'), x!, null))).toBe('a b x');
  expect(ids(putInto(of('a', 'b'), x!, 'not in it'))).toBe('x a b');
  expect(ids(putInto(of('x', 'a', 'b'), x!, 'a'))).toBe('a x b');
});

test('the queue goes on behind the shown video, from its start after any other, and round when it is repeated', () => {
  const once = { items: of('a', 'b'), repeat: 'off' as const };
  expect(besideInQueue(once, 'a', 1)?.id).toBe('b');
  expect(besideInQueue(once, 'b', 1)).toBeNull();
  expect(besideInQueue(once, 'elsewhere', 1)?.id).toBe('a');
  expect(besideInQueue(once, 'b', -1)?.id).toBe('a');
  expect(besideInQueue({ ...once, repeat: 'all' }, 'b', 1)?.id).toBe('a');
  expect(besideInQueue({ ...once, repeat: 'all' }, 'a', -1)?.id).toBe('b');
});

test('of a strange memory only what is right is taken', () => {
  expect(queueOf({ items: [{ id: 'a', title: 'A', thumbnail: '/a.jpg' }, { id: 7 }, null], repeat: 'sometimes' })).toEqual({
    items: [{ id: 'a', title: 'A', channel: '', thumbnail: '/a.jpg', durationSeconds: 0 }],
    repeat: 'off',
  });
  expect(queueOf('nothing')).toEqual({ items: [], repeat: 'off' });
});
