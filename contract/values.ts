import { z } from 'zod';

const truths = ['true', 't', 'yes', 'y', 'on', '1'];
const lies = ['false', 'f', 'no', 'n', 'off', '0'];

/** What is said of a value that is not even of a type that could be read; missing and null have words of their own. */
export const unlike = (sentence: string) => ({
  error: ({ input }: { input?: unknown }) => (input === undefined || input === null ? undefined : sentence),
});

type Said = boolean | string | number;
function readFlag(value: Said, context: z.RefinementCtx<Said>): boolean {
  const word = String(value).trim().toLowerCase();
  if (truths.includes(word)) return true;
  if (lies.includes(word)) return false;
  context.addIssue('Must be a valid boolean.');
  return z.NEVER;
}
const said = () => z.union([z.boolean(), z.string(), z.number()], unlike('Must be a valid boolean.'));

// What is read by a transform has no JSON schema by itself: `sent` is what a caller may send, `gives` what comes out.
const likeFlag = { sent: { type: ['boolean', 'string', 'number'], examples: [true, 'false', 1] }, gives: { type: 'boolean' } };

/** true or false as clients write it, in JSON or a query: true, "yes", 1, "off" … */
export const flag = () => said().transform(readFlag).meta(likeFlag);

/** The same in a query where nothing, and the word null, mean that it does not matter. */
export const flagOrNull = () =>
  said()
    .transform((value, context) => (value === 'null' ? undefined : readFlag(value, context)))
    .meta(likeFlag)
    .optional();

/** A whole number, as a number or as digits. Outside its bounds it is refused, never clamped. */
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

/** A number of seconds or the like, as a number or as text; never NaN or infinite. */
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

/** Text without white space around it, never blank, at most `max` characters, no NUL. */
export const text = (max: number) =>
  z
    .string()
    .trim()
    .min(1, 'This field may not be blank.')
    .max(max)
    .regex(/^[^\0]*$/, 'Not a valid string.');

/** An id in a path or query: ours or a site's, without control characters. Whether there is such a thing is for the store to say. */
export const Id = z
  .string()
  .min(1)
  .max(200)
  // \p{Cc} and \p{Cs}, in words that every reader of the API's description knows.
  // oxlint-disable-next-line no-control-regex
  .regex(/^[^\u0000-\u001f\u007f-\u009f\ud800-\udfff]*$/u, 'Not a valid string.');

/** Kinds of video. */
export const VideoKind = z.enum(['videos', 'streams', 'shorts']);
export type VideoKind = z.infer<typeof VideoKind>;

const daySeconds = 86_400;

/** A day as `yyyy-mm-dd`; becomes the epoch second at which it begins, or the last one of it. */
const day = (isLast: boolean) =>
  z.string().transform((value, context) => {
    const at = /^\d{4}-\d{2}-\d{2}$/.test(value) ? Date.parse(`${value}T00:00:00Z`) / 1000 : Number.NaN;
    // 30 February would become a day in March.
    if (!Number.isNaN(at) && new Date(at * 1000).toISOString().startsWith(value)) return isLast ? at + daySeconds - 1 : at;
    context.addIssue('A day is written as 2026-12-31.');
    return z.NEVER;
  });
const seconds = integer({ min: 0, max: 1_000_000_000 }).optional();

/** What bounds lists and searches of videos alike; all of it ours. */
export const bounds = {
  /** Published on that day or later, and on that day or before; `yyyy-mm-dd`. */
  from: day(false).optional(),
  to: day(true).optional(),
  min_duration: seconds,
  max_duration: seconds,
};
