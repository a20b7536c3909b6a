import { t } from '@lingui/core/macro';
import { agoText } from '#web/format/dates.ts';

/** When something goes for good: `goes for good in 3 days`. `now` in milliseconds. */
export function goesText(goes: number, now = Date.now()): string {
  const when = agoText(goes, now);
  return goes * 1000 - now < 60_000 ? t`goes for good soon` : t`goes for good ${when}`;
}
