import { z } from 'zod';
import type { Contract } from './endpoint.ts';
import { MessageJson } from './message-json.ts';
import { pageOf, PageQuery } from './page.ts';
import { Id, integer, unlike } from './field-types.ts';

// Trash: deleted videos can be restored during the retention period. Not in TubeArchivist.

export const TrashEntry = z.object({
  /** ID of the deletion. A video that was archived again and deleted again has two entries. */
  id: z.int(),
  youtube_id: z.string(),
  title: z.string(),
  channel_id: z.string(),
  channel_name: z.string(),
  media_size: z.int(),
  /** Only a file of the video, which was replaced by one in higher quality. A restore lets both change places. */
  is_replaced_file: z.boolean(),
  /** Thumbnail, staff only. */
  thumb_url: z.string(),
  /** Time of deletion, epoch seconds. */
  deleted: z.int(),
  /** User name; null if a cleanup rule deleted it, or another file replaced it. */
  deleted_by: z.string().nullable(),
  /** Reason given by the rule. */
  reason: z.string().nullable(),
  /** `reason` as ids with parameters. */
  reason_messages: z.array(MessageJson).nullable(),
  /** Time of permanent deletion, epoch seconds. */
  purge_at: z.int(),
});
export type TrashEntry = z.infer<typeof TrashEntry>;

/** Page of the trash, newest deletion first, with total size in bytes and retention period in days. */
export const Trash = pageOf(TrashEntry).extend({ total_size: z.int(), days: z.int() });
export type Trash = z.infer<typeof Trash>;

export const TrashAction = z.object({
  action: z.enum(['restore', 'delete']),
  /** IDs of deletions, or of videos, which select their newest deletion. */
  ids: z
    .array(z.union([z.int().min(1), Id], unlike('A valid integer is required.')))
    .min(1)
    .max(1000),
});

export const TrashResult = z.object({
  /** Number of restored or purged entries. */
  done: z.int(),
  /** Failed entries with the reason, in English and as ids with parameters. */
  refused: z.array(z.object({ id: z.union([z.int(), z.string()]), error: z.string(), messages: z.array(MessageJson) })),
});
export type TrashResult = z.infer<typeof TrashResult>;

export const trashCalls = {
  'GET /api/trash/': { may: 'staff', does: 'List the trash (Reelkeep)', query: z.object(PageQuery), reply: Trash },
  'POST /api/trash/': {
    may: 'staff',
    does: 'Restore videos from the trash, or delete them permanently (Reelkeep)',
    confirmed: true,
    body: TrashAction,
    reply: TrashResult,
  },
  'DELETE /api/trash/': {
    may: 'staff',
    does: 'Empty the trash (Reelkeep)',
    confirmed: true,
    reply: z.object({ deleted: z.int(), media_size: z.int() }),
  },
  'GET /api/trash/:id/thumbnail/': {
    may: 'staff',
    does: 'Get the thumbnail of a deleted video (Reelkeep)',
    params: z.object({ id: integer({ min: 1, max: Number.MAX_SAFE_INTEGER }) }),
    bytes: 'out',
    type: 'image/jpeg',
  },
} satisfies Contract;
