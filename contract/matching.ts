import { z } from 'zod';
import type { Contract } from './call.ts';
import { TaskReply } from './task.ts';
import { flag, Id, integer } from './values.ts';
import { VideoFilter } from './video.ts';

// Ours: what is done to every video of a list, however many pages it has. The query is the list's own, and a word in it that
// is not known is refused: a filter that was misspelled would mean everything.

const query = VideoFilter.omit({ page: true });
export type Matching = z.output<typeof query>;
const Done = z.object({ videos: z.int() });

export const matchingCalls = {
  'GET /api/video/matching/': {
    may: 'user',
    does: 'Ours: how many videos a list has, and how large they are together',
    strict: true,
    query,
    reply: z.object({ videos: z.int(), media_size: z.int() }),
  },
  'POST /api/video/matching/watched/': {
    may: 'user',
    does: 'Ours: mark every video of a list for the caller; answers how many match, and by what it can be taken back for two minutes',
    strict: true,
    query,
    body: z.object({ is_watched: flag() }),
    reply: Done.extend({ undo: z.string() }),
  },
  'POST /api/video/matching/undo/': {
    may: 'user',
    does: 'Ours: take back the caller’s last mark of a list: dates and places are as they were, but for what was touched since',
    strict: true,
    body: z.object({ undo: z.string().max(100) }),
    reply: Done,
  },
  'POST /api/video/matching/playlist/': {
    may: 'user',
    does: 'Ours: add every video of a list to a playlist of your own, in the order of the list; answers how many are new there',
    strict: true,
    query,
    body: z.object({ playlist_id: Id }),
    reply: Done,
  },
  'POST /api/video/matching/keep/': {
    may: 'staff',
    does: 'Ours: mark every video of a list so that no rule deletes it, or not; answers how many match',
    strict: true,
    query,
    body: z.object({ is_kept: flag() }),
    reply: Done,
  },
  'POST /api/video/matching/redownload/': {
    may: 'staff',
    does: 'Ours: fetch every video of a list again; answers how many can be',
    strict: true,
    query,
    reply: Done,
  },
  'POST /api/video/matching/delete/': {
    may: 'staff',
    does: 'Ours: delete every video of a list, in the background. `videos` is how many they are: refused when more match',
    confirmed: true,
    strict: true,
    query,
    body: z.object({ videos: integer({ min: 0, max: 100_000_000 }), ignore: flag().default(false) }),
    reply: TaskReply,
  },
} satisfies Contract;
