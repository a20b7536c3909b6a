import { z } from 'zod';
import { AudioLanguages } from './appsettings.ts';
import type { Contract } from './endpoint.ts';
import { PageQuery, pageOf } from './page.ts';
import { settings } from './settings.ts';
import { flag, Id, integer, text, VideoKind } from './field-types.ts';
import { TagName } from './tag.ts';
import { SpokenLanguage, transcribeChoices } from './speech.ts';

const formatPattern = new RegExp(settings.downloads.format.pattern, 'u');

export const ChannelOverwrites = z.object({
  download_format: z.string().nullable(),
  autodelete_days: z.int().nullable(),
  /** Not in TubeArchivist: smallest size in bytes of watched videos to delete (0: any), and whether the source must still have them. */
  autodelete_min_size: z.int().nullable(),
  autodelete_available_only: z.boolean().nullable(),
  index_playlists: z.boolean().nullable(),
  integrate_sponsorblock: z.boolean().nullable(),
  /** Not in TubeArchivist: titles and pictures by viewers are fetched from DeArrow. */
  integrate_dearrow: z.boolean().nullable(),
  subscriptions_channel_size: z.int().nullable(),
  subscriptions_live_channel_size: z.int().nullable(),
  subscriptions_shorts_channel_size: z.int().nullable(),
  /** Not in TubeArchivist: new uploads are downloaded (true) or only listed (false); null = application setting. */
  subscriptions_auto_start: z.boolean().nullable(),
  /** Not in TubeArchivist: whether files are replaced when the source has a better quality. */
  upgrade: z.enum(settings.downloads.upgrade.of).nullable(),
  /** Not in TubeArchivist: whether running streams are recorded. */
  live: z.enum(settings.downloads.live.of).nullable(),
  /** Not in TubeArchivist: whether the chat of streams is fetched. */
  live_chat: z.boolean().nullable(),
  /** Not in TubeArchivist: height of a copy as H.264 and AAC of videos that do not play everywhere. */
  small_copy: z.enum(settings.downloads.small_copy.of).nullable(),
  /** Not in TubeArchivist: sound tracks besides the original; `original`: none. */
  audio_languages: z.string().nullable(),
  audio_auto_dubs: z.boolean().nullable(),
  /** Not in TubeArchivist: which videos without captions are transcribed, and the language spoken in them. */
  transcribe: z.enum(transcribeChoices).nullable(),
  transcribe_lang: z.string().nullable(),
});
export type ChannelOverwrites = z.infer<typeof ChannelOverwrites>;

/** Not in TubeArchivist: options of a new subscription. Defaults come from the application settings. */
export const SubscriptionChoices = {
  /** Download new uploads automatically, or only list them in the queue. */
  auto_start: flag().optional(),
  /** Older uploads to add: none, the newest 50 of each kind, or all. */
  back_catalogue: z.enum(['none', 'newest', 'all']).optional(),
};

const size = integer({ min: 0, max: 100_000 }).nullable();
/** Null removes an override; absent keys stay unchanged. */
const SomeOverwrites = z
  .strictObject({
    download_format: z.string().trim().max(500).regex(formatPattern, 'Not understood.').nullable(),
    autodelete_days: integer({ min: 0, max: 36_500 }).nullable(),
    autodelete_min_size: integer({ min: 0, max: Number.MAX_SAFE_INTEGER }).nullable(),
    autodelete_available_only: flag().nullable(),
    index_playlists: flag().nullable(),
    integrate_sponsorblock: flag().nullable(),
    integrate_dearrow: flag().nullable(),
    subscriptions_channel_size: size,
    subscriptions_live_channel_size: size,
    subscriptions_shorts_channel_size: size,
    subscriptions_auto_start: flag().nullable(),
    upgrade: z.enum(settings.downloads.upgrade.of).nullable(),
    live: z.enum(settings.downloads.live.of).nullable(),
    live_chat: flag().nullable(),
    small_copy: z.enum(settings.downloads.small_copy.of).nullable(),
    audio_languages: AudioLanguages.nullable(),
    audio_auto_dubs: flag().nullable(),
    transcribe: z.enum(transcribeChoices).nullable(),
    transcribe_lang: SpokenLanguage.nullable(),
  })
  .partial();
export type SomeOverwrites = z.output<typeof SomeOverwrites>;

/** Parses one override from an external source. Returns an empty object if the key or the value is invalid. */
export const SomeOverwritesOf = (key: string, value: unknown): SomeOverwrites => {
  const read = SomeOverwrites.safeParse({ [key]: value });
  return read.success ? read.data : {};
};

/** Order of channels: by name, else the largest number or the newest first. */
export const ChannelSort = z.enum(['name', 'videos', 'unwatched', 'added']);
export type ChannelSort = z.infer<typeof ChannelSort>;

export const Channel = z.object({
  channel_id: z.string(),
  channel_name: z.string(),
  channel_active: z.boolean(),
  channel_subscribed: z.boolean(),
  channel_subs: z.int(),
  channel_last_refresh: z.string(),
  channel_description: z.string().nullable(),
  channel_tags: z.array(z.string()).optional(),
  channel_tabs: z.array(VideoKind),
  /** Never null: clients append these to the server URL. Missing artwork is served as a placeholder image. */
  channel_thumb_url: z.string(),
  channel_banner_url: z.string(),
  channel_tvart_url: z.string(),
  /** Not in TubeArchivist: available artwork. */
  channel_art: z.array(z.enum(['thumb', 'banner', 'tvart'])),
  channel_overwrites: ChannelOverwrites.optional(),
  /** Not in TubeArchivist, in the list of channels: its videos, and those that the user has not watched. */
  channel_videos: z.int().optional(),
  channel_unwatched: z.int().optional(),
  _index: z.literal('ta_channel').optional(),
  _score: z.number().optional(),
});
export type Channel = z.infer<typeof Channel>;

const ChannelId = z.object({ id: Id });

export const channelCalls = {
  'GET /api/channel/': {
    may: 'user',
    does: 'List channels by name; `q` (part of the name or handle) and `sort` are of Reelkeep',
    query: z.object({
      ...PageQuery,
      filter: z.enum(['subscribed', 'unsubscribed']).optional(),
      q: z.string().max(200).optional(),
      /** Private tag of the caller. Tokens need the scope `notes`. */
      own_tag: TagName.optional(),
      sort: ChannelSort.default('name'),
    }),
    reply: pageOf(Channel),
  },
  'POST /api/channel/': {
    may: 'staff',
    does: 'Subscribe to channels or unsubscribe from them',
    alsoAsMessage: true,
    body: z.object({
      data: z
        .array(z.object({ channel_id: z.string().max(100_000), channel_subscribed: flag() }), 'missing expected data key')
        .max(10_000),
      ...SubscriptionChoices,
    }),
    reply: z.object({
      data: z.array(z.object({ channel_id: z.string(), channel_subscribed: z.boolean() })),
      /** Not in TubeArchivist: the task that subscribes. */
      task_id: z.string().optional(),
    }),
  },
  'GET /api/channel/search/': {
    may: 'user',
    does: 'Find an archived channel by ID, URL or handle. For staff, the site is queried if the database has no match',
    query: z.object({ q: text(2000) }),
    reply: Channel,
  },
  'GET /api/channel/:id/': { may: 'user', does: 'Get a channel', params: ChannelId, reply: Channel },
  'POST /api/channel/:id/': {
    may: 'staff',
    does: 'Subscribe to a channel, unsubscribe from it, or update its overrides',
    confirmed: true,
    params: ChannelId,
    body: z.object({
      channel_subscribed: flag().optional(),
      channel_overwrites: SomeOverwrites.optional(),
      back_catalogue: SubscriptionChoices.back_catalogue,
    }),
    reply: z.object({ channel_subscribed: z.boolean().optional(), channel_overwrites: ChannelOverwrites.optional() }),
  },
  'DELETE /api/channel/:id/': {
    may: 'staff',
    does: 'Delete a channel with all its videos and files',
    confirmed: true,
    params: ChannelId,
  },
  'GET /api/channel/:id/aggs/': {
    may: 'user',
    does: 'Get the number, total size and total duration of the videos of a channel',
    params: ChannelId,
    reply: z.object({
      total_items: z.object({ value: z.int() }),
      total_size: z.object({ value: z.int() }),
      total_duration: z.object({ value: z.int(), value_str: z.string() }),
    }),
  },
  'GET /api/channel/:id/nav/': {
    may: 'user',
    does: 'Get the non-empty tabs of a channel',
    params: ChannelId,
    reply: z.object({
      has_pending: z.boolean(),
      has_ignored: z.boolean(),
      has_playlists: z.boolean(),
      has_videos: z.boolean(),
      has_streams: z.boolean(),
      has_shorts: z.boolean(),
    }),
  },
} satisfies Contract;
