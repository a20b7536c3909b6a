import { z } from 'zod';
import type { Contract } from './call.ts';
import { Channel } from './channel.ts';
import { Playlist } from './playlist.ts';
import { bounds, decimal, flag, integer, VideoKind } from './values.ts';
import { Video } from './video.ts';

/** Some lines that are spoken one after the other, about five, in which something was found. */
export const SpokenHit = z.object({
  youtube_id: z.string(),
  title: z.string(),
  subtitle_channel: z.string(),
  subtitle_channel_id: z.string(),
  subtitle_lang: z.string(),
  subtitle_source: z.string(),
  /** From 1, in each language. */
  subtitle_index: z.int(),
  /** `<id>-<lang>-<index>`. */
  subtitle_fragment_id: z.string(),
  /** `HH:MM:SS.mmm`, of the first line. */
  subtitle_start: z.string(),
  /** `HH:MM:SS.mmm`, of the last line. */
  subtitle_end: z.string(),
  /** HTML: what was found is in `<span class="settings-current">`, everything else escaped. */
  subtitle_line: z.string(),
  subtitle_last_refresh: z.int(),
  vid_thumb_url: z.string(),
  /** Ours: when the line begins that holds the first of what was found, `HH:MM:SS.mmm`. */
  subtitle_hit_start: z.string(),
  /** Ours: the lines around it, oldest first; plain text. */
  subtitle_before: z.array(z.string()),
  subtitle_after: z.array(z.string()),
  _index: z.literal('ta_subtitle'),
  _score: z.number(),
});
export type SpokenHit = z.infer<typeof SpokenHit>;

const time = decimal({ min: 0, max: 1e9 }).optional();

/**
 * What narrows a search beside the words; all of it ours. What says something of videos leaves out channels and playlists.
 * A page has 30 hits in all; what is far down a list that thousands match is not shown, so a page may be empty.
 */
const SearchQuery = z.object({
  query: z.string().max(2000, 'What is searched for can have 2,000 letters.').optional(),
  page: integer({ min: 0, max: 1000 }).default(0),
  ...bounds,
  type: VideoKind.optional(),
  /** By the caller. */
  watched: flag().optional(),
  /** Spoken between these seconds of the video; of `full` only. */
  t_from: time,
  t_to: time,
});
export type SearchQuery = z.output<typeof SearchQuery>;

export const searchCalls = {
  'GET /api/search/': {
    may: 'user',
    does: 'Search titles, names and what is spoken',
    windowed: true,
    query: SearchQuery,
    reply: z.object({
      results: z.object({
        video_results: z.array(Video),
        channel_results: z.array(Channel),
        playlist_results: z.array(Playlist),
        fulltext_results: z.array(SpokenHit),
      }),
      queryType: z.enum(['simple', 'video', 'channel', 'playlist', 'full']),
      /** Ours: the next page has more. */
      has_more: z.boolean(),
    }),
  },
} satisfies Contract;
