import { z } from 'zod';
import type { Contract } from './endpoint.ts';
import { Id, integer, LanguageTag } from './field-types.ts';

// Podcast feeds of a user, at secret addresses. Not in TubeArchivist.

const FeedType = z.enum(['channel', 'playlist', 'smart-list', 'new']);
const FeedMedia = z.enum(['audio', 'video']);

const NewPodcast = z
  .object({
    type: FeedType,
    /** Channel, playlist or smart list; absent for `new`. */
    id: z
      .union([
        Id,
        z
          .int()
          .transform(String)
          .meta({ sent: { type: 'integer' }, gives: { type: 'string' } }),
      ])
      .optional(),
    media: FeedMedia,
  })
  .refine(({ type, id }) => (type === 'new') === (id === undefined), { path: ['id'], message: 'Required, except for "new".' });

export const Podcast = z.object({
  id: z.int(),
  type: FeedType,
  /** Null for `new`. */
  target: z.string().nullable(),
  media: FeedMedia,
  /** Null if the target was deleted or is no longer visible to the caller. */
  name: z.string().nullable(),
  /** Secret address of the feed; null for API tokens, because it stays valid without them. */
  url: z.string().nullable(),
  created: z.int(),
  /** Last request of a podcast app. */
  last_used: z.int().nullable(),
});
export type Podcast = z.infer<typeof Podcast>;

const Secret = { secret: z.string().max(100) };
const Episode = z.object({ ...Secret, video: Id, signature: z.string().max(100), name: z.string().max(300) });

export const podcastCalls = {
  'GET /api/podcast/': { may: 'user', does: "List the caller's podcast feeds (Reelkeep)", reply: z.array(Podcast) },
  'POST /api/podcast/': {
    may: 'user',
    bySession: true,
    proven: true,
    does: 'Create a podcast feed of a channel, a playlist, a smart list or everything new. An existing feed is returned (Reelkeep)',
    body: NewPodcast,
    reply: z.object({ id: z.int(), url: z.string() }),
  },
  'DELETE /api/podcast/:id/': {
    may: 'user',
    does: 'Revoke a podcast feed of the caller (Reelkeep)',
    params: z.object({ id: integer({ min: 1, max: Number.MAX_SAFE_INTEGER }) }),
  },
  'GET /api/podcast/opml/': {
    may: 'user',
    bySession: true,
    does: "Export the addresses of the caller's podcast feeds (Reelkeep)",
    bytes: 'out',
    type: 'text/x-opml',
  },
  'GET /podcast/:secret/feed.xml/': {
    may: 'anyone',
    secret: true,
    does: 'Get a podcast feed, 1,000 episodes per page; `sound`: audio in this language where a video has it (Reelkeep)',
    params: z.object(Secret),
    query: z.object({ page: integer({ min: 0, max: 1_000_000 }).default(0), sound: LanguageTag.optional() }),
    bytes: 'out',
    type: 'application/rss+xml',
  },
  'GET /podcast/:secret/cover.jpg/': {
    may: 'anyone',
    secret: true,
    does: 'Get the artwork of a podcast feed (Reelkeep)',
    params: z.object(Secret),
    bytes: 'out',
    type: 'image/jpeg',
  },
  'GET /podcast/:secret/:video/:signature/:name/': {
    may: 'anyone',
    secret: true,
    does: 'Get a file of an episode: audio, video, picture, chapters or transcript. Audio is prepared on request (Reelkeep)',
    params: Episode,
    bytes: 'out',
    type: '*/*',
  },
} satisfies Contract;
