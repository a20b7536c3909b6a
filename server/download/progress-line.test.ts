import { expect, test } from 'vitest';
import { progressLine } from './progress-line.ts';

const MiB = 1024 * 1024;

test('a progress line says percent, size, speed and the time left', () => {
  const line = progressLine({
    fraction: 0.125,
    downloadedBytes: 12.5 * MiB,
    totalBytes: 100 * MiB,
    bytesPerSecond: 2 * MiB,
    secondsLeft: 44,
  });
  expect(line).toBe('12.5% of 100.00MiB at 2.00MiB/s - time left: 00:44');
});

test('what is not known is left out of a progress line', () => {
  expect(progressLine({ fraction: null, downloadedBytes: 0, totalBytes: null, bytesPerSecond: null, secondsLeft: null })).toBe(
    '0.00B',
  );
  expect(progressLine({ fraction: null, downloadedBytes: 1536, totalBytes: null, bytesPerSecond: 1024, secondsLeft: 3700 })).toBe(
    '1.50KiB at 1.00KiB/s - time left: 1:01:40',
  );
});
