import type { Said } from '#contract/said.ts';
import { failuresSentences } from '#contract/sentences-failures.ts';
import { refusalsSentences } from '#contract/sentences-refusals.ts';
import { workSentences } from '#contract/sentences-work.ts';

interface Known {
  code: string;
  pattern: RegExp;
  names: string[];
  /** How much of it is fixed: of two that fit, the one that says more is meant. */
  fixed: number;
}

const gap = /\{(#?)(\w+)\}/g;
const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function knownOf(code: string, template: string): Known {
  const gaps = [...template.matchAll(gap)];
  let [source, at] = ['', 0];
  for (const { index, 0: whole, 1: isNumber } of gaps) {
    source += literal(template.slice(at, index)) + (isNumber ? '(\\d[\\d.]*)' : '(.+)');
    at = index + whole.length;
  }
  const pattern = new RegExp(`^${source}${literal(template.slice(at))}$`);
  return { code, pattern, names: gaps.map(([, , name]) => name!), fixed: template.replace(gap, '').length };
}

// Names of tasks and checks are told by their own codes; as words they may be the title of a video.
const isSentence = ([code]: [string, string]) => !/^(task|check)\./.test(code);
const all = Object.entries<string>({ ...failuresSentences, ...refusalsSentences, ...workSentences }).filter(isSentence);
const exact = new Map(all.filter(([, template]) => !template.includes('{')).map(([code, template]) => [template, code]));
const withGaps = all
  .filter(([, template]) => template.includes('{'))
  .map(([code, template]) => knownOf(code, template))
  .toSorted((a, b) => b.fixed - a.fixed);

type One = NonNullable<Said>[number];

function one(text: string): One | null {
  const code = exact.get(text);
  if (code) return { code, values: {} };
  for (const { code: other, pattern, names } of withGaps) {
    const found = pattern.exec(text);
    if (found) return { code: other, values: Object.fromEntries(names.map((name, place) => [name, found[place + 1]!])) };
  }
  return null;
}

const longest = 1000;
const mostPieces = 8;

/** Tells a text of ours by its codes; null when some of it is not known. */
export function saidBy(text: string | null | undefined): Said {
  if (!text || text.length > longest) return null;
  const pieces = text.split(/(?<=[.!?]) (?=[A-Z“])/);
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
