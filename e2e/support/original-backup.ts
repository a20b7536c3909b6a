import { pairs } from './backups.ts';

// A backup of TubeArchivist, built from its documented formats.

export const [one, two] = ['UCaaaaaaaaaaaaaaaaaaaaaa', 'UCbbbbbbbbbbbbbbbbbbbbbb'];
/** Returns a subscribed channel. */
export const channel = (id: string, overrides: object = {}) => ({
  channel_id: id,
  channel_name: `Channel ${id[2]}`,
  channel_active: true,
  channel_subscribed: true,
  channel_subs: 1200,
  channel_last_refresh: 1_700_000_000,
  channel_description: 'About\u0000 it',
  channel_tags: ['x'],
  channel_tabs: ['videos', 'shorts'],
  channel_banner_url: 'https://yt/banner',
  channel_thumb_url: false,
  channel_tvart_url: null,
  ...overrides,
});
export const video = (id: string, channelId: string, overrides: object = {}) => ({
  youtube_id: id,
  title: `Video ${id}`,
  active: true,
  category: ['Music'],
  tags: ['a', 'b'],
  channel: channel(channelId),
  playlist: [],
  published: 1_690_000_000,
  date_downloaded: 1_695_000_000,
  vid_last_refresh: 1_700_000_000,
  media_size: 1234,
  media_url: `${channelId}/${id}.mp4`,
  vid_thumb_url: 'https://yt/t.jpg',
  vid_type: 'videos',
  comment_count: 2,
  description: 'Words',
  player: { duration: 61, duration_str: '1m 01s', watched: false },
  stats: { view_count: 10, like_count: 2, dislike_count: 1, average_rating: 4.5 },
  streams: [
    { type: 'video', index: 0, codec: 'h264', width: 1920, height: 1080, bitrate: 5 },
    { type: 'audio', index: 1, codec: 'aac', bitrate: 3 },
  ],
  subtitles: [
    { ext: 'json3', lang: 'en', name: 'English', source: 'auto', url: 'https://yt', media_url: `${channelId}/${id}.en.vtt` },
  ],
  ...overrides,
});
/** Returns one subtitle document, which joins several cues; the index of a video starts at 1. */
export const line = (id: string, index: number, overrides: object = {}) => ({
  youtube_id: id,
  title: 'T',
  subtitle_fragment_id: `${id}-en-${index}`,
  subtitle_lang: 'en',
  subtitle_source: 'auto',
  subtitle_channel: 'C',
  subtitle_channel_id: one,
  subtitle_line: `words\n${index}`,
  subtitle_start: '00:00:01.500',
  subtitle_end: '01:00:09.250',
  subtitle_index: index,
  subtitle_last_refresh: '1700000000',
  ...overrides,
});
/** Returns a comment or a reply. */
export const comment = (id: string, overrides: object = {}) => ({
  comment_id: id,
  comment_text: `Says ${id}`,
  comment_author: 'Who',
  comment_author_id: 'u',
  comment_author_thumbnail: 'https://yt/p',
  comment_author_is_uploader: true,
  comment_is_favorited: false,
  comment_likecount: null,
  comment_parent: 'root',
  comment_timestamp: 1_700_000_001,
  comment_time_text: 'x',
  ...overrides,
});

/** Documents as in a backup of a library several years old: both generations of formats, and every tolerated deviation. */
const documents = {
  config: {
    appsettings: {
      subscriptions: { channel_size: 30, auto_start: true, extract_flat: false },
      downloads: {
        limit_speed: false,
        format: 'bv*+ba',
        sleep_interval: 7,
        add_thumbnail: true,
        potoken: true,
        cookie_import: true,
        pot_provider_url: 'http://pot:4416',
        comment_max: 'all,100',
        subtitle: 'en',
        strange_key: 1,
        throttledratelimit: null,
      },
      application: { enable_cast: true },
      scheduler: { old: true },
    },
    user_1: { config: { page_size: 25, stylesheet: 'light.css', hide_watched: true, sponsorblock_id: 'secret', grid_items: 99 } },
    user_7: { config: { page_size: 3 } },
    notify: { update_subscribed: ['ntfy://topic', 'not a url'] },
  },
  channel: {
    [one]: channel(one, {
      channel_overwrites: { download_format: false, autodelete_days: 3, index_playlists: true, strange: 1 },
      channel_views: 0,
    }),
    [two]: channel(two, {
      channel_tabs: undefined,
      channel_description: false,
      channel_subscribed: false,
      channel_tags: undefined,
      channel_active: false,
    }),
    'bad id!': channel('bad id!'),
  },
  video: {
    aaaaaaaaaaa: video('aaaaaaaaaaa', one, {
      player: { duration: 61, watched: true, watched_date: '1696000000', position: 3, progress: 5 },
      vid_thumb_base64: 'x',
      sponsorblock: {
        is_enabled: true,
        last_refresh: 5,
        has_unlocked: true,
        segments: [
          { UUID: 'u', category: 'sponsor', actionType: 'skip', segment: [1, 2.5], videoDuration: 61, votes: 1, locked: 0 },
        ],
      },
    }),
    bbbbbbbbbbb: video('bbbbbbbbbbb', two, {
      published: '2023-07-22',
      date_downloaded: '1695000001',
      description: false,
      vid_type: 'shorts',
      stats: { average_rating: null },
      streams: [],
      active: false,
    }),
    ccccccccccc: video('ccccccccccc', two, {
      published: '1690000000',
      vid_last_refresh: '1700000000',
      description: '',
      stats: undefined,
      subtitles: undefined,
      category: 'Music',
      media_url: '../../etc/passwd',
      comment_count: undefined,
    }),
    ddddddddddd: video('ddddddddddd', two, { published: 1_690_000_000.5, player: { duration: 5, watched: true } }),
    eeeeeeeeeee: { youtube_id: 'eeeeeeeeeee', title: 'Of nobody' },
  },
  download: {
    fffffffffff: {
      youtube_id: 'fffffffffff',
      title: 'Wanted',
      channel_id: one,
      channel_name: 'A',
      status: 'pending',
      vid_type: 'videos',
      duration: '1h 02m 03s',
      published: null,
      timestamp: 1_700_000_000,
      vid_thumb_url: null,
      auto_start: true,
      channel_indexed: true,
    },
    ggggggggggg: {
      youtube_id: 'ggggggggggg',
      title: 'Never',
      channel_id: one,
      channel_name: 'A',
      status: 'ignore',
      vid_type: 'unknown',
      duration: 'NA',
      published: '2023-01-01',
      timestamp: '1700000000',
    },
    hhhhhhhhhhh: {
      youtube_id: 'hhhhhhhhhhh',
      title: 'Failed',
      channel_id: one,
      channel_name: 'A',
      status: 'pending',
      vid_type: 'streams',
      message: 'ERROR: no',
    },
    aaaaaaaaaaa: { youtube_id: 'aaaaaaaaaaa', title: 'Here already', status: 'pending' },
  },
  playlist: {
    PLregular: {
      playlist_id: 'PLregular',
      playlist_name: 'Regular',
      playlist_type: 'regular',
      playlist_active: true,
      playlist_subscribed: true,
      playlist_channel: 'A',
      playlist_channel_id: one,
      playlist_description: 'False',
      playlist_thumbnail: 'https://yt/p.jpg',
      playlist_last_refresh: '1700000000',
      playlist_sort_order: 'bottom',
      playlist_entries: [
        { youtube_id: 'bbbbbbbbbbb', title: 'B', uploader: 'B', idx: 1, downloaded: true },
        { youtube_id: 'aaaaaaaaaaa', title: 'A', uploader: 'A', idx: 0, downloaded: true },
      ],
    },
    TA_playlist_5f0c: {
      playlist_id: 'TA_playlist_5f0c',
      playlist_name: 'Mine',
      playlist_type: 'custom',
      playlist_active: true,
      playlist_subscribed: false,
      playlist_description: false,
      playlist_thumbnail: 'videos/a/aaaaaaaaaaa.jpg',
      playlist_last_refresh: 1_700_000_000,
      playlist_entries: [{ youtube_id: 'ccccccccccc', title: 'C', uploader: null, idx: 0, downloaded: true }],
    },
  },
  subtitle: Object.fromEntries([1, 2, 3].map((index) => [`bbbbbbbbbbb-en-${index}`, line('bbbbbbbbbbb', index)])),
  comment: {
    aaaaaaaaaaa: {
      youtube_id: 'aaaaaaaaaaa',
      comment_channel_id: one,
      comment_last_refresh: 1,
      comment_comments: [comment('c1'), comment('c1.r', { comment_parent: 'c1', comment_likecount: 4 })],
    },
    bbbbbbbbbbb: {
      youtube_id: 'bbbbbbbbbbb',
      comment_comments: [comment('d1', { comment_replies: [comment('d1.r', { comment_parent: undefined })] })],
    },
    nobody00000: { youtube_id: 'nobody00000', comment_comments: [comment('x')] },
  },
};

export const parts = (): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(documents).map(([index, docs]) => [`es_${index}-20260105-0.json`, pairs(index, docs)])),
  // A crashed backup leaves an earlier part, so the later pair counts. Indexes have other names after a migration.
  'es_video-20260105-1.json': pairs('video_v2', {
    bbbbbbbbbbb: video('bbbbbbbbbbb', two, {
      title: 'The later one',
      vid_type: 'shorts',
      published: '2023-07-22',
      active: false,
    }),
  }),
  'es_subtitle-20260105-1.json': `${pairs('subtitle', { 'bbbbbbbbbbb-en-4': line('bbbbbbbbbbb', 4) })}{"index": broken\n{"no": "action"}\n${pairs('subtitle', { 'aaaaaaaaaaa-en-1': line('aaaaaaaaaaa', 1) })}${pairs('subtitle', { 'zzz-en-1': line('zzz', 1) })}`,
  'es_comment-20260105-1.json': '',
  'something else.txt': 'not read',
});
