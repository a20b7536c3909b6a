import { z } from 'zod';
import type { Contract } from './endpoint.ts';
import { TaskReply } from './task.ts';
import { flag } from './field-types.ts';

export const libraryCalls = {
  'POST /api/appsettings/rescan-filesystem/': {
    may: 'staff',
    does: 'Compare the archive with the files on disk',
    body: z.object({
      /** Accepted for compatibility with TubeArchivist. Unreadable files never abort the rescan. */
      ignore_error: flag().default(false),
      /** Prefer local metadata files over the site. */
      prefer_local: flag().default(false),
      /** Not in TubeArchivist: reports the changes without making them. */
      dry_run: flag().default(false),
    }),
    reply: TaskReply,
  },
  'GET /api/appsettings/manual-import/': {
    may: 'staff',
    does: 'List what lies in the import folder (Reelkeep)',
    reply: z.object({
      /** Absolute path on the server. */
      folder: z.string(),
      /** The first names, sorted; folders end with a slash. */
      names: z.array(z.string()),
      /** Number of files and folders, up to `is_more`. */
      count: z.int(),
      is_more: z.boolean(),
    }),
  },
  'PUT /api/appsettings/manual-import/:filename/': {
    may: 'staff',
    does: 'Upload a video or one of its metadata files to the import folder as application/octet-stream (Reelkeep)',
    params: z.object({ filename: z.string().min(1).max(300) }),
    bytes: 'in',
  },
  'POST /api/appsettings/manual-import/': {
    may: 'staff',
    does: 'Import the videos in the import folder',
    body: z.object({
      /** Imports files even if their duration differs from that of the video. Failed files never abort the import. */
      ignore_error: flag().default(false),
      /** Prefer the info.json over the site. */
      prefer_local: flag().default(false),
      /** Not in TubeArchivist: keeps the import folder unchanged. */
      leave_files: flag().default(false),
      /** Not in TubeArchivist: reports the changes without making them. */
      dry_run: flag().default(false),
    }),
    reply: TaskReply,
  },
} satisfies Contract;
