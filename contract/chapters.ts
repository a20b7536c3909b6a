import { z } from 'zod';
import type { Contract } from './endpoint.ts';
import { MessageJson } from './message-json.ts';

// Chapters that are generated from transcripts. Not in TubeArchivist.

/** How generated chapters compare with those of the site, in videos of this archive that have both. */
export const ChapterEvaluation = z.object({
  /** Compared videos: those with chapters of the site and enough speech, the newest 200 at most. */
  videos: z.int(),
  /** Share of chapter starts found within 15 seconds (F1, 0 to 1), and the same for as many evenly spaced ones. */
  found: z.number(),
  even: z.number(),
  /** Model of the vectors. */
  model: z.string(),
  evaluated_at: z.int(),
});
export type ChapterEvaluation = z.infer<typeof ChapterEvaluation>;

export const GeneratedChapters = z.object({
  evaluation: ChapterEvaluation.nullable(),
  is_evaluating: z.boolean(),
  /** Why chapters cannot be generated, in English and as messages; null: they can. */
  problem: z.string().nullable(),
  problem_messages: z.array(MessageJson).nullable(),
  /** Videos with generated chapters, and those that were not looked at yet. */
  videos: z.int(),
  queue: z.int(),
});
export type GeneratedChapters = z.infer<typeof GeneratedChapters>;

export const chapterCalls = {
  'GET /api/chapters/': {
    may: 'staff',
    does: 'Show how well chapters can be generated in this archive, and how many are (Reelkeep)',
    reply: GeneratedChapters,
  },
  'POST /api/chapters/evaluation/': {
    may: 'staff',
    does: 'Compare generated chapters with those of the sites, in videos that have both (Reelkeep)',
    conflict: 'the search by meaning is off',
    reply: z.object({ task_id: z.string() }),
  },
} satisfies Contract;
