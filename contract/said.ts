import { z } from 'zod';

/**
 * Ours: a text of the server as sentences with codes (contract/sentences-*.ts) and what is filled in, for who reads it in another
 * language. Null: it is not known by a code, as the words of other programs.
 */
export const Said = z.array(z.object({ code: z.string(), values: z.record(z.string(), z.string()) })).nullable();
export type Said = z.infer<typeof Said>;
