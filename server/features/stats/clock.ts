// UTC offsets are multiples of 15 minutes and change at such a multiple.
const quarter = 900;

/** A period with a constant UTC offset (`ahead`, seconds); epoch seconds, `to` exclusive. */
export interface Period {
  from: number;
  to: number;
  ahead: number;
}

/** Splits a time range at each change of the zone's offset. `since` must be a multiple of 15 minutes. */
export function periodsIn(timeZone: string, since: number, to: number): Period[] {
  const periods: Period[] = [];
  let start = Temporal.Instant.fromEpochMilliseconds(Math.floor(since / quarter) * quarter * 1000).toZonedDateTimeISO(timeZone);
  for (;;) {
    const from = start.epochMilliseconds / 1000;
    const ahead = start.offsetNanoseconds / 1e9;
    const next = start.getTimeZoneTransition('next');
    if (!next || next.epochMilliseconds / 1000 >= to) return [...periods, { from, to, ahead }];
    periods.push({ from, to: next.epochMilliseconds / 1000, ahead });
    start = next;
  }
}

/** Formats days since 1970-01-01 as yyyy-mm-dd. */
export const dateOfDay = (localDay: number) => new Temporal.PlainDate(1970, 1, 1).add({ days: localDay }).toString();
