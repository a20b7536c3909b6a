import { z } from 'zod';
import type { Contract } from './call.ts';
import { pageOf, PageQuery } from './page.ts';
import { Id, integer, unlike } from './values.ts';

// Ours: what was deleted rests here for some days, and can be put back.

export const BinEntry = z.object({
  /** Of this deletion; a video that came again and was deleted again is here twice. */
  id: z.int(),
  youtube_id: z.string(),
  title: z.string(),
  channel_id: z.string(),
  channel_name: z.string(),
  media_size: z.int(),
  /** Where its picture is; for staff alone. */
  thumb_url: z.string(),
  /** Epoch seconds. */
  deleted: z.int(),
  /** A person's name; null when a rule did it. */
  deleted_by: z.string().nullable(),
  /** What the rule said. */
  reason: z.string().nullable(),
  /** When it goes for good, epoch seconds. */
  goes: z.int(),
});
export type BinEntry = z.infer<typeof BinEntry>;

/** What is in it, newest deletion first, with the size of all. */
export const Bin = pageOf(BinEntry).extend({ total_size: z.int(), days: z.int() });
export type Bin = z.infer<typeof Bin>;

export const BinChange = z.object({
  action: z.enum(['restore', 'delete']),
  /** Numbers of deletions, or ids of videos: of a video its newest deletion. */
  ids: z
    .array(z.union([z.int().min(1), Id], unlike('A valid integer is required.')))
    .min(1)
    .max(1000),
});

export const BinAnswer = z.object({
  /** How many were put back, or deleted. */
  done: z.int(),
  /** Those that were not, each with the sentence why. */
  refused: z.array(z.object({ id: z.union([z.int(), z.string()]), error: z.string() })),
});
export type BinAnswer = z.infer<typeof BinAnswer>;

export const binCalls = {
  'GET /api/bin/': { may: 'staff', does: 'Ours: deleted videos that can be put back', query: z.object(PageQuery), reply: Bin },
  'POST /api/bin/': {
    may: 'staff',
    does: 'Ours: put deleted videos back with everything they had, or delete them for good',
    confirmed: true,
    body: BinChange,
    reply: BinAnswer,
  },
  'DELETE /api/bin/': {
    may: 'staff',
    does: 'Ours: empty the bin for good',
    confirmed: true,
    reply: z.object({ deleted: z.int(), media_size: z.int() }),
  },
  'GET /api/bin/:id/picture/': {
    may: 'staff',
    does: 'Ours: the picture of a deleted video',
    params: z.object({ id: integer({ min: 1, max: Number.MAX_SAFE_INTEGER }) }),
    bytes: 'out',
  },
} satisfies Contract;
