/** How far a zone is ahead of UTC at a time, in milliseconds. */
function aheadAt(ms: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1000) * 1000;
}

/** When a day (`yyyy-mm-dd`), or the one so many days after it, begins in a zone; epoch seconds. */
export function dayBegins(date: string, timeZone: string, daysLater = 0): number {
  const midnight = Date.parse(`${date}T00:00:00Z`) + daysLater * 86_400_000;
  const guess = midnight - aheadAt(midnight, timeZone);
  return Math.floor((midnight - aheadAt(guess, timeZone)) / 1000); // the clocks may change that night
}
