import { message, type Message } from '#contract/messages.ts';
import { RE2JS } from 're2js';
import type { Settings } from '#contract/settings.ts';
import { normalizeText } from '../../platform/lib/normalize-text.ts';
import { badRequest, HttpError } from '../../platform/http/http-error.ts';

/** Download rules. Null: no rule. */
export type Rules = Settings['rules'];
/** Rules of one source, which override the global rules. */
export type OwnRules = Partial<Rules>;

/** Properties of a video that rules check. */
export interface RuleSubject {
  title: string;
  durationSeconds: number | null;
  /** Epoch seconds. */
  publishedAt: number | null;
  isMembersOnly: boolean;
}

/** The rule that excludes a video. */
export interface Exclusion {
  rule: keyof Rules;
  message: Message;
}

const day = 86_400;

/** Parses the rules of a source from its row. */
export const ownRulesOf = (row: { rules: string | null }): OwnRules => (row.rules ? (JSON.parse(row.rules) as OwnRules) : {});

/** Merges the rules of a source into the global rules. */
export const mergeRules = (all: Rules, own: OwnRules | null): Rules => ({ ...all, ...own });

/** Compiles a regular expression between slashes with RE2, whose matching time is linear in the length of the text. */
function compileExpression(text: string): RE2JS | null {
  const [, body, flags] = /^\/(.+)\/([a-z]*)$/s.exec(text.trim()) ?? [];
  return body ? RE2JS.compile(body, flags === 'c' ? 0 : RE2JS.CASE_INSENSITIVE) : null;
}

/** Returns why a phrase or expression is invalid, or null. */
export function invalidPatternIn(text: string): Message | null {
  try {
    compileExpression(text);
    return null;
  } catch (error) {
    return message('error.expression', { text: text.slice(0, 100), why: (error as Error).message });
  }
}

/**
 * Rejects rules with an invalid expression.
 * @throws bad request with the reason
 */
export function refuseInvalidPatterns(rules: OwnRules): void {
  for (const pattern of [rules.title_include, rules.title_exclude]) {
    const problem = pattern ? invalidPatternIn(pattern) : null;
    if (problem) throw new HttpError(400, problem);
  }
}

/** Rejects rules that together exclude everything. */
export function refuseContradictions({ min_seconds: least, max_seconds: most }: Rules): void {
  if (least && most && least > most) throw badRequest('error.contradicting-lengths');
}

/** Returns a predicate for titles from comma-separated phrases or an expression. */
function matcher(text: string): (title: string) => boolean {
  let expression: RE2JS | null;
  try {
    expression = compileExpression(text);
  } catch {
    return () => false; // rejected when set; a row from a backup must not end a scan
  }
  if (expression) return (title) => expression.matcher(title).find();
  const phrases = text.split(',').map(normalizeText).filter(Boolean);
  return (title) => phrases.some((phrase) => normalizeText(title).includes(phrase));
}

/** Compiles rules for a whole listing. The returned function returns the reason of an exclusion, or null. */
export function applyRules(rules: Rules, now: number): (one: RuleSubject, place?: number) => Exclusion | null {
  const include = rules.title_include ? matcher(rules.title_include) : null;
  const exclude = rules.title_exclude ? matcher(rules.title_exclude) : null;
  const after = rules.published_after ? Date.parse(`${rules.published_after}T00:00:00Z`) / 1000 : null;
  const since = rules.keep_days ? now - rules.keep_days * day : null;
  return ({ title, durationSeconds, publishedAt, isMembersOnly }, place = 0) => {
    const exclusion = (rule: keyof Rules, reason: Message): Exclusion => ({ rule, message: reason });
    if (include && !include(title)) return exclusion('title_include', message('rule.no-word'));
    if (exclude?.(title)) return exclusion('title_exclude', message('rule.word'));
    if (durationSeconds !== null) {
      if (rules.min_seconds && durationSeconds < rules.min_seconds) return exclusion('min_seconds', message('rule.short'));
      if (rules.max_seconds && durationSeconds > rules.max_seconds) return exclusion('max_seconds', message('rule.long'));
    }
    if (publishedAt !== null) {
      if (after !== null && publishedAt < after) return exclusion('published_after', message('rule.before'));
      if (since !== null && publishedAt < since) return exclusion('keep_days', message('rule.old'));
    }
    if (rules.skip_members_only && isMembersOnly) return exclusion('skip_members_only', message('rule.members'));
    if (rules.keep_newest && place >= rules.keep_newest) return exclusion('keep_newest', message('rule.newer'));
    return null;
  };
}

/** Returns whether these rules need the publication date. */
export const needsDates = (rules: Rules) => rules.published_after !== null || rules.keep_days !== null;
