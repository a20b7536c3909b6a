import type { Note } from '#contract/note.ts';

const initialSeconds = 30;

/**
 * Returns the part of a video that a clip probably has: the range of the bookmark that is played, else half a minute from the
 * current second.
 */
export function rangeToClip(now: number, notes: Pick<Note, 'kind' | 'start' | 'end'>[], durationSeconds: number) {
  for (const { kind, start, end } of notes.toReversed())
    if (kind === 'bookmark' && start !== null && end !== null && start <= now && now <= end) return { start, end };
  const start = Math.max(0, Math.min(now, durationSeconds - 1));
  return { start, end: Math.min(start + initialSeconds, durationSeconds) };
}
