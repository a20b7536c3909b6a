import type { Backup } from '#contract/backup.ts';
import { dateTimeText, dayText, localDay } from '#web/format/dates.ts';

const dayIn = (timestamp: string) => timestamp.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3');

/** Date and time of a backup; an uploaded file has only the day in its name. */
export function backupDate({ timestamp, created }: Pick<Backup, 'timestamp' | 'created'>): string {
  const day = dayIn(timestamp);
  return localDay(created) === day ? dateTimeText(created) : dayText(day);
}

/** Time that a backup is sorted by, epoch seconds: when it was written, or the end of the day in the name of an uploaded file. */
export function backupTime({ timestamp, created }: Pick<Backup, 'timestamp' | 'created'>): number {
  const day = dayIn(timestamp);
  const end = Date.parse(`${day}T23:59:59`) / 1000;
  return localDay(created) === day || Number.isNaN(end) ? created : end;
}
