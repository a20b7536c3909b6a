import { t } from '@lingui/core/macro';
import { timeOfDayText, weekdayName } from '#web/format/dates.ts';
import type { ScheduleChoice } from './schedule-times.ts';

/** Describes a schedule in the language of the page: `Every Friday at 07:30`. */
export function scheduleText(choice: ScheduleChoice): string {
  if (choice.kind === 'off') return t`Off`;
  if (choice.kind === 'custom') return t`Custom: ${choice.fields}`;
  if (choice.kind === 'hourly')
    return choice.minute === 0 ? t`Every hour` : t`Every hour, ${choice.minute} minutes past the hour`;
  const time = timeOfDayText(choice.time);
  if (choice.kind === 'daily') return t`Every day at ${time}`;
  const day = weekdayName(choice.day, 'long');
  return t`Every ${day} at ${time}`;
}
