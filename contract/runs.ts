import { z } from 'zod';
import type { Contract } from './endpoint.ts';
import { PageQuery, pageOf } from './page.ts';
import { MessageJson } from './message-json.ts';

/** One run of a task, with its result and counts. */
export const Run = z.object({
  id: z.string(),
  name: z.string(),
  title: z.string(),
  status: z.enum(['waiting', 'running', 'success', 'failure', 'stopped']),
  queued: z.int(),
  started: z.int().nullable(),
  ended: z.int().nullable(),
  /** Result text. */
  result: z.string().nullable(),
  /** `result` as ids with parameters. */
  result_messages: z.array(MessageJson).nullable(),
  /** Counts of problems, new and skipped items. Their lines are kept, at most 1000. */
  problems: z.int(),
  new: z.int(),
  left_out: z.int(),
});
export type Run = z.infer<typeof Run>;

export const RunNote = z.object({
  /** Problem, new item, item skipped by a rule, or step. */
  kind: z.enum(['problem', 'new', 'left-out', 'step']),
  at: z.int(),
  what: z.string(),
  why: z.string().nullable(),
  /** `what` of a step, and `why`, as ids with parameters. */
  what_messages: z.array(MessageJson).nullable(),
  why_messages: z.array(MessageJson).nullable(),
  /** Last output of the failed program. */
  words: z.string().nullable(),
  /** The video concerned, and its current location. */
  youtube_id: z.string().nullable(),
  place: z.enum(['archive', 'queue', 'ignored']).nullable(),
});
export type RunNote = z.infer<typeof RunNote>;

export const runsCalls = {
  'GET /api/task/runs/': {
    may: 'staff',
    does: 'List task runs, newest first: the last 30 days, at most 500 (Reelkeep)',
    query: z.object({
      ...PageQuery,
      /** Only runs of this task. */
      name: z.string().max(100).optional(),
      /** Only runs that failed or had problems. */
      problems: z.enum(['true', 'false']).optional(),
    }),
    reply: pageOf(Run),
  },
  'GET /api/task/runs/:id/': {
    may: 'staff',
    does: 'Get a task run with its log (Reelkeep)',
    params: z.object({ id: z.string().min(1).max(100) }),
    reply: Run.extend({ notes: z.array(RunNote) }),
  },
} satisfies Contract;
