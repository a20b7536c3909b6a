import { z } from 'zod';
import { startOfUtcDay } from './utc-day.ts';

const trueWords = ['true', 't', 'yes', 'y', 'on', '1'];
const falseWords = ['false', 'f', 'no', 'n', 'off', '0'];

/** Error for values of the wrong type. Missing values and null have their own errors. */
export const unlike = (sentence: string) => ({
  error: ({ input }: { input?: unknown }) => (input === undefined || input === null ? undefined : sentence),
});

type FlagInput = boolean | string | number;
function parseFlag(value: FlagInput, context: z.RefinementCtx<FlagInput>): boolean {
  const word = String(value).trim().toLowerCase();
  if (trueWords.includes(word)) return true;
  if (falseWords.includes(word)) return false;
  context.addIssue('Must be a valid boolean.');
  return z.NEVER;
}
const flagInput = () => z.union([z.boolean(), z.string(), z.number()], unlike('Must be a valid boolean.'));

// zod derives no JSON schema for transforms. `sent` describes the input, `gives` the output.
const flagSchema = { sent: { type: ['boolean', 'string', 'number'], examples: [true, 'false', 1] }, gives: { type: 'boolean' } };

/** Boolean in JSON or a query: true, "yes", 1, "off" … */
export const flag = () => flagInput().transform(parseFlag).meta(flagSchema);

/** Boolean in a query; absent or "null" means any. */
export const flagOrNull = () =>
  flagInput()
    .transform((value, context) => (value === 'null' ? undefined : parseFlag(value, context)))
    .meta(flagSchema)
    .optional();

/** Integer, as a number or as digits. Values out of bounds are rejected, not clamped. */
export const integer = ({ min, max }: { min: number; max: number }) =>
  z
    .union([z.number(), z.string()], unlike('A valid integer is required.'))
    .transform((value, context) => {
      const number = typeof value === 'string' && !/^\s*[+-]?\d+\s*$/.test(value) ? Number.NaN : Number(value);
      if (!Number.isSafeInteger(number)) context.addIssue('A valid integer is required.');
      else if (number < min) context.addIssue(`Ensure this value is greater than or equal to ${min}.`);
      else if (number > max) context.addIssue(`Ensure this value is less than or equal to ${max}.`);
      else return number;
      return z.NEVER;
    })
    .meta({
      sent: { type: ['integer', 'string'], minimum: min, maximum: max, pattern: '^\\s*[+-]?\\d+\\s*$' },
      gives: { type: 'integer', minimum: min, maximum: max },
    });

/** Finite number, as a number or a string. */
export const decimal = ({ min, max }: { min: number; max: number }) =>
  z
    .union([z.number(), z.string()], unlike('A valid number is required.'))
    .transform((value, context) => {
      const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
      if (!Number.isFinite(number)) context.addIssue('A valid number is required.');
      else if (number < min || number > max) context.addIssue(`Ensure this value is between ${min} and ${max}.`);
      else return number;
      return z.NEVER;
    })
    .meta({
      sent: { type: ['number', 'string'], minimum: min, maximum: max },
      gives: { type: 'number', minimum: min, maximum: max },
    });

/** Trimmed, non-empty string of at most `max` characters without NUL. */
export const text = (max: number) =>
  z
    .string()
    .trim()
    .min(1, 'This field may not be blank.')
    .max(max)
    .regex(/^[^\0]*$/, 'Not a valid string.');

/** Such as `de` or `pt-BR`. */
export const LanguageTag = z
  .string()
  .max(35)
  .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, 'Use a language code such as de or pt-BR.');

/** ID of Reelkeep or of a site, without control characters. The store checks that it exists. */
export const Id = z
  .string()
  .min(1)
  .max(200)
  // \p{Cc} and \p{Cs} as escapes that all OpenAPI tools support.
  // oxlint-disable-next-line no-control-regex
  .regex(/^[^\u0000-\u001f\u007f-\u009f\ud800-\udfff]*$/u, 'Not a valid string.');

/** Kinds of video. */
export const VideoKind = z.enum(['videos', 'streams', 'shorts']);
export type VideoKind = z.infer<typeof VideoKind>;

const daySeconds = 86_400;
const wrongDay = 'A day is written as 2026-12-31.';

/** Date as `yyyy-mm-dd`, UTC. Becomes the first or last epoch second of that day. */
const day = (isLast: boolean) =>
  z.string().transform((value, context) => {
    const at = startOfUtcDay(value);
    if (at !== null) return isLast ? at + daySeconds - 1 : at;
    context.addIssue(wrongDay);
    return z.NEVER;
  });
/** Date as `yyyy-mm-dd`. */
export const dayText = z.string().refine((value) => startOfUtcDay(value) !== null, wrongDay);
const seconds = integer({ min: 0, max: 1_000_000_000 }).optional();

/** Filters of video lists and searches. Not in TubeArchivist. */
export const bounds = {
  /** First and last day of publication, `yyyy-mm-dd`. */
  from: day(false).optional(),
  to: day(true).optional(),
  min_duration: seconds,
  max_duration: seconds,
};
