import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Settings } from '#contract/settings.ts';
import { call } from '#web/api/call.ts';

export type Rules = Settings['rules'];
/** What a source says for itself; a key that is not there is as for all, null is no rule. */
export type OwnRules = Partial<Rules>;

export const rulesQuery = (id: string) =>
  queryOptions({
    queryKey: ['channel', 'rules', id],
    queryFn: ({ signal }) => call('GET /api/channel/:id/rules/', { params: { id }, signal }),
  });

/** What such rules would bring and take away; while others are tried the last answer stays. */
export const rulesPreview = (id: string, own: OwnRules) =>
  queryOptions({
    queryKey: ['channel', 'rules preview', id, own],
    queryFn: ({ signal }) => call('POST /api/channel/:id/rules/preview/', { params: { id }, body: own, signal }),
    placeholderData: keepPreviousData,
    retry: false,
  });

/** `confirm`: what was typed because they delete very much. */
export const saveRules = (id: string, own: OwnRules, confirm?: { confirm: string }) =>
  call('PUT /api/channel/:id/rules/', { params: { id }, body: own, ...confirm });

/** Lengths are shown in minutes and kept in seconds. */
export const inMinutes = (rule: keyof Rules) => rule === 'min_seconds' || rule === 'max_seconds';

/** What a value looks like where it is typed. */
export function typedOf(rule: keyof Rules, value: Rules[keyof Rules] | undefined): string {
  if (value === null || value === undefined) return '';
  return inMinutes(rule) ? String(Math.round((Number(value) / 60) * 100) / 100) : String(value);
}

const isText = (rule: keyof Rules) => rule === 'title_include' || rule === 'title_exclude' || rule === 'published_after';

/** What was typed, as it is kept; null when that is nothing. */
export function valueOf(rule: keyof Rules, typed: string): string | number | null {
  const said = typed.trim();
  if (said === '') return null;
  if (isText(rule)) return said;
  const number = Number(said.replace(',', '.'));
  if (!Number.isFinite(number) || number <= 0) return null;
  return Math.max(1, Math.round(inMinutes(rule) ? number * 60 : number));
}
