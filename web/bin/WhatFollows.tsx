import { Plural, Trans } from '@lingui/react/macro';
import { useBinDays } from './queries.ts';

/** In a question before something is deleted: whether, and for how long, it can be put back. */
export function WhatFollows() {
  const days = useBinDays();
  if (days === undefined) return null;
  return (
    <p>
      {days === 0 ? (
        <Trans>What is gone from its site too cannot be had again.</Trans>
      ) : (
        <Plural
          value={days}
          one="It rests in the bin for # day, and can be put back from there."
          other="It rests in the bin for # days, and can be put back from there."
        />
      )}
    </p>
  );
}
