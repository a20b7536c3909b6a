import { z } from 'zod';
import { integer } from './field-types.ts';

/** Pages start at 1. 0 is the first page too. */
export const PageQuery = { page: integer({ min: 0, max: 10_000_000 }).default(0) };

export const Paginate = z.object({
  page_size: z.int(),
  page_from: z.int(),
  prev_pages: z.array(z.int()).nullable(),
  current_page: z.int(),
  max_hits: z.boolean(),
  params: z.string(),
  last_page: z.int(),
  next_pages: z.array(z.int()),
  total_hits: z.int(),
});
export type Paginate = z.infer<typeof Paginate>;

export const pageOf = <T extends z.ZodType>(item: T) => z.object({ data: z.array(item), paginate: Paginate });
