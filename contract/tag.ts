import { z } from 'zod';
import type { Contract } from './endpoint.ts';
import { Id, integer } from './field-types.ts';

// Private tags of users on videos, channels and notes. Not in TubeArchivist.

export const maxTag = 50;

/** The name of a tag; those that differ only in case are the same. Quotes would end it in a search (`tag:"…"`). */
export const TagName = z
  .string()
  .overwrite((name) => name.normalize('NFC').replace(/\s+/g, ' ').trim())
  .min(1, 'A tag needs a name.')
  .max(maxTag, 'A tag can have 50 characters.')
  // oxlint-disable-next-line no-control-regex
  .regex(/^[^"\u0000-\u001f\u007f-\u009f\ud800-\udfff]*$/u, 'A tag cannot contain quotation marks (") or control characters.')
  .regex(/[^.]/, 'A tag needs more than dots.');

export const Tag = z.object({
  name: z.string(),
  /** What has the tag: archived videos, channels and notes. */
  videos: z.int(),
  channels: z.int(),
  notes: z.int(),
});
export type Tag = z.infer<typeof Tag>;

const atOnce = 1000;
const ids = z.array(Id).max(atOnce).default([]);
const Targets = z.object({
  video: ids,
  channel: ids,
  note: z
    .array(integer({ min: 1, max: Number.MAX_SAFE_INTEGER }))
    .max(atOnce)
    .default([]),
});
export type Targets = z.output<typeof Targets>;

const TagChange = z.object({
  /** The new name. */
  name: TagName.optional(),
  /** Ids of what gets the tag, or loses it. */
  add: Targets.optional(),
  remove: Targets.optional(),
});
export type TagChange = z.output<typeof TagChange>;

const params = z.object({ name: TagName });

export const tagCalls = {
  'GET /api/tag/': {
    may: 'user',
    scope: 'notes',
    does: "List the caller's private tags by name (Reelkeep)",
    query: z.object({
      /** Only those on this video or channel. */
      video: Id.optional(),
      channel: Id.optional(),
    }),
    reply: z.array(Tag),
  },
  'PUT /api/tag/:name/': {
    may: 'user',
    scope: 'notes',
    does: 'Create a private tag, rename it, or add it to and remove it from videos, channels and notes (Reelkeep)',
    params,
    body: TagChange,
    reply: Tag.extend({
      /** What did not have the tag before. */
      added: z.object({ video: z.array(z.string()), channel: z.array(z.string()), note: z.array(z.int()) }),
    }),
  },
  'DELETE /api/tag/:name/': {
    may: 'user',
    scope: 'notes',
    does: 'Delete a private tag; what has it stays (Reelkeep)',
    params,
  },
} satisfies Contract;
