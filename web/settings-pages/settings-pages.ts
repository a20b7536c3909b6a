import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Settings } from '#contract/settings.ts';
import { listedTasks } from '#web/tasks/task-names.ts';

export type SettingKeys = { [S in keyof Settings]?: (keyof Settings[S] & string)[] };

/** A field with an anchor, for the search of settings. */
export interface IndexedField {
  /** Anchor in the page address. */
  id: string;
  label: MessageDescriptor;
  /** Other words that find it. */
  keywords?: MessageDescriptor;
}

export interface SettingsSection {
  id: string;
  title: MessageDescriptor;
  text?: MessageDescriptor;
  keywords?: MessageDescriptor;
  /** Application settings of the section, in order. Rendered from this list. */
  keys?: SettingKeys;
  /** Other fields of the section. */
  fields?: IndexedField[];
}

export interface SettingsPage {
  /** Path below /settings/, without a slash at its ends. */
  path: string;
  name: MessageDescriptor;
  keywords?: MessageDescriptor;
  /** Listed only where several servers share the database. */
  isForNodes?: true;
  sections: SettingsSection[];
}

export interface SettingsGroup {
  name: MessageDescriptor;
  isForStaff: boolean;
  pages: SettingsPage[];
}

/** Anchor of a task on the page of the tasks. */
export const taskAnchor = (task: string) => `task-${task}`;

/** All pages of the settings with their sections and fields: navigation, search and redirects are made from it. */
export const settingsGroups: SettingsGroup[] = [
  {
    name: msg`User`,
    isForStaff: false,
    pages: [
      {
        path: 'user',
        name: msg`Appearance`,
        sections: [
          {
            id: 'look',
            title: msg`Appearance`,
            fields: [
              { id: 'language', label: msg`Language`, keywords: msg`translation, German, English, Deutsch` },
              { id: 'theme', label: msg`Theme`, keywords: msg`dark, light, color, stylesheet, custom CSS` },
              { id: 'custom-css', label: msg`Custom CSS`, keywords: msg`own theme, stylesheet` },
              { id: 'page-size', label: msg`Videos per page`, keywords: msg`page size, pagination` },
              { id: 'columns', label: msg`Grid columns`, keywords: msg`grid size` },
              { id: 'file-sizes', label: msg`File sizes`, keywords: msg`units, binary, metric, GiB, GB` },
              { id: 'help', label: msg`Show help texts`, keywords: msg`hints` },
              { id: 'hide-watched', label: msg`Hide watched videos on the home page`, keywords: msg`seen` },
              { id: 'titles', label: msg`Titles`, keywords: msg`DeArrow, clickbait` },
              { id: 'thumbnails', label: msg`Thumbnails`, keywords: msg`DeArrow, clickbait` },
            ],
          },
        ],
      },
      {
        path: 'user/playback',
        name: msg`Playback`,
        keywords: msg`player`,
        sections: [
          {
            id: 'playback',
            title: msg`Playback`,
            fields: [
              { id: 'autoplay', label: msg`Autoplay next`, keywords: msg`up next, continue` },
              { id: 'keys', label: msg`Single-key shortcuts`, keywords: msg`keyboard, hotkeys` },
              { id: 'caption-size', label: msg`Caption size`, keywords: msg`subtitles` },
              { id: 'caption-color', label: msg`Caption color`, keywords: msg`subtitles` },
              { id: 'caption-background', label: msg`Caption background`, keywords: msg`subtitles` },
            ],
          },
          { id: 'segments', title: msg`SponsorBlock segments`, keywords: msg`skip, sponsor, intro, ads` },
        ],
      },
      {
        path: 'user/password',
        name: msg`Password and devices`,
        sections: [
          { id: 'password', title: msg`Password`, keywords: msg`login, OpenID, account` },
          { id: 'sessions', title: msg`Active sessions`, keywords: msg`browsers, devices, log out` },
        ],
      },
      {
        path: 'user/tokens',
        name: msg`Apps and API tokens`,
        sections: [
          { id: 'tokens', title: msg`App tokens`, keywords: msg`Kodi, Jellyfin, API key` },
          { id: 'assistants', title: msg`Connect an assistant`, keywords: msg`MCP, AI` },
          { id: 'api-token', title: msg`API token`, keywords: msg`browser extension, API key` },
        ],
      },
      {
        path: 'user/sharing',
        name: msg`Podcasts and share links`,
        sections: [
          { id: 'podcasts', title: msg`Podcast feeds`, keywords: msg`RSS, OPML, audio, listen, subscribe` },
          { id: 'shares', title: msg`Share links`, keywords: msg`public, guests, without an account` },
          {
            id: 'watch-sharing',
            title: msg`Watch state outside of Reelkeep`,
            fields: [
              {
                id: 'watch-state',
                label: msg`Allow library views and media servers to use my watch state`,
                keywords: msg`consent, Jellyfin, Plex, Emby, Kodi, NFO, watched, privacy`,
              },
            ],
          },
        ],
      },
    ],
  },
  {
    name: msg`Application`,
    isForStaff: true,
    pages: [
      {
        path: 'application',
        name: msg`Subscription scan`,
        sections: [
          {
            id: 'scan',
            title: msg`Subscription scan`,
            keywords: msg`subscriptions, channels, feeds, RSS`,
            keys: {
              subscriptions: [
                'auto_start',
                'channel_size',
                'live_channel_size',
                'shorts_channel_size',
                'playlist_size',
                'extract_flat',
              ],
              scans: ['feed_minutes'],
            },
          },
        ],
      },
      {
        path: 'application/rules',
        name: msg`Download rules`,
        sections: [
          {
            id: 'rules',
            title: msg`Download rules`,
            text: msg`Apply to all subscriptions, unless a channel or playlist has its own rules.`,
            keywords: msg`filters`,
            keys: {
              rules: [
                'title_include',
                'title_exclude',
                'min_seconds',
                'max_seconds',
                'published_after',
                'skip_members_only',
                'keep_newest',
                'keep_days',
              ],
            },
          },
        ],
      },
      {
        path: 'application/downloads',
        name: msg`Downloads`,
        sections: [
          {
            id: 'downloads',
            title: msg`Downloads`,
            keywords: msg`queue, bandwidth`,
            keys: {
              downloads: ['limit_speed', 'throttledratelimit', 'sleep_interval'],
              queue: ['at_once', 'per_site'],
            },
          },
        ],
      },
      {
        path: 'application/format',
        name: msg`Download format`,
        keywords: msg`quality, resolution, 4K, 1080p, codec`,
        sections: [
          {
            id: 'format',
            title: msg`Download format`,
            keywords: msg`quality, resolution, 4K, 1080p, codec`,
            keys: {
              downloads: ['format', 'format_sort', 'prefer_hdr', 'upgrade', 'extractor_lang', 'add_metadata', 'add_thumbnail'],
              queue: ['audio_only'],
            },
          },
          {
            id: 'live',
            title: msg`Live streams`,
            keywords: msg`live, record, stream, chat, premiere`,
            keys: { downloads: ['live', 'live_hours', 'live_chat'] },
          },
          {
            id: 'sounds',
            title: msg`Sound tracks`,
            keywords: msg`audio, languages, dubbed, translation`,
            keys: { downloads: ['audio_languages', 'audio_auto_dubs'] },
          },
          {
            id: 'copies',
            title: msg`Compatible copies`,
            keywords: msg`Safari, iPhone, TV, H.264, small`,
            keys: { downloads: ['small_copy'] },
          },
        ],
      },
      {
        path: 'application/subtitles',
        name: msg`Subtitles and comments`,
        sections: [
          {
            id: 'subtitles',
            title: msg`Subtitles`,
            keywords: msg`captions, transcript, speech`,
            keys: { downloads: ['subtitle', 'subtitle_source', 'subtitle_index'] },
          },
          { id: 'comments', title: msg`Comments`, keys: { downloads: ['comment_max', 'comment_sort', 'comment_index'] } },
        ],
      },
      {
        path: 'application/transcripts',
        name: msg`Transcripts`,
        sections: [
          {
            id: 'transcripts',
            title: msg`Transcripts`,
            text: msg`A speech model on this server writes what is said in videos without captions, so that the search finds it. Nothing leaves the server.`,
            keywords: msg`speech recognition, Whisper, captions, subtitles`,
            keys: { speech: ['transcribe'], background: ['hours'] },
          },
          {
            id: 'speech',
            title: msg`Speech engine and models`,
            keywords: msg`faster-whisper, CTranslate2`,
            keys: { speech: ['model', 'threads'] },
          },
          {
            id: 'meaning',
            title: msg`Search by meaning`,
            text: msg`A model on this server compares what is said with what is searched for. Nothing leaves the server.`,
            keywords: msg`semantic search, embeddings, similar, other languages, use-m3, multilingual-e5-small`,
            keys: { meaning: ['enabled', 'model'] },
          },
          {
            id: 'chapters',
            title: msg`Generated chapters`,
            text: msg`Videos without chapters of the site get some where the subject of the transcript changes, named by the most typical words. First the chapters of your own videos show how well that works.`,
            keywords: msg`sections, segments, table of contents`,
            keys: { chapters: ['generate'] },
          },
        ],
      },
      {
        path: 'application/cookie',
        name: msg`Cookie`,
        sections: [
          {
            id: 'cookie',
            title: msg`Cookie`,
            text: msg`For members-only, age-restricted or private videos. Export your browser’s cookies in Netscape format (cookies.txt) and paste them here. They are stored encrypted.`,
            keywords: msg`login, members only, age restriction, private videos, bot check`,
            keys: { queue: ['login_egress'] },
            fields: [{ id: 'cookie-file', label: msg`Cookie file`, keywords: msg`cookies.txt, Netscape` }],
          },
          {
            id: 'po-tokens',
            title: msg`Proof of origin`,
            text: msg`YouTube checks with PO tokens that a request comes from a browser.`,
            keywords: msg`PO token, bot check`,
            keys: { downloads: ['po_tokens', 'pot_provider_url', 'pot_provider_proxy'] },
            fields: [{ id: 'po-token', label: msg`PO token` }],
          },
        ],
      },
      {
        path: 'application/integrations',
        name: msg`Integrations`,
        sections: [
          {
            id: 'integrations',
            title: msg`Integrations`,
            text: msg`Each enabled service is queried for every video.`,
            keys: { downloads: ['integrate_ryd', 'integrate_sponsorblock', 'integrate_dearrow'], application: ['enable_cast'] },
          },
          {
            id: 'address',
            title: msg`Other devices`,
            text: msg`Podcast feeds, share links, M3U lists and QR codes contain this address. The first request through a reverse proxy sets it.`,
            keys: { application: ['address'] },
          },
          { id: 'api-token', title: msg`API token`, keywords: msg`browser extension, API key` },
          {
            id: 'membership',
            title: msg`Membership`,
            fields: [{ id: 'membership-token', label: msg`Membership token`, keywords: msg`TubeArchivist, sponsor` }],
          },
        ],
      },
      {
        path: 'application/storage',
        name: msg`Storage`,
        keywords: msg`disk, space`,
        sections: [
          {
            id: 'space',
            title: msg`Space`,
            keywords: msg`disk, free space, cleanup`,
            keys: { queue: ['reserve', 'quota', 'rendition_limit'] },
          },
          {
            id: 'cleanup',
            title: msg`Watched videos`,
            text: msg`Deletes watched videos, except those that are protected, in a custom playlist, or in progress for any user.`,
            keywords: msg`cleanup rule, free space`,
            keys: { downloads: ['autodelete_days', 'autodelete_min_size', 'autodelete_available_only'] },
          },
          { id: 'trash', title: msg`Trash`, keywords: msg`bin, recycle, deleted videos`, keys: { trash: ['days'] } },
          {
            id: 'snapshots',
            title: msg`Snapshots`,
            keywords: msg`database copy, backup`,
            keys: { application: ['enable_snapshot'] },
          },
        ],
      },
      {
        path: 'application/views',
        name: msg`Library views`,
        sections: [
          {
            id: 'views',
            title: msg`Library views`,
            keywords: msg`Jellyfin, Plex, Emby, Kodi, media server, NFO, hard links, file names, folders`,
          },
        ],
      },
      {
        path: 'application/media-servers',
        name: msg`Media servers`,
        sections: [
          {
            id: 'media-servers',
            title: msg`Media servers`,
            keywords: msg`Jellyfin, Plex, Emby, Kodi, library scan, watched state, sync, playlists, resume position`,
          },
        ],
      },
    ],
  },
  {
    name: msg`Scheduling`,
    isForStaff: true,
    pages: [
      {
        path: 'scheduling',
        name: msg`Tasks`,
        keywords: msg`schedules, cron, jobs, run now`,
        sections: [
          {
            id: 'schedules',
            title: msg`Tasks`,
            fields: Object.entries(listedTasks).map(([task, label]) => ({ id: taskAnchor(task), label })),
          },
        ],
      },
      {
        path: 'scheduling/history',
        name: msg`Task history`,
        keywords: msg`runs, log, results, problems`,
        sections: [],
      },
      {
        path: 'scheduling/notifications',
        name: msg`Notifications`,
        sections: [
          {
            id: 'notifications',
            title: msg`Notifications`,
            keywords: msg`Apprise, ntfy, email, Discord, Telegram, webhook`,
          },
        ],
      },
    ],
  },
  {
    name: msg`Actions`,
    isForStaff: true,
    pages: [
      {
        path: 'actions',
        name: msg`Import`,
        sections: [{ id: 'import', title: msg`Manual import`, keywords: msg`upload, add files, folder` }],
      },
      {
        path: 'actions/migrate',
        name: msg`Import from another program`,
        keywords: msg`migrate, Pinchflat, TubeSync, Youtarr, TubeArchivist, Takeout, NewPipe, LibreTube, FreeTube, Invidious, OPML, archive.txt, subscriptions, watch history`,
        sections: [
          { id: 'migrate', title: msg`Import from another program` },
          { id: 'past-imports', title: msg`Past imports`, keywords: msg`undo, report` },
        ],
      },
      {
        path: 'actions/backup',
        name: msg`Backup and restore`,
        sections: [
          { id: 'backups', title: msg`ZIP backup`, keywords: msg`restore, export, TubeArchivist` },
          { id: 'snapshots', title: msg`Snapshots`, keywords: msg`restore, undo, database copy` },
          { id: 'restore-points', title: msg`Restore points`, keywords: msg`restore, backups, snapshots` },
        ],
      },
      {
        path: 'actions/files',
        name: msg`Files`,
        sections: [
          { id: 'rescan', title: msg`Rescan filesystem`, keywords: msg`moved files, missing files, disk` },
          { id: 'thumbnails', title: msg`Embed thumbnails`, keywords: msg`cover, image` },
        ],
      },
    ],
  },
  {
    name: msg`System`,
    isForStaff: true,
    pages: [
      {
        path: 'health',
        name: msg`Health`,
        sections: [
          { id: 'checks', title: msg`System health`, keywords: msg`status, checks, disk, clock, problems` },
          { id: 'programs', title: msg`Programs for downloads`, keywords: msg`programs, Python, Node, yt-dlp-ejs, curl_cffi` },
        ],
      },
      {
        path: 'health/ytdlp',
        name: msg`yt-dlp`,
        sections: [
          {
            id: 'ytdlp',
            title: msg`yt-dlp`,
            keywords: msg`version, update, downloader`,
            keys: { ytdlp: ['updates', 'pinned'], downloads: ['player_client'] },
          },
        ],
      },
      {
        path: 'health/users',
        name: msg`Users`,
        keywords: msg`people, accounts, family`,
        sections: [
          { id: 'users', title: msg`Users`, keywords: msg`people, accounts, family, administrators` },
          { id: 'add-user', title: msg`Add user`, keywords: msg`new account, invite, people` },
        ],
      },
      {
        path: 'health/servers',
        name: msg`Servers`,
        isForNodes: true,
        sections: [{ id: 'servers', title: msg`Servers`, keywords: msg`nodes, workers, leader, drain, cluster` }],
      },
    ],
  },
];

/** For whom pages are listed. */
export interface SettingsViewer {
  isStaff: boolean;
  /** Whether several servers share the database. */
  hasNodes: boolean;
}

/** The groups with the pages that a user sees. */
export const groupsFor = ({ isStaff, hasNodes }: SettingsViewer): SettingsGroup[] =>
  settingsGroups
    .filter(({ isForStaff }) => isStaff || !isForStaff)
    .map((group) => ({ ...group, pages: group.pages.filter(({ isForNodes }) => hasNodes || !isForNodes) }));

/** Anchor of an application setting. */
export const settingAnchor = (section: string, name: string) => `${section}.${name}`;

export const pathOfSettings = (page: string, anchor?: string) => `/settings/${page}/${anchor ? `#${anchor}` : ''}`;

export const findPage = (path: string) =>
  settingsGroups.flatMap((group) => group.pages.map((page) => ({ group, page }))).find(({ page }) => page.path === path);

const anchorsOf = ({ keys = {}, fields = [] }: SettingsSection): string[] => [
  ...fields.map(({ id }) => id),
  ...Object.entries(keys).flatMap(([section, names]) => names.map((name) => settingAnchor(section, name))),
];

const hasAnchor = ({ sections }: SettingsPage, anchor: string) =>
  sections.some((section) => section.id === anchor || anchorsOf(section).includes(anchor));

/** Finds the page that an anchor has moved to; undefined if it is on this page or unknown. Pages of the same group come first. */
export function findMovedAnchor(path: string, anchor: string): string | undefined {
  const current = findPage(path);
  if (!current || hasAnchor(current.page, anchor)) return undefined;
  const all = settingsGroups.flatMap(({ pages }) => pages);
  return [...current.group.pages, ...all].find((page) => hasAnchor(page, anchor))?.path;
}
