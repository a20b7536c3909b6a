import { message } from '#contract/messages.ts';
import { audioFormat, formatUpTo } from '#contract/settings.ts';
import { countOf, textOf, timeOf, type Item, type SourceOptions } from '../item/item.ts';

// Rules and formats of other programs in the form of Reelkeep.

export interface ForeignRules {
  minSeconds?: unknown;
  maxSeconds?: unknown;
  publishedAfter?: unknown;
  /** A regular expression that titles must match; case matters. */
  titleRegex?: unknown;
  keepDays?: unknown;
}

const maxFilter = 490;

type MutableRules = { -readonly [K in keyof SourceOptions['rules']]: SourceOptions['rules'][K] };

/** Converts rules. What has another meaning here is a note. */
export function convertRules(name: string, foreign: ForeignRules): { rules: MutableRules; notes: Item[] } {
  const rules: MutableRules = {};
  const notes: Item[] = [];
  const note = (why: ReturnType<typeof message>) => notes.push({ what: 'note', subject: name, why });
  const [least, most] = [countOf(foreign.minSeconds), countOf(foreign.maxSeconds)];
  if (least !== null && most !== null && least > most) note(message('migrate.rule-lengths'));
  else {
    if (least !== null) rules.min_seconds = least;
    if (most !== null) rules.max_seconds = most;
  }
  const after = timeOf(foreign.publishedAfter);
  if (after !== null) rules.published_after = new Date(after * 1000).toISOString().slice(0, 10);
  const regex = textOf(foreign.titleRegex);
  if (regex !== null && regex.length <= maxFilter) rules.title_include = `/${regex}/c`;
  else if (regex !== null) note(message('migrate.rule-regex', { text: regex.slice(0, 100), why: `> ${maxFilter}` }));
  const days = countOf(foreign.keepDays);
  if (days !== null) {
    rules.keep_days = days;
    note(message('migrate.rule-retention', { count: days }));
  }
  return { rules, notes };
}

/** Returns the format for `1080p`, `1080` or `audio`; null for anything else, which means the best quality. */
export function formatOf(resolution: unknown): string | null {
  const text = String(resolution ?? '').toLowerCase();
  if (text === 'audio') return audioFormat;
  const height = Number(/^(\d{3,4})p?$/.exec(text)?.[1] ?? 0);
  return height >= 144 && height < 4320 ? formatUpTo(height) : null;
}

/** Which kinds of uploads are listed: 0 excludes a kind, null is as in the settings. */
export function sizesOf(shorts: unknown, streams: unknown): Partial<SourceOptions['overwrites']> {
  const isOnly = shorts === 'only' || streams === 'only';
  return {
    ...(isOnly && { subscriptions_channel_size: 0 }),
    ...((shorts === 'exclude' || streams === 'only') && { subscriptions_shorts_channel_size: 0 }),
    ...((streams === 'exclude' || shorts === 'only') && { subscriptions_live_channel_size: 0 }),
  };
}
