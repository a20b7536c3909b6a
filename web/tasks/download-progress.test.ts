import { i18n } from '@lingui/core';
import { beforeEach, expect, test } from 'vitest';
import type { DownloadProgress, Notification } from '#contract/task.ts';
import { findDownload, progressText, shareOf } from './download-progress.ts';

beforeEach(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));

const download = (id: string, more: Partial<DownloadProgress> = {}): DownloadProgress => ({
  youtube_id: id,
  title: id,
  stage: 'Checking the file.',
  stage_messages: [{ id: 'download.checking' }],
  bytes: null,
  total_bytes: null,
  bytes_per_second: null,
  seconds_left: null,
  ...more,
});
const notice = (downloads?: DownloadProgress[]): Notification => ({
  id: 'x',
  title: 'x',
  group: 'download:run',
  api_start: true,
  api_stop: true,
  level: 'info',
  messages: [],
  ...(downloads && { downloads }),
});

test('finds the progress of each parallel download', () => {
  const notices = [notice(), notice([download('a'), download('b', { bytes: 1 })])];
  expect(['a', 'b', 'c'].map((id) => findDownload(notices, id)?.bytes)).toEqual([null, 1, undefined]);
});

test.each([
  [{ bytes: 25, total_bytes: 100 }, 0.25],
  [{ bytes: 120, total_bytes: 100 }, 1],
  [{ bytes: 25, total_bytes: null }, undefined],
  [{}, undefined],
])('computes the share of %o as %s', (more, share) => expect(shareOf(download('a', more))).toBe(share));

test('describes a transfer with its speed and remaining time, else the stage', () => {
  const transfer = { bytes: 12.5 * 1024 ** 2, total_bytes: 100 * 1024 ** 2, bytes_per_second: 2 * 1024 ** 2, seconds_left: 44 };
  expect(progressText(download('a', transfer), 'binary')).toBe('12.5 MiB of 100 MiB · 2.0 MiB/s · 0:44 left');
  expect(progressText(download('a', { bytes: 1024 }), 'binary')).toBe('1.0 KiB');
  expect(progressText(download('a'), 'binary')).toBe('Checking the file.');
});
