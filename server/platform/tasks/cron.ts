import { Cron } from 'croner';
import { timeZone } from '../lib/format-time.ts';
import { badRequest } from '../http/http-error.ts';

const asCron = ([minute, hour, weekday]: string[]) => `${minute} ${hour} * * ${weekday}`;

// Other syntax of the library is not supported; it reads `5L` as the last Friday of a month.
const isPlain = (field: string) => /^[\d*,/-]+$/.test(field);
const dayName = /\b(sun|mon|tue|wed|thu|fri|sat)\b/gi;

/**
 * Parses "minute hour weekday".
 * @throws bad request with the messages that API clients expect
 */
export function parseSchedule(text: string): string {
  const fields = text.trim().split(/\s+/);
  if (fields.length !== 3) throw badRequest('error.schedule-fields');
  const [minute = ''] = fields;
  if (!/^\d+$/.test(minute)) throw badRequest('error.minutes-number');
  if (Number(minute) > 59) throw badRequest('error.minutes');
  try {
    if (!isPlain(fields[1]!) || !isPlain(fields[2]!.replaceAll(dayName, '0'))) throw new Error('strange signs');
    if (!new Cron(asCron(fields), { paused: true }).nextRun()) throw new Error('never');
  } catch {
    throw badRequest('error.schedule', { text: text.trim() });
  }
  return fields.join(' ');
}

/** Returns the next time of a schedule after `after`, epoch seconds. Runs once in the hour of a clock change. */
export function nextRun(schedule: string, after: number): number {
  const next = new Cron(asCron(schedule.split(' ')), { paused: true, timezone: timeZone() }).nextRun(new Date(after * 1000));
  if (!next) throw new Error(`The schedule "${schedule}" never comes.`);
  return Math.floor(next.getTime() / 1000);
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** Describes a schedule in English. */
export function describeSchedule(schedule: string): string {
  const [minute = '', hour = '', weekday = ''] = schedule.split(' ');
  const two = (digits: string) => digits.padStart(2, '0');
  const at = /^\d+$/.test(hour) ? `At ${two(hour)}:${two(minute)}` : `At minute ${minute} of hour ${hour}`;
  const dayName = (day: string) => weekdays[Number(day)] ?? day;
  const on = weekday === '*' ? '' : ` on ${weekday.replaceAll(/(?<!\/)\d/g, dayName).replaceAll(',', ', ')}`;
  return `${at}${on}, ${timeZone()}`;
}
