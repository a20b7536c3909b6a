import { z } from 'zod';
import type { Contract } from './endpoint.ts';
import { flag, text } from './field-types.ts';
import { MessageJson } from './message-json.ts';

// Imports from other programs. Not in TubeArchivist.

export const SourceProgram = z.enum([
  'pinchflat',
  'tubesync',
  'youtarr',
  'tubearchivist',
  'archive',
  'takeout',
  'newpipe',
  'libretube',
  'freetube',
  'invidious',
  'opml',
]);
export type SourceProgram = z.infer<typeof SourceProgram>;

/**
 * Kinds of data: channels and playlists to subscribe to; their rules and formats; video files; videos for the queue; the ignore
 * list; videos that count as already seen; watched marks and positions of the caller; custom playlists of the caller.
 */
export const ProgramImportTake = z.enum(['subscriptions', 'rules', 'videos', 'queue', 'ignored', 'have', 'watched', 'playlists']);
export type ProgramImportTake = z.infer<typeof ProgramImportTake>;

const Count = z.object({
  what: ProgramImportTake,
  /** Found in the data of the program. */
  found: z.int(),
  /** Added here, or in a dry run: would be added. */
  added: z.int(),
  /** Already here. */
  here: z.int(),
  /** Not taken: faulty, or the video is not in the archive. */
  left: z.int(),
});

export const ProgramImport = z.object({
  id: z.string(),
  task_id: z.string(),
  from: SourceProgram,
  /** Name of the file or folder, or the address. */
  source: z.string(),
  dry_run: z.boolean(),
  /** Null in a dry run: everything. */
  take: z.array(ProgramImportTake).nullable(),
  status: z.enum(['pending', 'running', 'done', 'failed', 'undone']),
  /** Epoch seconds. */
  started: z.int(),
  ended: z.int().nullable(),
  /** Until when it can be undone, epoch seconds; null if it cannot. */
  undo_until: z.int().nullable(),
  counts: z.array(Count),
  /** Number of problems, including those that are not listed. */
  problems: z.int(),
  error: z.string().nullable(),
  error_messages: z.array(MessageJson),
});
export type ProgramImport = z.infer<typeof ProgramImport>;

const ProgramImportLine = z.object({
  kind: z.enum(['problem', 'note']),
  what: z.string(),
  why: z.string(),
  why_messages: z.array(MessageJson),
});

export const ProgramImportReport = ProgramImport.extend({
  /** The first 1000 lines. */
  lines: z.array(ProgramImportLine),
});
export type ProgramImportReport = z.infer<typeof ProgramImportReport>;

const Started = z.object({ id: z.string(), task_id: z.string() });
const ProgramImportId = z.object({ id: z.string().min(1).max(100) });

export const programImportCalls = {
  'GET /api/migrate/': {
    may: 'staff',
    does: 'List imports from other programs, newest first, and the files and folders to import from (Reelkeep)',
    reply: z.object({
      /** Folders that paths may lead to. The first is the import folder. */
      folders: z.array(z.string()),
      /** What lies in those folders, at most 200 entries each. */
      entries: z.array(z.object({ path: z.string(), is_folder: z.boolean() })),
      /** The last 50. */
      migrations: z.array(ProgramImport),
    }),
  },
  'POST /api/migrate/': {
    may: 'staff',
    does: 'Import subscriptions, lists, watched marks and videos of another program. `dry_run` only reports (Reelkeep)',
    body: z.object({
      from: SourceProgram,
      /** A file or folder in one of the allowed folders: an absolute path, or one below the import folder. */
      path: text(4096).optional(),
      /** An uploaded file. */
      upload: text(300).optional(),
      /** TubeArchivist: its URL and API token, while it runs. */
      address: text(2000).optional(),
      token: text(1000).optional(),
      /** Where the folders of the program are here, such as `{"/downloads": "/mnt/videos"}`. */
      path_map: z.record(z.string().min(1).max(1000), z.string().min(1).max(4096)).default({}),
      dry_run: flag().default(false),
      /** Default: everything that the program has except `queue`, `have` and `videos`. A dry run always reports everything. */
      take: z.array(ProgramImportTake).max(20).optional(),
    }),
    reply: Started,
  },
  'PUT /api/migrate/upload/:filename/': {
    may: 'staff',
    does: 'Upload a file to import from as application/octet-stream; it is kept for a day (Reelkeep)',
    params: z.object({ filename: z.string().min(1).max(300) }),
    bytes: 'in',
    reply: z.object({ upload: z.string() }),
  },
  'GET /api/migrate/:id/': {
    may: 'staff',
    does: 'Get the report of an import (Reelkeep)',
    params: ProgramImportId,
    reply: ProgramImportReport,
  },
  'POST /api/migrate/:id/undo/': {
    may: 'staff',
    does: 'Remove what an import added, within seven days. Later changes are kept; videos move to the trash (Reelkeep)',
    params: ProgramImportId,
    reply: Started,
  },
} satisfies Contract;
