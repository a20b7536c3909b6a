import { expect, test } from 'vitest';
import { neighbourInQueue, insertAfter, parseQueue, type QueuedVideo } from './queue.ts';

const of = (...ids: string[]): QueuedVideo[] =>
  ids.map((id) => ({ id, title: id, channel: 'c', thumbnail: '/t.jpg', durationSeconds: 1 }));
const ids = (items: QueuedVideo[]) => items.map(({ id }) => id).join(' ');
const [x] = of('x');

test('inserts a video after the current one or at the end, and moves a queued one', () => {
  expect(ids(insertAfter(of('a', 'b'), x!, 'a'))).toBe('a x b');
  expect(ids(insertAfter(of('a', 'b'), x!, null))).toBe('a b x');
  expect(ids(insertAfter(of('a', 'b'), x!, 'not in it'))).toBe('x a b');
  expect(ids(insertAfter(of('x', 'a', 'b'), x!, 'a'))).toBe('a x b');
});

test('returns the next and previous item, and wraps around when repeating', () => {
  const once = { items: of('a', 'b'), repeat: 'off' as const };
  expect(neighbourInQueue(once, 'a', 1)?.id).toBe('b');
  expect(neighbourInQueue(once, 'b', 1)).toBeNull();
  expect(neighbourInQueue(once, 'elsewhere', 1)?.id).toBe('a');
  expect(neighbourInQueue(once, 'b', -1)?.id).toBe('a');
  expect(neighbourInQueue({ ...once, repeat: 'all' }, 'b', 1)?.id).toBe('a');
  expect(neighbourInQueue({ ...once, repeat: 'all' }, 'a', -1)?.id).toBe('b');
});

test('drops invalid items of a stored queue', () => {
  expect(parseQueue({ items: [{ id: 'a', title: 'A', thumbnail: '/a.jpg' }, { id: 7 }, null], repeat: 'sometimes' })).toEqual({
    items: [{ id: 'a', title: 'A', channel: '', thumbnail: '/a.jpg', durationSeconds: 0 }],
    repeat: 'off',
  });
  expect(parseQueue('nothing')).toEqual({ items: [], repeat: 'off' });
});
