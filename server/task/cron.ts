import { Cron } from 'croner';
import { timeZone } from '../time-text.ts';
import { refused } from '../http/problem.ts';

const asCron = ([minute, hour, weekday]: string[]) => `${minute} ${hour} * * ${weekday}`;

// Of the library's other signs none means anything here: it takes `5L` for the last Friday of a month.
const isPlain = (field: string) => /^[\d*,/-]+$/.test(field);
const dayName = /\b(sun|mon|tue|wed|thu|fri|sat)\b/gi;

/** Reads "minute hour weekday". Throws a refusal in the words that clients of the API know. */
export function readSchedule(text: string): string {
  const fields = text.trim().split(/\s+/);
  if (fields.length !== 3) throw refused('expected three cron schedule fields');
  const [minute = ''] = fields;
  if (!/^\d+$/.test(minute)) throw refused('Invalid value for minutes. Must be an integer.');
  if (Number(minute) > 59) throw refused('Invalid minutes. Must be between 0 and 59.');
  try {
    if (!isPlain(fields[1]!) || !isPlain(fields[2]!.replaceAll(dayName, '0'))) throw new Error('strange signs');
    if (!new Cron(asCron(fields), { paused: true }).nextRun()) throw new Error('never');
  } catch {
    throw refused(`invalid crontab: ${text.trim()}`);
  }
  return fields.join(' ');
}

/** When a schedule is due next after a time, epoch seconds. Each hour of a clock change is met once. */
export function nextRun(schedule: string, after: number): number {
  const next = new Cron(asCron(schedule.split(' ')), { paused: true, timezone: timeZone() }).nextRun(new Date(after * 1000));
  if (!next) throw new Error(`The schedule "${schedule}" never comes.`);
  return Math.floor(next.getTime() / 1000);
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** A schedule as a sentence. */
export function inWords(schedule: string): string {
  const [minute = '', hour = '', weekday = ''] = schedule.split(' ');
  const two = (digits: string) => digits.padStart(2, '0');
  const at = /^\d+$/.test(hour) ? `At ${two(hour)}:${two(minute)}` : `At minute ${minute} of hour ${hour}`;
  const dayName = (day: string) => weekdays[Number(day)] ?? day;
  const on = weekday === '*' ? '' : ` on ${weekday.replaceAll(/(?<!\/)\d/g, dayName).replaceAll(',', ', ')}`;
  return `${at}${on}, ${timeZone()}`;
}
