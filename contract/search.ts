import { z } from 'zod';
import type { Contract } from './endpoint.ts';
import { Channel } from './channel.ts';
import { Playlist } from './playlist.ts';
import { bounds, dayText, decimal, flag, integer, VideoKind } from './field-types.ts';
import { MessageJson } from './message-json.ts';
import { isMomentKind, momentKinds } from './moment-kinds.ts';
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

/** Kinds separated by commas. */
const kindList = z
  .string()
  .max(200)
  .transform((text, context) => {
    const kinds = text.split(',').map((kind) => kind.trim());
    const unknown = kinds.find((kind) => !isMomentKind(kind));
    if (unknown === undefined) return kinds.filter(isMomentKind);
    context.addIssue(`Unknown kind: ${unknown}. Use title, spoken, chapter, description, comment, note, tag or screen.`);
    return z.NEVER;
  })
  .meta({ sent: { type: 'string' }, gives: { type: 'array', items: { enum: [...momentKinds] } } });

const MomentsQuery = z
  .object({
    /**
     * Words, "a phrase", -excluded; `in:` (a kind), `tag:`, `by:` (author of a comment), `channel:` (a part of the name), `lang:`,
     * `after:` and `before:` (`2026`, `2026-12` or `2026-12-31`), `is:watched`, `is:unwatched`, `is:generated`. An id or address of a
     * video finds it.
     */
    query: z.string().max(2000, 'A search can have 2,000 characters.').optional(),
    /** Kinds to search, separated by commas; all if omitted. */
    in: kindList.optional(),
    /** `meaning`: spoken passages about the same, in any words and language. `both`: merged with those that contain the words. */
    mode: z.enum(['words', 'meaning', 'both']).default('words'),
    /** Only this video, with all its moments. */
    video: z.string().max(200).optional(),
    channel: z.string().max(200).optional(),
    playlist: z.string().max(200).optional(),
    tag: z.string().max(200).optional(),
    /** Language of the spoken words. */
    lang: z.string().max(35).optional(),
    /** Published on or after, and before, this day. */
    after: dayText.optional(),
    before: dayText.optional(),
    min_duration: bounds.min_duration,
    max_duration: bounds.max_duration,
    type: VideoKind.optional(),
    /** Watch state of the caller. */
    watched: flag().optional(),
    page: integer({ min: 0, max: 1000 }).default(0),
  })
  .refine(({ after, before }) => after === undefined || before === undefined || after <= before, {
    path: ['after'],
    message: 'The start date is after the end date.',
  });
export type MomentsQuery = z.output<typeof MomentsQuery>;

/** Something that was said or written, with a match. */
export const Moment = z.object({
  kind: z.enum(momentKinds),
  /** Seconds; null if it belongs to no time. */
  start: z.number().nullable(),
  end: z.number().nullable(),
  /** Language of spoken words. */
  lang: z.string().nullable(),
  is_generated: z.boolean(),
  /** An excerpt, if the text is long. */
  text: z.string(),
  /** Matches: first character, and the one after the last, in UTF-16 code units. */
  ranges: z.array(z.tuple([z.int(), z.int()])),
  /** Found by its meaning; it need not contain the words. */
  is_similar: z.boolean(),
  /** The title was replaced later. */
  is_former: z.boolean(),
  comment_id: z.string().nullable(),
  note_id: z.int().nullable(),
  /** Author of a comment. */
  author: z.string().nullable(),
  /** The picture of that second, as in `subtitle_picture` of `/api/search/`. */
  picture: SpokenHit.shape.subtitle_picture,
});
export type Moment = z.infer<typeof Moment>;

/** A video with the moments found in it. */
export const FoundVideo = z.object({
  youtube_id: z.string(),
  title: z.string(),
  channel: z.string(),
  channel_id: z.string(),
  thumb: z.string(),
  /** Title and picture by viewers, as those of a video. */
  community_title: z.string().optional(),
  community_thumb_url: z.string().optional(),
  /** ISO 8601. */
  published: z.string(),
  /** Seconds. */
  duration: z.int(),
  score: z.number(),
  /** Further moments, which a search with `video` returns. */
  more: z.int(),
  /** Best first; of a search at most three. */
  moments: z.array(Moment),
});
export type FoundVideo = z.infer<typeof FoundVideo>;

export const searchCalls = {
  'GET /api/search/moments/': {
    may: 'user',
    does: 'Search titles, spoken words, chapters, descriptions, comments and tags together, by words or by meaning',
    conflict: 'the search by meaning is off',
    windowed: true,
    query: MomentsQuery,
    reply: z.object({
      /** 20 for a page, best first. */
      videos: z.array(FoundVideo),
      has_more: z.boolean(),
      /** Moments found by kind; searching ends at 200 of a kind. */
      counts: z.partialRecord(z.enum(momentKinds), z.int()),
      /** Texts that were left out of the search, and why. */
      notices: z.array(MessageJson),
      /** The same in English. */
      notice_texts: z.array(z.string()),
      /** Words that are not indexed, in lower case, and the indexed words that were searched instead. */
      corrections: z.array(z.object({ word: z.string(), instead: z.string() })),
      /** The search by meaning is on, and its model installed. */
      has_meaning: z.boolean(),
    }),
  },
  'GET /api/search/moments/similar/': {
    may: 'user',
    does: 'Find passages similar in meaning to a passage of a video, in any language (Reelkeep)',
    conflict: 'the search by meaning is off',
    query: z.object({
      video: z.string().min(1).max(200),
      /** Seconds: the passage of about half a minute that is said then, or the nearest one. */
      t: decimal({ min: 0, max: 1e9 }),
    }),
    reply: z.object({
      /** The passage itself. */
      source: FoundVideo,
      /** The best 60 moments by their videos, the most similar first. */
      videos: z.array(FoundVideo),
      /** Texts that are not in the index, and why. */
      notices: z.array(MessageJson),
      /** The same in English. */
      notice_texts: z.array(z.string()),
    }),
  },
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
