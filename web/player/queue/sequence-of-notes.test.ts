import { expect, test } from 'vitest';
import type { Note } from '#contract/note.ts';
import { sequenceOfNotes } from './sequence-of-notes.ts';

const note = (id: number, video: string, start: number | null, more: Partial<Note> = {}) =>
  ({ id, video, start, end: null, text: `note ${id}`, quote: null, is_archived: true, video_title: video, ...more }) as Note;

test('plays the notes of each video by time, videos in the order of the notes', () => {
  const items = sequenceOfNotes([
    note(5, 'b', 70),
    note(4, 'a', 50, { end: 58 }),
    note(3, 'b', 60, { text: '', quote: 'said' }),
    note(2, 'a', 5, { text: '' }),
    note(1, 'b', 60, { end: 60 }),
  ]);
  expect(items).toEqual([
    { note: 3, video: 'b', start: 60, end: 70, text: 'said' },
    { note: 1, video: 'b', start: 60, end: 70, text: 'note 1' },
    { note: 5, video: 'b', start: 70, end: 100, text: 'note 5' },
    { note: 2, video: 'a', start: 5, end: 35, text: 'a' },
    { note: 4, video: 'a', start: 50, end: 58, text: 'note 4' },
  ]);
});

test('leaves out notes without a time and those of deleted videos', () =>
  expect(sequenceOfNotes([note(1, 'a', null), note(2, 'a', 3, { is_archived: false })])).toEqual([]));
