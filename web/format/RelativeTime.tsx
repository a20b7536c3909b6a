import type { ReactNode } from 'react';
import { isoText, dateTimeText } from './dates.ts';

/** A time in words, with the exact time as machine-readable value and tooltip. */
export const RelativeTime = ({ at, children }: { at: string | number; children: ReactNode }) => (
  <time dateTime={isoText(at)} title={dateTimeText(at)}>
    {children}
  </time>
);
