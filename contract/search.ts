import { z } from 'zod';
import type { Contract } from './endpoint.ts';
import { Channel } from './channel.ts';
import { Playlist } from './playlist.ts';
import { bounds, decimal, flag, integer, VideoKind } from './field-types.ts';
import { Video } from './video.ts';

/** A transcript chunk (about five consecutive cues) with a match. */
export const SpokenHit = z.object({
  youtube_id: z.string(),
  title: z.string(),
  subtitle_channel: z.string(),
  subtitle_channel_id: z.string(),
  subtitle_lang: z.string(),
  subtitle_source: z.string(),
  /** Starts at 1, per language. */
  subtitle_index: z.int(),
  /** `<id>-<lang>-<index>`. */
  subtitle_fragment_id: z.string(),
  /** `HH:MM:SS.mmm`, start of the first cue. */
  subtitle_start: z.string(),
  /** `HH:MM:SS.mmm`, end of the last cue. */
  subtitle_end: z.string(),
  /** Escaped HTML; matches are in `<span class="settings-current">`. */
  subtitle_line: z.string(),
  subtitle_last_refresh: z.int(),
  vid_thumb_url: z.string(),
  /** Not in TubeArchivist: about when the match is spoken, `HH:MM:SS.mmm`. */
  subtitle_hit_start: z.string(),
  /** Not in TubeArchivist: the picture of that second in a sheet of the storyboard, in pixels; null without a storyboard. */
  subtitle_picture: z
    .object({
      sheet_url: z.string(),
      sheet_width: z.int(),
      x: z.int(),
      y: z.int(),
      width: z.int(),
      height: z.int(),
    })
    .nullable(),
  /** Not in TubeArchivist: cues before and after the chunk, oldest first, plain text. */
  subtitle_before: z.array(z.string()),
  subtitle_after: z.array(z.string()),
  _index: z.literal('ta_subtitle'),
  _score: z.number(),
});
export type SpokenHit = z.infer<typeof SpokenHit>;

const time = decimal({ min: 0, max: 1e9 }).optional();

/**
 * Search filters; only `query` is in TubeArchivist. Filters on video fields exclude channels and playlists. A page has 30 hits in
 * total. Searches with thousands of matches return only the best ones, so a page may be empty.
 */
const SearchQuery = z.object({
  query: z.string().max(2000, 'What is searched for can have 2,000 letters.').optional(),
  page: integer({ min: 0, max: 1000 }).default(0),
  ...bounds,
  type: VideoKind.optional(),
  /** Watch state of the caller. */
  watched: flag().optional(),
  /** Range in the video, seconds; `full` searches only. */
  t_from: time,
  t_to: time,
});
export type SearchQuery = z.output<typeof SearchQuery>;

export const searchCalls = {
  'GET /api/search/': {
    may: 'user',
    does: 'Search titles, channels, playlists and transcripts',
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
      /** Not in TubeArchivist: there is a next page. */
      has_more: z.boolean(),
      /** Not in TubeArchivist: words that are not indexed, in lower case, and the indexed words that were searched instead. */
      corrections: z.array(z.object({ word: z.string(), instead: z.string() })),
    }),
  },
} satisfies Contract;
