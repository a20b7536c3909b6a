import { expect, test } from 'vitest';
import type { RunNote } from '#contract/runs.ts';
import { resultsOf } from './import-result.ts';

const note = (kind: RunNote['kind'], what: string, id: string, more: Partial<RunNote> = {}): RunNote => ({
  kind,
  at: 0,
  what,
  why: id,
  what_messages: null,
  why_messages: [{ id, params: {} }] as unknown as RunNote['why_messages'],
  words: null,
  youtube_id: null,
  place: null,
  ...more,
});

test('lists the result of each file once, files that were left first', () => {
  const results = resultsOf([
    note('step', 'Importing', 'import.running'),
    note('problem', 'mute.mp4', 'import.no-audio'),
    note('new', 'mute.mp4', 'import.confidence', { youtube_id: 'muteVideo01', place: 'archive' }),
    note('problem', 'old.mp4', 'import.already-archived'),
    note('problem', 'old.avi', 'import.unsupported-format'),
    note('new', 'would.mp4', 'import.confidence', { youtube_id: 'wouldVideo1' }),
  ]);
  expect(results.map(({ file, outcome, videoId, notes }) => [file, outcome, videoId, notes.length])).toEqual([
    ['old.avi', 'left', null, 1],
    ['mute.mp4', 'imported', 'muteVideo01', 2],
    ['would.mp4', 'imported', null, 1],
    ['old.mp4', 'there', null, 1],
  ]);
});
