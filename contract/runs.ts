import { z } from 'zod';
import type { Contract } from './call.ts';
import { PageQuery, pageOf } from './page.ts';
import { Said } from './said.ts';

/** How often a run of a task has been begun, what came of it and how much of it there was. */
export const Run = z.object({
  id: z.string(),
  name: z.string(),
  title: z.string(),
  status: z.enum(['waiting', 'running', 'success', 'failure', 'stopped']),
  queued: z.int(),
  started: z.int().nullable(),
  ended: z.int().nullable(),
  /** The sentence of its end. */
  result: z.string().nullable(),
  result_said: Said,
  /** Of these the lines are kept, up to a thousand. */
  problems: z.int(),
  new: z.int(),
  left_out: z.int(),
});
export type Run = z.infer<typeof Run>;

export const RunNote = z.object({
  /** A problem; something new; something that a rule left out; what it was at. */
  kind: z.enum(['problem', 'new', 'left-out', 'step']),
  at: z.int(),
  what: z.string(),
  why: z.string().nullable(),
  what_said: Said,
  why_said: Said,
  /** The last words of the program that failed. */
  words: z.string().nullable(),
  /** The video that it is about, and where that is now. */
  youtube_id: z.string().nullable(),
  place: z.enum(['archive', 'queue', 'ignored']).nullable(),
});
export type RunNote = z.infer<typeof RunNote>;

export const runsCalls = {
  'GET /api/task/runs/': {
    may: 'staff',
    does: 'The runs of tasks, the newest first; those of 30 days, 500 at most',
    query: z.object({
      ...PageQuery,
      /** Ours, as the others here: only of this task. */
      name: z.string().max(100).optional(),
      /** Only those that failed, or that had problems. */
      trouble: z.enum(['true', 'false']).optional(),
    }),
    reply: pageOf(Run),
  },
  'GET /api/task/runs/:id/': {
    may: 'staff',
    does: 'One run, with what it did line by line',
    params: z.object({ id: z.string().min(1).max(100) }),
    reply: Run.extend({ notes: z.array(RunNote) }),
  },
} satisfies Contract;
