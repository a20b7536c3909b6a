import { z } from 'zod';
import type { Contract } from './endpoint.ts';
import { decimal, Id, integer } from './field-types.ts';
import { MessageJson } from './message-json.ts';
import { PageQuery, pageOf } from './page.ts';

// Clips: parts of videos as files to download, private to an account. Not in TubeArchivist.

/** `copy`: cut at key frames, at once and without loss. `exact`: encoded again, as H.264 and AAC. */
const ClipMode = z.enum(['copy', 'exact']);
export type ClipMode = z.infer<typeof ClipMode>;

export const Clip = z.object({
  id: z.int(),
  /** Id and title of the video. */
  video: z.string(),
  video_title: z.string(),
  /** Seconds in the video. */
  start: z.number(),
  end: z.number(),
  mode: ClipMode,
  /** `removed`: the file made room for others, or the media file was replaced. The same request makes it again. */
  state: z.enum(['queued', 'running', 'done', 'failed', 'removed']),
  /** Second of the video where the file begins: a key frame before the start. Null until it is made. */
  actual_start: z.number().nullable(),
  /** Bytes of the file; null without one. */
  size: z.int().nullable(),
  /** 0 to 1 of the running work; null: unknown. */
  progress: z.number().nullable(),
  /** The file; with `?download` it has a readable name. Null without one. */
  media_url: z.string().nullable(),
  /** Why it failed, in English and as messages. */
  why: z.string().nullable(),
  why_messages: z.array(MessageJson).nullable(),
  /** Epoch seconds. */
  created: z.int(),
});
export type Clip = z.infer<typeof Clip>;

const second = decimal({ min: 0, max: 1e9 });
const NewClip = z.object({ video: Id, start: second, end: second, mode: ClipMode });
export type NewClip = z.output<typeof NewClip>;

const ClipId = z.object({ id: integer({ min: 1, max: Number.MAX_SAFE_INTEGER }) });

export const clipCalls = {
  'GET /api/clip/': {
    may: 'user',
    scope: 'notes',
    does: "List the caller's clips, newest first (Reelkeep)",
    query: z.object({ ...PageQuery, video: Id.optional() }),
    reply: pageOf(Clip),
  },
  'POST /api/clip/': {
    may: 'user',
    scope: 'notes',
    does: 'Make a clip of half a second to 10 minutes; an existing one with the same part and mode is returned, and made again if it has no file (Reelkeep)',
    body: NewClip,
    reply: Clip,
  },
  'GET /api/clip/:id/': {
    may: 'user',
    scope: 'notes',
    does: 'Show a clip of the caller (Reelkeep)',
    params: ClipId,
    reply: Clip,
  },
  'DELETE /api/clip/:id/': {
    may: 'user',
    scope: 'notes',
    does: 'Delete a clip of the caller and its file (Reelkeep)',
    params: ClipId,
  },
} satisfies Contract;
