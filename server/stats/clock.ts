/** What a clock and a calendar in a zone say at a time: the day (yyyy-mm-dd), its place in the week from Monday on, and the hour. */
export function clockIn(timeZone: string) {
  // Sweden writes dates like ISO 8601.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return (epochSeconds: number) => {
    const [date = '', time = ''] = format.format(epochSeconds * 1000).split(' ');
    return { date, weekday: (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7, hour: Number(time.slice(0, 2)) };
  };
}
