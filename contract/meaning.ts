import { z } from 'zod';
import type { Contract } from './endpoint.ts';
import { Id } from './field-types.ts';
import { meaningModels } from './meaning-models.ts';
import { MessageJson } from './message-json.ts';
import { Speech } from './speech.ts';

// The search by meaning of spoken words. Not in TubeArchivist.

export const Meaning = z.object({
  /** The program with the chosen model. */
  engine: Speech.shape.engine,
  model: z.enum(meaningModels),
  /** The model that answers: the one before, until the index of the chosen one is complete. */
  active_model: z.enum(meaningModels),
  /** Why nothing can be searched by meaning, in English and as messages; null: it can, or it is off. */
  problem: z.string().nullable(),
  problem_messages: z.array(MessageJson).nullable(),
  /** Videos in the index of the chosen model, and those that are new or changed. */
  videos: z.int(),
  queue: z.int(),
  /** Passages of about half a minute. */
  passages: z.int(),
  /** Size of the index, estimated. */
  bytes: z.int(),
  /** The index has as many passages as it can have, so videos are missing. */
  is_full: z.boolean(),
  /** Transcripts in languages that the model does not know, and another model that knows some of them. */
  uncovered: z.object({ videos: z.int(), languages: z.array(z.string()), covered_by: z.enum(meaningModels).nullable() }),
  /** Seconds of the epoch when the background hours begin; null: it need not wait for them. */
  starts_at: z.int().nullable(),
});
export type Meaning = z.infer<typeof Meaning>;

export const meaningCalls = {
  'GET /api/meaning/': {
    may: 'staff',
    does: 'Show the index of the search by meaning (Reelkeep)',
    reply: Meaning,
  },
  'GET /api/meaning/video/:id/': {
    may: 'user',
    does: 'Say whether similar moments can be found for a video: the search by meaning is on and has its transcript (Reelkeep)',
    params: z.object({ id: Id }),
    reply: z.object({ is_indexed: z.boolean() }),
  },
  'POST /api/meaning/engine/': {
    may: 'staff',
    does: 'Install or update the chosen model of the search by meaning, or roll it back (Reelkeep)',
    conflict: 'there is no earlier version, the operator has configured an engine, or there are several servers',
    body: z.object({ action: z.enum(['install', 'rollback']) }),
    reply: z.object({ task_id: z.string().nullable() }),
  },
  'POST /api/meaning/rebuild/': {
    may: 'staff',
    does: 'Delete the index of the search by meaning and build it again (Reelkeep)',
    conflict: 'the search by meaning is off, or its model is not installed',
    reply: z.object({ task_id: z.string() }),
  },
} satisfies Contract;
