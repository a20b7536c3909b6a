import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Settings } from '#contract/settings.ts';
import { call } from '#web/api/call.ts';

export type Rules = Settings['rules'];
/** Rules of one source. A missing key inherits the global rule; null means no limit. */
export type OwnRules = Partial<Rules>;

/** A channel or playlist whose rules are shown. */
export interface Source {
  type: 'channel' | 'playlist';
  id: string;
}

export const rulesQuery = ({ type, id }: Source) =>
  queryOptions({
    queryKey: [type, 'rules', id],
    queryFn: ({ signal }) => call(`GET /api/${type}/:id/rules/`, { params: { id }, signal }),
  });

/** Effect of rules before they are saved. The previous result stays while a new one loads. */
export const rulesPreviewQuery = ({ type, id }: Source, own: OwnRules) =>
  queryOptions({
    queryKey: [type, 'rules preview', id, own],
    queryFn: ({ signal }) => call(`POST /api/${type}/:id/rules/preview/`, { params: { id }, body: own, signal }),
    placeholderData: keepPreviousData,
    retry: false,
  });

/** `confirm` is the password, required when the rules of a channel delete many videos. */
export const saveRules = ({ type, id }: Source, own: OwnRules, confirm?: { confirm: string }) =>
  call(`PUT /api/${type}/:id/rules/`, { params: { id }, body: own, ...confirm });

/** Durations are edited in minutes and stored in seconds. */
export const isInMinutes = (rule: keyof Rules) => rule === 'min_seconds' || rule === 'max_seconds';

/** Formats a rule's value for its input field. */
export function formatRuleValue(rule: keyof Rules, value: Rules[keyof Rules] | undefined): string {
  if (value === null || value === undefined) return '';
  return isInMinutes(rule) ? String(Math.round((Number(value) / 60) * 100) / 100) : String(value);
}

const isText = (rule: keyof Rules) => rule === 'title_include' || rule === 'title_exclude' || rule === 'published_after';

/** Parses the text of an input field; null if it is empty or invalid. */
export function parseRuleValue(rule: keyof Rules, typed: string): string | number | null {
  const trimmed = typed.trim();
  if (trimmed === '') return null;
  if (isText(rule)) return trimmed;
  const number = Number(trimmed.replace(',', '.'));
  if (!Number.isFinite(number) || number <= 0) return null;
  return Math.max(1, Math.round(isInMinutes(rule) ? number * 60 : number));
}
