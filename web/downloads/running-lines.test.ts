import { expect, test } from 'vitest';
import type { Notification } from '#contract/task.ts';
import { runningLine, shareOf } from './running-lines.ts';

const notice = (group: string, messages: string[]): Notification => ({
  id: group,
  name: 'x',
  title: 'x',
  group,
  api_start: true,
  api_stop: true,
  level: 'info',
  messages,
  said: messages.map(() => null),
});

test('of several that run side by side each finds its own line', () => {
  const notices = [notice('download:scan', ['B', 'no']), notice('download:run', ['A', '1.0% of 2MiB', 'B', 'Pausing.'])];
  expect(['A', 'B', 'C'].map((title) => runningLine(notices, title)?.line)).toEqual(['1.0% of 2MiB', 'Pausing.', undefined]);
});

test.each([
  ['12.5% of 100.00MiB at 2.00MiB/s - time left: 00:44', 0.125],
  ['100.0% of 1.00MiB', 1],
  ['3.00MiB', undefined],
  [undefined, undefined],
])('%s is %s of it', (line, share) => expect(shareOf(line)).toBe(share));
