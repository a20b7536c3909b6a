import type { TextSegment } from './highlight.ts';

/** A transcript line with its matches marked. */
export const MarkedText = ({ segments }: { segments: TextSegment[] }) =>
  segments.map(({ text, isMarked }, index) => (isMarked ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>));
