import { RE2JS } from 're2js';
import type { Settings } from '#contract/settings.ts';
import { foldText } from '../fold-text.ts';
import { refused } from '../http/problem.ts';

/** What of a source is wanted. Null: no rule. */
export type Rules = Settings['rules'];
/** A source's own rules, which go before those for all. */
export type OwnRules = Partial<Rules>;

/** What a rule looks at. */
export interface Judged {
  title: string;
  durationSeconds: number | null;
  /** Epoch seconds. */
  publishedAt: number | null;
  isMembersOnly: boolean;
}

/** Why something is left out. */
export interface LeftOut {
  rule: keyof Rules;
  sentence: string;
}

const day = 86_400;

/** A source's own rules, as its row has them. */
export const ownRulesOf = (row: { rules: string | null }): OwnRules => (row.rules ? (JSON.parse(row.rules) as OwnRules) : {});

/** A source's rules over those for all. */
export const mergeRules = (all: Rules, own: OwnRules | null): Rules => ({ ...all, ...own });

/** A regular expression between slashes, as RE2 knows it: never slower than the text is long, whatever is written. */
function asExpression(text: string): RE2JS | null {
  const [, body, flags] = /^\/(.+)\/([a-z]*)$/s.exec(text.trim()) ?? [];
  return body ? RE2JS.compile(body, flags === 'c' ? 0 : RE2JS.CASE_INSENSITIVE) : null;
}

/** Why a phrase or expression cannot be used; null when it can. */
export function wrongPattern(text: string): string | null {
  try {
    asExpression(text);
    return null;
  } catch (error) {
    return `The expression ${text.slice(0, 100)} is not understood: ${(error as Error).message}`;
  }
}

/** Refuses rules with an expression that cannot be used, with the sentence for the person. */
export function refuseWrongPatterns(rules: OwnRules): void {
  for (const pattern of [rules.title_include, rules.title_exclude]) {
    const wrong = pattern ? wrongPattern(pattern) : null;
    if (wrong) throw refused(wrong);
  }
}

/** Refuses rules that together want nothing. */
export function refuseContradiction({ min_seconds: least, max_seconds: most }: Rules): void {
  if (least && most && least > most)
    throw refused(
      'Nothing is at least as long as that and no longer than this, so nothing would be wanted. Change one of the two.',
    );
}

/** Makes a test of titles from phrases separated by commas, or from an expression. */
function matcher(text: string): (title: string) => boolean {
  let expression: RE2JS | null;
  try {
    expression = asExpression(text);
  } catch {
    return () => false; // it was refused when it was set; a row from elsewhere must not end a scan
  }
  if (expression) return (title) => expression.matcher(title).find();
  const phrases = text.split(',').map(foldText).filter(Boolean);
  return (title) => phrases.some((phrase) => foldText(title).includes(phrase));
}

/** What to judge by, made once for a whole listing. Answers why something is left out, or null when it is wanted. */
export function judge(rules: Rules, now: number): (one: Judged, place?: number) => LeftOut | null {
  const include = rules.title_include ? matcher(rules.title_include) : null;
  const exclude = rules.title_exclude ? matcher(rules.title_exclude) : null;
  const after = rules.published_after ? Date.parse(`${rules.published_after}T00:00:00Z`) / 1000 : null;
  const since = rules.keep_days ? now - rules.keep_days * day : null;
  return ({ title, durationSeconds, publishedAt, isMembersOnly }, place = 0) => {
    const out = (rule: keyof Rules, sentence: string): LeftOut => ({ rule, sentence });
    if (include && !include(title)) return out('title_include', 'Its title has none of the words.');
    if (exclude?.(title)) return out('title_exclude', 'Its title has a word that is left out.');
    if (durationSeconds !== null) {
      if (rules.min_seconds && durationSeconds < rules.min_seconds) return out('min_seconds', 'It is too short.');
      if (rules.max_seconds && durationSeconds > rules.max_seconds) return out('max_seconds', 'It is too long.');
    }
    if (publishedAt !== null) {
      if (after !== null && publishedAt < after) return out('published_after', 'It was published before that day.');
      if (since !== null && publishedAt < since) return out('keep_days', 'It is older than what is kept.');
    }
    if (rules.skip_members_only && isMembersOnly) return out('skip_members_only', 'It is for members only.');
    if (rules.keep_newest && place >= rules.keep_newest) return out('keep_newest', 'Newer ones are kept in its place.');
    return null;
  };
}

/** Whether these rules need to know when something was published. */
export const needsDates = (rules: Rules) => rules.published_after !== null || rules.keep_days !== null;
