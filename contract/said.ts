import { z } from 'zod';

const Counted = z.object({ code: z.string(), values: z.record(z.string(), z.string()) });
export type Counted = z.infer<typeof Counted>;

/**
 * Ours: a text of the server as sentences with codes (contract/sentences-*.ts) and what is filled in, for who reads it in another
 * language: words, a number, or a list of what was counted. Null: it is not known by a code, as the words of other programs.
 */
export const Said = z
  .array(z.object({ code: z.string(), values: z.record(z.string(), z.union([z.string(), z.array(Counted)])) }))
  .nullable();
export type Said = z.infer<typeof Said>;
