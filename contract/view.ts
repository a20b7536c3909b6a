import { z } from 'zod';
import type { Contract } from './endpoint.ts';
import { flag, Id, integer, text } from './field-types.ts';
import { MessageJson } from './message-json.ts';
import { TaskReply } from './task.ts';

// Library views: folder trees with readable names, built from links to the media files. Not in TubeArchivist.

export const ViewPreset = z.enum(['jellyfin', 'kodi', 'plex', 'flat', 'playlist', 'music', 'custom']);
export type ViewPreset = z.infer<typeof ViewPreset>;

export const ViewLink = z.enum(['auto', 'hard', 'reflink', 'symbolic', 'copy']);
export type ViewLink = z.infer<typeof ViewLink>;

/** A link type that `auto` chooses from. */
export type LinkKind = Exclude<ViewLink, 'auto'>;

export const ViewContent = z.object({
  type: z.enum(['all', 'channel', 'playlist', 'smart-list']),
  /** Of the channel, playlist or smart list; not for `all`. */
  id: Id.optional(),
});
export type ViewContent = z.infer<typeof ViewContent>;

const fields = {
  name: text(100),
  /** Folder below `REELKEEP_VIEWS`, absolute or relative to it. */
  root: text(1000),
  preset: ViewPreset,
  /** Path of a file without its extension, only with the preset `custom`: `{channel}/{title} [{id}]` (docs/views.md). */
  template: text(500).nullish(),
  content: ViewContent,
  link: ViewLink,
  nfo: flag(),
  artwork: flag(),
  subtitles: z.enum(['none', 'srt', 'vtt']),
  /** Write chapters and sponsor segments as chapters into a copy of each video that has them. */
  chapters: flag(),
  /** User whose watched state and positions the NFO files contain. */
  person: integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).nullish(),
};

export const ViewBody = z.object({
  ...fields,
  content: fields.content.default({ type: 'all' }),
  link: fields.link.default('auto'),
  nfo: fields.nfo.default(true),
  artwork: fields.artwork.default(true),
  subtitles: fields.subtitles.default('srt'),
  chapters: fields.chapters.default(false),
});
export type ViewBody = z.output<typeof ViewBody>;

export const View = z.object({
  id: z.int(),
  name: z.string(),
  root: z.string(),
  preset: ViewPreset,
  template: z.string().nullable(),
  /** The template in use, also of a preset. */
  pattern: z.string(),
  content: z.object({ type: ViewContent.shape.type, id: z.string().nullable(), name: z.string().nullable() }),
  link: ViewLink,
  /** The type in use, and why `auto` chose it; null before the first build. */
  link_used: ViewLink.exclude(['auto']).nullable(),
  link_reason: z.string().nullable(),
  link_reason_messages: z.array(MessageJson).nullable(),
  nfo: z.boolean(),
  artwork: z.boolean(),
  subtitles: z.enum(['none', 'srt', 'vtt']),
  chapters: z.boolean(),
  person: z.int().nullable(),
  /** `new`: never built. `failed`: see `problem`. `deleting`: its files are being removed. */
  state: z.enum(['new', 'building', 'ready', 'failed', 'deleting']),
  problem: z.string().nullable(),
  problem_messages: z.array(MessageJson).nullable(),
  /** End of the last complete build, epoch seconds. */
  built: z.int().nullable(),
  videos: z.int(),
  files: z.int(),
  /** Changes that are not applied yet. */
  pending: z.int(),
});
export type View = z.infer<typeof View>;

const ViewId = z.object({ id: integer({ min: 1, max: Number.MAX_SAFE_INTEGER }) });

export const viewCalls = {
  'GET /api/view/': {
    may: 'staff',
    does: 'List the library views for media servers by name, and the folder they must be in (Reelkeep)',
    reply: z.object({
      data: z.array(View),
      folder: z.string(),
      presets: z.record(z.string(), z.string()),
      /** Why no view can be created or updated; null if one can. */
      unavailable: z.string().nullable(),
      unavailable_messages: z.array(MessageJson).nullable(),
    }),
  },
  'POST /api/view/': {
    may: 'staff',
    does: 'Create a library view; nothing is written before it is built (Reelkeep)',
    body: ViewBody,
    reply: View,
    conflict: 'The media are in a bucket',
  },
  'POST /api/view/preview/': {
    may: 'staff',
    does: 'Get the paths of up to ten videos in a view with these settings (Reelkeep)',
    body: ViewBody.pick({ preset: true, template: true, content: true }).extend({ root: text(1000).nullish() }),
    reply: z.object({
      files: z.array(z.object({ video_id: z.string(), path: z.string() })),
      problem: z.string().nullable(),
      problem_messages: z.array(MessageJson).nullable(),
    }),
  },
  'POST /api/view/:id/': {
    may: 'staff',
    does: 'Update a library view and build it again; the folder cannot be changed (Reelkeep)',
    params: ViewId,
    body: z.object(fields).partial(),
    reply: View,
    conflict: 'The view is being removed, or the media are in a bucket',
  },
  'DELETE /api/view/:id/': {
    may: 'staff',
    does: 'Remove the files of a library view, and the view; with `forget` only the view (Reelkeep)',
    params: ViewId,
    query: z.object({ forget: flag().default(false) }),
  },
  'POST /api/view/:id/build/': {
    may: 'staff',
    does: 'Start the task build_view, which creates, repairs and removes the links of a view (Reelkeep)',
    params: ViewId,
    body: z
      .object({
        /** Forget what an earlier build created, because its folder was emptied or its disk replaced. */
        start_over: flag().default(false),
      })
      .optional(),
    reply: TaskReply,
    conflict: 'The view is being built, or the media are in a bucket',
  },
} satisfies Contract;
