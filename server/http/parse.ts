import type { z } from 'zod';
import { Problem } from './problem.ts';

/** A request that does not fit the contract: field → sentences, and the first of them as `error`. */
export class Misfit extends Problem {
  readonly body: Record<string, unknown>;
  constructor(body: Record<string, unknown>, sentence: string) {
    super(400, sentence);
    this.body = { ...body, error: sentence };
  }
}

const kindOf = (value: unknown) => (Array.isArray(value) ? 'list' : value === null ? 'null' : { string: 'str', object: 'dict', boolean: 'bool' }[typeof value as string] ?? 'number'); // prettier-ignore

const inQuotes = (value: unknown) => {
  const text = JSON.stringify(value)?.slice(0, 100) ?? 'Nothing';
  return typeof value === 'string' ? text : `"${text}"`;
};

// In the words that clients of this API know (contract-details, A3).
function sentenceOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `Unknown fields: ${issue.keys.join(', ')}`;
  const isMissing = ['invalid_type', 'invalid_union', 'invalid_value'].includes(issue.code) && issue.input === undefined;
  if (isMissing && isStandard(issue.message)) return 'This field is required.';
  if (issue.input === null && isStandard(issue.message)) return 'This field may not be null.';
  if (issue.code === 'invalid_value') return `${inQuotes(issue.input)} is not a valid choice.`;
  if (issue.code === 'too_small' && issue.origin === 'string' && issue.minimum === 1 && isStandard(issue.message))
    return 'This field may not be blank.';
  if (issue.code === 'invalid_type' && isStandard(issue.message)) {
    if (issue.expected === 'object' || issue.expected === 'record')
      return `Invalid data. Expected a dictionary, but got ${kindOf(issue.input)}.`;
    if (issue.expected === 'array') return `Expected a list of items but got type "${kindOf(issue.input)}".`;
    if (issue.expected === 'string') return 'Not a valid string.';
    if (issue.expected === 'int') return 'A valid integer is required.';
    if (issue.expected === 'number') return 'A valid number is required.';
    if (issue.expected === 'boolean') return 'Must be a valid boolean.';
  }
  return issue.message;
}

/** Zod's own words, as opposed to a sentence that the contract has for the case. */
const isStandard = (message: string) => /^(Invalid (input|option)|Too small:)/.test(message);

/** What is said of a field names it; a sentence of its own stands alone. */
const needsItsField = (sentence: string) => /^(This field|A valid|Must be|Ensure|Not |Expected|Too |Invalid|".*" is not)/.test(sentence); // prettier-ignore

/** Reads one part of a request by the contract; throws Misfit with every field that is wrong. */
export function parse(schema: z.ZodType, value: unknown, strictly = false): unknown {
  if (strictly && 'shape' in schema && typeof value === 'object' && value !== null) {
    const strange = Object.keys(value).filter((key) => !Object.hasOwn(schema.shape as object, key));
    if (strange.length > 0) throw new Misfit({}, `Unknown fields: ${strange.join(', ')}`);
  }
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;

  const fields: Record<string, string[]> = {};
  for (const issue of result.error.issues) {
    const field = issue.path.length > 0 ? issue.path.map(String).join('.') : 'non_field_errors';
    (Object.hasOwn(fields, field) ? fields[field]! : (fields[field] = [])).push(sentenceOf(issue));
  }
  const [field, sentences] = Object.entries(fields)[0]!;
  const sentence = sentences[0]!;
  throw new Misfit(fields, field !== 'non_field_errors' && needsItsField(sentence) ? `${field}: ${sentence}` : sentence);
}

/** Blank query parameters count as absent, and of doubled ones the last holds. Nothing that is kept has a NUL in it. */
export function queryOf(url: URL): Record<string, string> {
  const query: Record<string, string> = Object.create(null);
  for (const [key, value] of url.searchParams) if (value !== '') query[key] = value;
  const strange = Object.keys(query).find((key) => query[key]!.includes('\0'));
  if (strange !== undefined) throw new Misfit({ [strange]: ['Not a valid string.'] }, 'Not a valid string.');
  return query;
}
