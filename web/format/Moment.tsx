import type { ReactNode } from 'react';
import { isoText, momentText } from './dates.ts';

/** An instant, told in words that a person reads: machines find it exactly, and people by hovering. */
export const Moment = ({ at, children }: { at: string | number; children: ReactNode }) => (
  <time dateTime={isoText(at)} title={momentText(at)}>
    {children}
  </time>
);
