import type { Counted, Said } from '#contract/said.ts';
import { countedSentences } from '#contract/sentences-counted.ts';
import { failuresSentences } from '#contract/sentences-failures.ts';
import { refusalsSentences } from '#contract/sentences-refusals.ts';
import { restoreSentences } from '#contract/sentences-restore.ts';
import { workSentences } from '#contract/sentences-work.ts';

interface Known {
  code: string;
  pattern: RegExp;
  gaps: { name: string; isList: boolean }[];
  /** How much of it is fixed: of two that fit, the one that says more is meant. */
  fixed: number;
}

const gap = /\{([#*]?)(\w+)\}/g;
const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function knownOf(code: string, template: string): Known {
  const gaps = [...template.matchAll(gap)];
  let [source, at] = ['', 0];
  for (const { index, 0: whole, 1: kind } of gaps) {
    source += literal(template.slice(at, index)) + (kind === '#' ? '(\\d[\\d.]*)' : '(.+)');
    at = index + whole.length;
  }
  const pattern = new RegExp(`^${source}${literal(template.slice(at))}$`);
  return {
    code,
    pattern,
    gaps: gaps.map(([, kind, name]) => ({ name: name!, isList: kind === '*' })),
    fixed: template.replace(gap, '').length,
  };
}

// Names of tasks and checks are told by their own codes; as words they may be the title of a video.
const isSentence = ([code]: [string, string]) => !/^(task|check)\./.test(code);
const all = Object.entries<string>({ ...failuresSentences, ...refusalsSentences, ...workSentences, ...restoreSentences }).filter(
  isSentence,
);
const exact = new Map(all.filter(([, template]) => !template.includes('{')).map(([code, template]) => [template, code]));
const withGaps = all
  .filter(([, template]) => template.includes('{'))
  .map(([code, template]) => knownOf(code, template))
  .toSorted((a, b) => b.fixed - a.fixed);

type One = NonNullable<Said>[number];

const countedOnes = Object.entries(countedSentences).map(([code, template]) => knownOf(code, template));

/** `3 videos (2 here), 1 channel` as what was counted; null when some of it is not known. */
function listIn(text: string): Counted[] | null {
  const all = text.split(/, | (?=\()/).flatMap((part) => {
    for (const { code, pattern } of countedOnes) {
      const count = pattern.exec(part)?.[1];
      if (count !== undefined) return { code, values: { count } };
    }
    return [null];
  });
  return all.every((one) => one !== null) ? all : null;
}

function one(text: string): One | null {
  const code = exact.get(text);
  if (code) return { code, values: {} };
  for (const { code: other, pattern, gaps } of withGaps) {
    const found = pattern.exec(text);
    const values = found && gaps.map(({ name, isList }, at) => [name, isList ? listIn(found[at + 1]!) : found[at + 1]!] as const);
    if (values?.every(([, value]) => value !== null))
      return { code: other, values: Object.fromEntries(values as [string, string][]) };
  }
  return null;
}

const longest = 1000;
const mostPieces = 8;

/** Tells a text of ours by its codes; null when some of it is not known. */
export function saidBy(text: string | null | undefined): Said {
  if (!text || text.length > longest) return null;
  const pieces = text.split(/(?<=[.!?]) (?=[A-Z\d“])/);
  if (pieces.length > mostPieces) return null;
  // What belongs together goes first, or it would be taken for the rest of something else.
  const from = (place: number): One[] | null => {
    if (place === pieces.length) return [];
    for (let end = pieces.length; end > place; end--) {
      const found = one(pieces.slice(place, end).join(' '));
      const rest = found && from(end);
      if (rest) return [found, ...rest];
    }
    return null;
  };
  return from(0);
}

/** The same as the value of a header. */
export function saidInHeader(text: string): string | undefined {
  const said = saidBy(text);
  return said ? encodeURIComponent(JSON.stringify(said)) : undefined;
}
