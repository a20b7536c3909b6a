import { durationText } from './numbers.ts';

/** Formats a moment as `2:05`, a range as `2:05–2:20`. */
export const rangeText = (start: number, end: number | null) =>
  end === null ? durationText(start) : `${durationText(start)}–${durationText(end)}`;
