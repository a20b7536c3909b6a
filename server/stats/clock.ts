const daySeconds = 86_400;

/** Asks the calendar of a zone how many seconds its clocks are ahead of UTC at a time. */
function aheadIn(timeZone: string) {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }); // as ISO 8601
  return (epochSeconds: number) => Date.parse(`${format.format(epochSeconds * 1000).replace(' ', 'T')}Z`) / 1000 - epochSeconds;
}

const dateOf = (epochDay: number) => new Date(epochDay * daySeconds * 1000).toISOString().slice(0, 10);

/** Keeps what is answered for each number. */
function keeping<T>(ask: (number: number) => T): (number: number) => T {
  const known = new Map<number, T>();
  return (number) => {
    if (!known.has(number)) known.set(number, ask(number));
    return known.get(number)!;
  };
}

/**
 * What a clock and a calendar in a zone say at a time: the day (yyyy-mm-dd), its place in the week from Monday on, and the hour. To ask
 * the calendar takes long, so on most days it is asked once: where clocks say the same at both ends of a day, they do in it.
 */
export function clockIn(timeZone: string) {
  const ask = aheadIn(timeZone);
  const aheadAtStart = keeping((epochDay) => ask(epochDay * daySeconds));
  const date = keeping(dateOf);
  return (epochSeconds: number) => {
    const epochDay = Math.floor(epochSeconds / daySeconds);
    const ahead = aheadAtStart(epochDay) === aheadAtStart(epochDay + 1) ? aheadAtStart(epochDay) : ask(epochSeconds);
    const here = epochSeconds + ahead;
    const day = Math.floor(here / daySeconds);
    // The first of January 1970 was a Thursday.
    return { date: date(day), weekday: (day + 3) % 7, hour: Math.floor((here - day * daySeconds) / 3600) };
  };
}
