import type { z } from 'zod';
import { plainText, type Message } from '#contract/messages.ts';
import { HttpError } from './http-error.ts';

/** The request does not match the contract: messages by field, and the first one as `error`. */
export class ValidationError extends HttpError {
  readonly body: Record<string, unknown>;
  constructor(body: Record<string, unknown>, reason: string | Message) {
    const ofReason = typeof reason === 'string' ? plainText(reason) : reason;
    super(400, ofReason);
    this.body = { ...body, error: this.message, messages: this.messages };
  }
}

const kindOf = (value: unknown) => (Array.isArray(value) ? 'list' : value === null ? 'null' : { string: 'str', object: 'dict', boolean: 'bool' }[typeof value as string] ?? 'number'); // prettier-ignore

const quote = (value: unknown) => {
  const text = JSON.stringify(value)?.slice(0, 100) ?? 'Nothing';
  return typeof value === 'string' ? text : `"${text}"`;
};

// Messages of Django REST framework, which API clients know.
function sentenceOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `Unknown fields: ${issue.keys.join(', ')}`;
  const isMissing = ['invalid_type', 'invalid_union', 'invalid_value'].includes(issue.code) && issue.input === undefined;
  if (isMissing && isStandard(issue.message)) return 'This field is required.';
  if (issue.input === null && isStandard(issue.message)) return 'This field may not be null.';
  if (issue.code === 'invalid_value') return `${quote(issue.input)} is not a valid choice.`;
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

/** Whether a message is zod's own and not one of the contract. */
const isStandard = (message: string) => /^(Invalid (input|option)|Too small:)/.test(message);

/** Whether a message needs the name of its field in front. */
const needsItsField = (sentence: string) => /^(This field|A valid|Must be|Ensure|Not |Expected|Too |Invalid|".*" is not)/.test(sentence); // prettier-ignore

/**
 * Parses a part of a request.
 * @throws ValidationError with all invalid fields
 */
export function validate(schema: z.ZodType, value: unknown, strictly = false): unknown {
  if (strictly && 'shape' in schema && typeof value === 'object' && value !== null) {
    const unknownKeys = Object.keys(value).filter((key) => !Object.hasOwn(schema.shape as object, key));
    if (unknownKeys.length > 0) throw new ValidationError({}, `Unknown fields: ${unknownKeys.join(', ')}`);
  }
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;

  const [first] = result.error.issues;
  const sentence = sentenceOf(first!);
  const field = first!.path.map(String).join('.');
  throw new ValidationError(
    errorsOf(result.error.issues, value) as Record<string, unknown>,
    field && needsItsField(sentence) ? `${field}: ${sentence}` : sentence,
  );
}

/**
 * Returns messages in the structure of the input, like Django REST framework: objects are nested, lists have an entry per item,
 * `{}` for valid ones. Unknown fields are reported as `error`, which at the top level is the message of the response.
 */
function errorsOf(issues: z.core.$ZodIssue[], value: unknown, depth = 0): unknown {
  const here = issues.filter(({ path }) => path.length === depth);
  const deeper = Map.groupBy(
    issues.filter(({ path }) => path.length > depth),
    ({ path }) => path[depth]!,
  );
  const sentences = here.map(sentenceOf);
  if (Array.isArray(value) && deeper.size > 0)
    return value.map((item, at) => (deeper.has(at) ? errorsOf(deeper.get(at)!, item, depth + 1) : {}));
  const isWhole = (issue: z.core.$ZodIssue) =>
    issue.code === 'unrecognized_keys' || /^(Invalid data\.|Expected a list)/.test(sentenceOf(issue));
  if (depth > 0 && deeper.size === 0 && !here.some(isWhole)) return sentences;
  const errors: Record<string, unknown> = Object.create(null);
  for (const issue of here) {
    if (issue.code === 'unrecognized_keys') errors.error = sentenceOf(issue);
    else errors.non_field_errors = [...((errors.non_field_errors as string[]) ?? []), sentenceOf(issue)];
  }
  for (const [key, some] of deeper)
    errors[String(key)] = errorsOf(some, (value as Record<PropertyKey, unknown> | undefined)?.[key], depth + 1);
  return errors;
}

/** Parses query parameters. Empty ones count as absent, and of repeated ones the last counts. NUL is rejected. */
export function queryOf(url: URL): Record<string, string> {
  const query: Record<string, string> = Object.create(null);
  for (const [key, value] of url.searchParams) if (value !== '') query[key] = value;
  const unknownKeys = Object.keys(query).find((key) => query[key]!.includes('\0'));
  if (unknownKeys !== undefined) throw new ValidationError({ [unknownKeys]: ['Not a valid string.'] }, 'Not a valid string.');
  return query;
}
