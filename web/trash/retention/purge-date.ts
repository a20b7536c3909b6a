import { t } from '@lingui/core/macro';
import { agoText } from '#web/format/dates.ts';

/**
 * Text for the time of the final deletion: `deleted permanently in 3 days`. `purgeAt` in seconds, `now` in milliseconds.
 */
export function purgeDateText(purgeAt: number, now = Date.now()): string {
  const when = agoText(purgeAt, now);
  return purgeAt * 1000 - now < 60_000 ? t`deleted permanently soon` : t`deleted permanently ${when}`;
}
