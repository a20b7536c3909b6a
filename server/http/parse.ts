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

function sentenceOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `Unknown fields: ${issue.keys.join(', ')}`;
  if (issue.code === 'invalid_type' && issue.input === undefined && issue.path.length > 0) return 'This field is required.';
  if (issue.code === 'invalid_type' && issue.input === null) return 'This field may not be null.';
  if (issue.code === 'invalid_value') return `${JSON.stringify(issue.input)?.slice(0, 100) ?? 'Nothing'} is not a valid choice.`;
  return issue.message;
}

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
  throw new Misfit(
    fields,
    field === 'non_field_errors' || sentence.startsWith('Unknown fields') ? sentence : `${field}: ${sentence}`,
  );
}

/** Blank query parameters count as absent, and of doubled ones the last holds. Nothing that is kept has a NUL in it. */
export function queryOf(url: URL): Record<string, string> {
  const query: Record<string, string> = Object.create(null);
  for (const [key, value] of url.searchParams) if (value !== '') query[key] = value;
  const strange = Object.keys(query).find((key) => query[key]!.includes('\0'));
  if (strange !== undefined) throw new Misfit({ [strange]: ['Not a valid string.'] }, 'Not a valid string.');
  return query;
}
