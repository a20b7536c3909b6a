import { i18n } from '@lingui/core';
import { beforeEach, expect, test } from 'vitest';
import { seekBy } from './actions.ts';

beforeEach(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));

test.each([
  ['forward', { currentTime: 5, duration: 60 }, 10, 15],
  ['past the end', { currentTime: 55, duration: 60 }, 10, 60],
  ['before the start', { currentTime: 5, duration: 60 }, -10, 0],
  ['before the metadata is loaded', { currentTime: 5, duration: NaN }, 10, 15],
])('seeks %s', (_, video, seconds, expected) => {
  seekBy(video as HTMLVideoElement, seconds);
  expect(video.currentTime).toBe(expected);
});
