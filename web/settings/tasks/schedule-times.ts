/**
 * A schedule as the form shows it. Times and days are in the browser's time zone; `custom` holds the server's three cron
 * fields.
 */
export type ScheduleChoice =
  | { kind: 'off' }
  | { kind: 'hourly'; minute: number }
  | { kind: 'daily'; time: string }
  | { kind: 'weekly'; time: string; day: number }
  | { kind: 'custom'; fields: string };

/** Returns the UTC offset of a time zone at an instant, in minutes. */
function offsetOf(zone: string | undefined, at: Date): number {
  const options = {
    hour12: false,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  } as const;
  const parts = new Intl.DateTimeFormat('en-US', { ...options, timeZone: zone }).formatToParts(at);
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value);
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour') % 24, part('minute'));
  return Math.round((local - at.getTime()) / 60_000);
}

/**
 * Returns how many minutes the browser's time zone is ahead of the server's at `at`. Both may observe daylight saving time.
 */
export const minutesAheadOfServer = (serverZone: string, at = new Date(), browserZone?: string): number =>
  offsetOf(browserZone, at) - offsetOf(serverZone, at);

const minutesOfDay = 1440;
const padTwo = (number: number) => String(number).padStart(2, '0');

/** Shifts a time of day by minutes. `days` is the resulting day offset. */
function shiftTime(hour: number, minute: number, by: number): { hour: number; minute: number; days: number } {
  const total = hour * 60 + minute + by;
  const inDay = ((total % minutesOfDay) + minutesOfDay) % minutesOfDay;
  return { hour: Math.floor(inDay / 60), minute: inDay % 60, days: Math.floor(total / minutesOfDay) };
}

/** Parses a server schedule (minute, hour, day of week). `undefined` means off. */
export function parseSchedule(schedule: string | undefined, ahead: number): ScheduleChoice {
  if (schedule === undefined) return { kind: 'off' };
  const [minute = '', hour = '', day = ''] = schedule.split(' ');
  if (hour === '*' && day === '*') return { kind: 'hourly', minute: (((Number(minute) + ahead) % 60) + 60) % 60 };
  if (!/^\d+$/.test(hour) || !/^(\*|[0-7])$/.test(day)) return { kind: 'custom', fields: schedule };
  const local = shiftTime(Number(hour), Number(minute), ahead);
  const time = `${padTwo(local.hour)}:${padTwo(local.minute)}`;
  return day === '*' ? { kind: 'daily', time } : { kind: 'weekly', time, day: (Number(day) + local.days + 14) % 7 };
}

/** Serializes a schedule for the server. Null means off. */
export function serializeSchedule(choice: ScheduleChoice, ahead: number): string | null {
  if (choice.kind === 'off') return null;
  if (choice.kind === 'custom') return choice.fields.trim();
  if (choice.kind === 'hourly') return `${(((choice.minute - ahead) % 60) + 60) % 60} * *`;
  const [hour = 0, minute = 0] = choice.time.split(':').map(Number);
  const serverTime = shiftTime(hour, minute, -ahead);
  const day = choice.kind === 'weekly' ? String((choice.day + serverTime.days + 14) % 7) : '*';
  return `${serverTime.minute} ${serverTime.hour} ${day}`;
}

/** Whether clock changes move the times of a schedule, because only one of the two time zones has them or at other times. */
export function isShiftedByClockChanges(serverZone: string, browserZone?: string, at = new Date()): boolean {
  const year = at.getUTCFullYear();
  const offsets = Array.from({ length: 12 }, (_, month) =>
    minutesAheadOfServer(serverZone, new Date(Date.UTC(year, month, 15)), browserZone),
  );
  return new Set(offsets).size > 1;
}
