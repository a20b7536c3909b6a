import { z } from 'zod';
import type { Contract } from './call.ts';
import { TaskReply } from './task.ts';
import { flag } from './values.ts';

export const libraryCalls = {
  'POST /api/appsettings/rescan-filesystem/': {
    may: 'staff',
    does: 'Compare the archive with the files on the disk',
    body: z.object({
      /** As the original has it. A file that cannot be read never ends this one. */
      ignore_error: flag().default(false),
      /** What stands beside a file goes before what its site says now. */
      prefer_local: flag().default(false),
      /** Ours: only reports what would be done. */
      dry_run: flag().default(false),
    }),
    reply: TaskReply,
  },
  'POST /api/appsettings/manual-import/': {
    may: 'staff',
    does: 'Bring in the videos of the import folder',
    body: z.object({
      /** A file whose length is not that of the video is brought in all the same. What cannot be brought in never ends the import. */
      ignore_error: flag().default(false),
      /** What the info.json says goes before what the site says now. */
      prefer_local: flag().default(false),
      /** Ours: nothing leaves the import folder, nor is it changed. */
      leave_files: flag().default(false),
      /** Ours: only reports what would be done. */
      dry_run: flag().default(false),
    }),
    reply: TaskReply,
  },
} satisfies Contract;
