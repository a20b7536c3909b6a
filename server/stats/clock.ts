const daySeconds = 86_400;
// Clocks are changed at a quarter of an hour, and are whole quarters away from UTC.
const quarter = 900;

/** A stretch of time in which clocks are the same number of seconds ahead of UTC; epoch seconds, `to` is outside. */
export interface Period {
  from: number;
  to: number;
  ahead: number;
}

/** Answers how many seconds the clocks of a zone are ahead of UTC at a time. */
function aheadIn(timeZone: string) {
  // Sweden writes dates like ISO 8601.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return (epochSeconds: number) => Date.parse(`${format.format(epochSeconds * 1000).replace(' ', 'T')}Z`) / 1000 - epochSeconds;
}

/** The stretches between two times, from one change of the clocks of a zone to the next. Begins at a whole quarter of an hour. */
export function periodsIn(timeZone: string, since: number, to: number): Period[] {
  const aheadAt = aheadIn(timeZone);
  const periods: Period[] = [];
  let from = Math.floor(since / quarter) * quarter;
  let ahead = aheadAt(from);
  const change = (at: number) => {
    periods.push({ from, to: at, ahead });
    from = at;
    ahead = aheadAt(at);
  };
  for (let at = from; at < to; at += daySeconds) {
    if (aheadAt(at + daySeconds) === ahead) continue;
    let [before, after] = [at, at + daySeconds];
    while (after - before > quarter) {
      const between = before + Math.floor((after - before) / 2 / quarter) * quarter;
      if (aheadAt(between) === ahead) before = between;
      else after = between;
    }
    if (after < to) change(after);
  }
  return [...periods, { from, to, ahead }];
}

/** The day of a local clock, yyyy-mm-dd, from how many of them have passed there since 1970. */
export const dateOfDay = (localDay: number) => new Date(localDay * daySeconds * 1000).toISOString().slice(0, 10);
