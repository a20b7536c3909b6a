import { afterEach, expect, test, vi } from 'vitest';
import { loadStoryboard, parseStoryboard, previewAt } from './storyboard.ts';

const list = `WEBVTT

NOTE abc

00:00:00.000 --> 00:00:02.250
v_0.jpg#xywh=0,0,160,90

00:00:02.250 --> 00:00:04.500
v_0.jpg#xywh=160,0,160,90

01:00:00.000 --> 01:00:01.000
v_1.jpg#xywh=320,90,160,90
`;

afterEach(() => vi.unstubAllGlobals());

test('parses a storyboard and finds the frame for a second', () => {
  const previews = parseStoryboard(list, 'https://a.example/keep/cache/storyboards/v/v.vtt');
  expect(previews).toHaveLength(3);
  expect(previewAt(previews, 3)).toEqual({
    start: 2.25,
    end: 4.5,
    sheet: 'https://a.example/keep/cache/storyboards/v/v_0.jpg',
    x: 160,
    y: 0,
    width: 160,
    height: 90,
  });
  expect(previewAt(previews, 99_999)).toMatchObject({ start: 3600, x: 320, y: 90 });
  expect(previewAt(previews, -1)).toMatchObject({ start: 0 });
  expect(previewAt([], 3)).toBeNull();
});

test('loads a storyboard once and retries after a network failure', async () => {
  vi.stubGlobal('document', { baseURI: 'https://a.example/' });
  const fetched = vi.fn<() => Promise<Response>>().mockRejectedValueOnce(new TypeError('cut'));
  fetched.mockImplementation(async () => new Response(list));
  vi.stubGlobal('fetch', fetched);
  expect(await loadStoryboard('/cache/storyboards/v/v.vtt')).toEqual([]);
  expect(await loadStoryboard('/cache/storyboards/v/v.vtt')).toHaveLength(3);
  expect(await loadStoryboard('/cache/storyboards/v/v.vtt')).toHaveLength(3);
  expect(fetched).toHaveBeenCalledTimes(2);
});
