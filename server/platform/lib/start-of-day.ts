/** When a day (`yyyy-mm-dd`), or the one `daysLater`, begins in a time zone; epoch seconds. Throws RangeError for a day that does not exist. */
export const startOfDay = (date: string, timeZone: string, daysLater = 0): number =>
  Temporal.PlainDate.from(date).add({ days: daysLater }).toZonedDateTime(timeZone).epochMilliseconds / 1000;
