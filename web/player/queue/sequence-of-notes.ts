import type { Note } from '#contract/note.ts';
import type { SequenceItem } from '../state/note-sequence.ts';

/** How long a note without an end plays. */
const momentSeconds = 30;

/**
 * Returns what plays of these notes: their videos in the order of the notes, each by time. A note without an end plays for 30 s or
 * up to the next one. Notes without a time, and those of deleted videos, are left out.
 */
export function sequenceOfNotes(notes: readonly Note[]): SequenceItem[] {
  const playable = notes.filter(({ start, is_archived: isArchived }) => start !== null && isArchived);
  return [...Map.groupBy(playable, ({ video }) => video).values()].flatMap((ofVideo) =>
    ofVideo
      .toSorted((a, b) => a.start! - b.start!)
      .map(({ id, video, start, end, text, quote, video_title: title }, index, sorted) => {
        const next = sorted.slice(index + 1).find((other) => other.start! > start!)?.start ?? Infinity;
        const isRange = end !== null && end > start!;
        return {
          note: id,
          video,
          start: start!,
          end: isRange ? end : Math.min(start! + momentSeconds, next),
          text: text || quote || title,
        };
      }),
  );
}
