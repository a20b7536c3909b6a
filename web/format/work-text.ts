import { i18n } from '@lingui/core';

/** Formats a length of time roughly: `3 minutes`, `96 hours`. */
export function workText(seconds: number): string {
  const [value, unit] = seconds < 5400 ? [Math.max(1, Math.round(seconds / 60)), 'minute'] : [Math.round(seconds / 3600), 'hour'];
  return new Intl.NumberFormat(i18n.locale, { style: 'unit', unit: String(unit), unitDisplay: 'long' }).format(Number(value));
}
