import { expect, test } from 'vitest';
import { formatProgress } from './download-report.ts';

const MiB = 1024 * 1024;

test('formats percentage, size, speed and remaining time', () => {
  const line = formatProgress({
    isFinished: false,
    fraction: 0.125,
    downloadedBytes: 12.5 * MiB,
    totalBytes: 100 * MiB,
    bytesPerSecond: 2 * MiB,
    secondsLeft: 44,
  });
  expect(line).toBe('12.5% of 100.00MiB at 2.00MiB/s - time left: 00:44');
});

test('omits unknown values', () => {
  expect(
    formatProgress({
      isFinished: false,
      fraction: null,
      downloadedBytes: 0,
      totalBytes: null,
      bytesPerSecond: null,
      secondsLeft: null,
    }),
  ).toBe('0.00B');
  expect(
    formatProgress({
      isFinished: false,
      fraction: null,
      downloadedBytes: 1536,
      totalBytes: null,
      bytesPerSecond: 1024,
      secondsLeft: 3700,
    }),
  ).toBe('1.50KiB at 1.00KiB/s - time left: 1:01:40');
});
