// Generated from the OpenAPI document by `npm run docs:api`; do not edit.

export type Account = { id: number, name: string, is_superuser: boolean, is_staff: boolean, groups: number[], user_permissions: number[], last_login: string | null, may_share: boolean, may_transcribe: boolean, shares_watch_state: boolean, address: string };

export type Channel = { channel_id: string, channel_name: string, channel_active: boolean, channel_subscribed: boolean, channel_subs: number, channel_last_refresh: string, channel_description: string | null, channel_tags?: string[], channel_tabs: ("videos" | "streams" | "shorts")[], channel_thumb_url: string, channel_banner_url: string, channel_tvart_url: string, channel_art: ("thumb" | "banner" | "tvart")[], channel_overwrites?: { download_format: string | null, autodelete_days: number | null, autodelete_min_size: number | null, autodelete_available_only: boolean | null, index_playlists: boolean | null, integrate_sponsorblock: boolean | null, integrate_dearrow: boolean | null, subscriptions_channel_size: number | null, subscriptions_live_channel_size: number | null, subscriptions_shorts_channel_size: number | null, subscriptions_auto_start: boolean | null, upgrade: "off" | "ask" | "auto" | null, live: "wait" | "record" | null, live_chat: boolean | null, small_copy: "360" | "480" | "720" | "off" | null, audio_languages: string | null, audio_auto_dubs: boolean | null, transcribe: "off" | "request" | "missing" | null, transcribe_lang: string | null }, channel_videos?: number, channel_unwatched?: number, _index?: "ta_channel", _score?: number };

export type Check = { name: "ytdlp" | "python" | "runtime" | "solver" | "challenges" | "aes" | "impersonation" | "tokens" | "format" | "clients" | "ffmpeg" | "encoders" | "database" | "work" | "disk" | "folders" | "bucket" | "clock" | "speech" | "meaning" | "network" | "login" | "sites" | "sounds" | "files" | "copies", title: string, group: "programs" | "system", state: "good" | "warn" | "bad", text: string, messages: __schema0[], advice?: string, advice_messages?: __schema0[], action?: "install" | "update", command?: string };

export type Comment = { comment_id: string, comment_author: string, comment_author_id: string, comment_author_thumbnail: string, comment_text: string, comment_time_text: string, comment_timestamp: number, comment_likecount: number | null, comment_is_favorited: boolean, comment_author_is_uploader: boolean, comment_parent: string, comment_replies: Comment[] };

export type Denial = { detail: string };

export type Download = { youtube_id: string, title: string, channel_id: string, channel_name: string, channel_indexed: boolean, duration: string, published: string | null, timestamp: number | null, vid_type: "videos" | "streams" | "shorts" | "unknown", vid_thumb_url: string | null, status: "pending" | "ignore", auto_start: boolean, message?: string, failure_messages?: __schema0[], failure?: "blocked" | "rate-limited" | "cookie" | "members-only" | "age" | "private" | "gone" | "geo" | "not-yet" | "format" | "paid" | "disk-full" | "network" | "refused" | "incomplete" | "storage" | "ytdlp" | "challenge" | "token" | "sabr" | "impersonation" | "unknown", retry_at?: number, running: boolean, starts_at?: number, recording?: true, listed_only: boolean, duration_seconds: number | null, url: string, site: string, _index: "ta_download", _score: number };

export type Notification = { id: string, title: string, group: string, api_start: boolean, api_stop: boolean, api_pause?: boolean, level: "info" | "error", messages: string[], name?: string, lines?: __schema0[], downloads?: ({ youtube_id: string, title: string, stage: string, stage_messages: __schema0[], bytes: number | null, total_bytes: number | null, bytes_per_second: number | null, seconds_left: number | null })[], progress?: number, command?: "STOP" | "KILL" | "PAUSE" };

export type Paginate = { page_size: number, page_from: number, prev_pages: number[] | null, current_page: number, max_hits: boolean, params: string, last_page: number, next_pages: number[], total_hits: number };

export type Player = { watched: boolean, watched_date?: number, duration: number, duration_str: string, position?: number, progress?: number };

export type Playlist = { playlist_id: string, playlist_name: string, playlist_type: "regular" | "custom", playlist_active: boolean, playlist_subscribed: boolean, playlist_channel: string | null, playlist_channel_id: string | null, playlist_description: string | null, playlist_thumbnail: string, playlist_last_refresh: string, playlist_sort_order: "top" | "bottom", playlist_auto_start: boolean | null, playlist_owner: string | null, playlist_is_shared: boolean, playlist_can_edit: boolean, playlist_entries: ({ youtube_id: string, title: string, uploader: string | null, idx: number, downloaded: boolean })[], _index: "ta_playlist", _score: number };

export type PlaylistNav = { playlist_meta: { current_idx: number, playlist_id: string, playlist_name: string, playlist_channel: string | null }, playlist_previous: { youtube_id: string, title: string, uploader: string | null, idx: number, downloaded: boolean, vid_thumb: string } | null, playlist_next: { youtube_id: string, title: string, uploader: string | null, idx: number, downloaded: boolean, vid_thumb: string } | null };

export type Refusal = { error: string };

export type RulesPreview = { taken: number, left_out: number, archived: number, waiting: number, ignored: number, listed: number, reasons: { rule: string, sentence: string, count: number }[], examples: { youtube_id: string, title: string, state: string, sentence: string }[], expiring: { youtube_id: string, title: string, channel_name: string, media_size: number, reason: string, reason_messages: __schema0[] }[], expiring_total: number, expiring_size: number };

export type Schedule = { name: string, schedule: string, schedule_human: string, last_run_at: string | null, next_run_at: string, config: Record<string, number>, time_zone: string };

export type Sponsorblock = { is_enabled: boolean, last_refresh: number, has_unlocked?: boolean, segments: { UUID: string, category: string, actionType: string, segment: [number, number], videoDuration: number, votes: number, locked: number }[] };

export type Stream = { type: "video" | "audio", index: number, codec: string, bitrate: number, width?: number, height?: number, lufs?: number, true_peak?: number };

export type Subtitle = { ext: "json3" | "vtt", name: string, lang: string, source: "user" | "auto" | "file", media_url: string, url: string | null, is_generated?: true, generator?: string };

export type TaskReply = { message?: string, task_id: string, task_name?: string, status?: string, filename?: string };

export type TaskResult = { task_id: string, name: string, status: "PENDING" | "STARTED" | "SUCCESS" | "FAILURE" | "RETRY" | "REVOKED", result: string | null, traceback: string | null, date_done: string };

export type UserConfig = { stylesheet: string, page_size: number, sort_by: "published" | "downloaded" | "views" | "likes" | "duration" | "mediasize" | "width" | "height" | "title", sort_order: "asc" | "desc", view_style_home: "grid" | "list" | "table", view_style_channel: "grid" | "list" | "table", view_style_downloads: "grid" | "list" | "table", view_style_playlist: "grid" | "list" | "table", vid_type_filter: "videos" | "streams" | "shorts" | null, grid_items: number, hide_watched: boolean | null, hide_watched_channel: boolean | null, hide_watched_playlist: boolean | null, file_size_unit: "binary" | "metric", show_ignored_only: boolean, show_subed_only: boolean | null, show_subed_only_playlists: boolean | null, show_help_text: boolean, home_sections: string[], titles: "original" | "community", thumbnails: "original" | "community", custom_css: string | null };

export type Video = { youtube_id: string, title: string, description: string | null, published: string, date_downloaded: number, vid_last_refresh: string, active: boolean, category: string[], tags: string[], vid_type: "videos" | "streams" | "shorts", vid_thumb_url: string, media_url: string, media_size: number, comment_count: number | null, playlist: string[], channel: Channel, player: Player, stats: { view_count: number, like_count: number, dislike_count: number, average_rating: number }, streams: Stream[], subtitles: Subtitle[], sponsorblock: Sponsorblock | null, chapters: { title: string, start: number, end: number, is_generated?: true }[], is_protected: boolean, damage?: string, limited?: { failure: "blocked" | "rate-limited" | "cookie" | "members-only" | "age" | "private" | "gone" | "geo" | "not-yet" | "format" | "paid" | "disk-full" | "network" | "refused" | "incomplete" | "storage" | "ytdlp" | "challenge" | "token" | "sabr" | "impersonation" | "unknown", message: string, failure_messages: __schema0[] }, upgrade?: { height: number, fps: number | null, codec: string, dynamic_range: "sdr" | "pq" | "hlg" | null, size: number | null }, source_duration?: number, community_title?: string, community_thumb_url?: string, chat?: { source: "live" | "replay" | "merged", messages: number, is_complete: boolean }, recording?: { started_at: number | null, ended_early: "disk-full" | "too-long" | "stopped" | "no-more" | null, gaps: { start: number, seconds: number }[] }, music?: { artists: string[], album: string | null, track: string | null, year: number | null, is_edited: boolean }, source_url: string | null, storyboard_url: string | null, _index: "ta_video", _score: number };

export type __schema0 = { id: string, params?: Record<string, string | number | __schema0 | __schema0[] | { list: __schema0[] } | { at: number } | { day: number }> };

/** All calls: what is sent, and the reply (void: 204, or a file). */
export interface Api {
  /** Check that the archive is usable. */
  "GET /api/health/": { sent: {  }; reply: "OK" };
  /** Check that the process responds, without access to database or disk (Reelkeep). */
  "GET /livez/": { sent: {  }; reply: "OK" };
  /** Check that a load balancer may send requests: the database is reachable, the server has started and does not drain (Reelkeep). */
  "GET /readyz/": { sent: {  }; reply: "OK" };
  /** Check the login; returns the API version (`version`), the Reelkeep version and a newer release (`ta_update`). */
  "GET /api/ping/": { sent: {  }; reply: { response: "pong", user: number, version: string, reelkeep_version: string, ta_update: { status: boolean, version: string, is_breaking: boolean, notes_url?: string } | null, community: { name: string, url: string }[] } };
  /** List the servers that share the database; empty for a single server (Reelkeep). */
  "GET /api/node/": { sent: {  }; reply: ({ name: string, is_this: boolean, role: "all" | "web" | "worker", egress: string, version: string, ytdlp: string | null, is_leader: boolean, is_alive: boolean, is_draining: boolean, runs: { id: string, name: string, title: string }[], downloads: number, problems: string[], problem_messages: __schema0[], started_at: number, seen_at: number })[] };
  /** Drain a server, or stop draining it (Reelkeep). */
  "POST /api/node/{name}/": { sent: { params: { name: string }; body: { is_draining: boolean } }; reply: void };
  /** Remove a server that has ended from the list (Reelkeep). */
  "DELETE /api/node/{name}/": { sent: { params: { name: string } }; reply: void };
  /** Log in; sets the session and CSRF cookies. A generated password is rejected with `must_choose_password` (Reelkeep) unless `new_password` (Reelkeep) is sent, which replaces it. */
  "POST /api/user/login/": { sent: { body: { username: string, password: string, remember_me?: "on" | "off", new_password?: string } }; reply: void };
  /** List the login methods (Reelkeep). */
  "GET /api/user/login-methods/": { sent: {  }; reply: { password: boolean, oidc: string | null, logout_url: string | null, awaits_first_login: boolean } };
  /** Redirect to the OpenID provider for a login (Reelkeep). */
  "GET /api/user/oidc/": { sent: { query?: { next?: string } }; reply: void };
  /** Redirect to the OpenID provider for reauthentication as the same user (Reelkeep). */
  "GET /api/user/oidc/reauthenticate/": { sent: { query?: { next?: string } }; reply: void };
  /** Create a URL that links the account with a login at the OpenID provider (Reelkeep). */
  "POST /api/user/oidc/link/": { sent: { body?: { next?: string } }; reply: { address: string } };
  /** Complete a login at the OpenID provider (Reelkeep). */
  "GET /api/user/oidc/callback/": { sent: {  }; reply: void };
  /** Log out of this session. */
  "POST /api/user/logout/": { sent: {  }; reply: void };
  /** Change the caller's password, if they have one in Reelkeep. Ends all of their other sessions, and with `end_access` their API tokens, podcast feeds, share links and signed links (Reelkeep). */
  "POST /api/user/password/": { sent: { body: { current: string, next: string, end_access?: boolean | string | number } }; reply: void };
  /** Get the size above which deletions must be confirmed in `X-Reelkeep-Confirm`, and the kind of confirmation (Reelkeep). */
  "GET /api/user/confirm/": { sent: {  }; reply: { by: "password" | "number", videos: number, media_size: number } };
  /** Get the caller's account. */
  "GET /api/user/account/": { sent: {  }; reply: Account };
  /** Allow or forbid library views and media servers to use the caller's watch states (Reelkeep). */
  "POST /api/user/watch-sharing/": { sent: { body: { shares_watch_state: boolean | string | number } }; reply: void };
  /** Get the caller's settings. */
  "GET /api/user/me/": { sent: {  }; reply: UserConfig };
  /** Update the caller's settings. */
  "POST /api/user/me/": { sent: { body?: { stylesheet?: string, page_size?: number | string, sort_by?: "published" | "downloaded" | "views" | "likes" | "duration" | "mediasize" | "width" | "height" | "title", sort_order?: "asc" | "desc", view_style_home?: "grid" | "list" | "table", view_style_channel?: "grid" | "list" | "table", view_style_downloads?: "grid" | "list" | "table", view_style_playlist?: "grid" | "list" | "table", vid_type_filter?: "videos" | "streams" | "shorts" | null, grid_items?: number | string, hide_watched?: boolean | string | number | null, hide_watched_channel?: boolean | string | number | null, hide_watched_playlist?: boolean | string | number | null, file_size_unit?: "binary" | "metric", show_ignored_only?: boolean | string | number, show_subed_only?: boolean | string | number | null, show_subed_only_playlists?: boolean | string | number | null, show_help_text?: boolean | string | number, home_sections?: string[], titles?: "original" | "community", thumbnails?: "original" | "community", custom_css?: string | null } }; reply: UserConfig };
  /** List users (Reelkeep). */
  "GET /api/users/": { sent: {  }; reply: ({ id: number, name: string, is_staff: boolean, is_disabled: boolean, may_share: boolean, may_transcribe: boolean, has_password: boolean, created: number, last_login: number | null, sessions: number, tokens: number, watched: number, notes: number })[] };
  /** Create a user. Without a password one is generated, and returned only once (Reelkeep). */
  "POST /api/users/": { sent: { body: { username: string, password?: string | null, is_staff?: boolean | string | number } }; reply: { user: { id: number, name: string, is_staff: boolean, is_disabled: boolean, may_share: boolean, may_transcribe: boolean, has_password: boolean, created: number, last_login: number | null, sessions: number, tokens: number, watched: number, notes: number }, password: string | null } };
  /** Grant or revoke the staff role or the permission to share, or disable or enable an account; not of the caller, and not of the last staff account (Reelkeep). */
  "POST /api/users/{id}/": { sent: { params: { id: number | string }; body?: { is_staff?: boolean | string | number, is_disabled?: boolean | string | number, may_share?: boolean | string | number, may_transcribe?: boolean | string | number } }; reply: { id: number, name: string, is_staff: boolean, is_disabled: boolean, may_share: boolean, may_transcribe: boolean, has_password: boolean, created: number, last_login: number | null, sessions: number, tokens: number, watched: number, notes: number } };
  /** Delete a user with their watch states, notes and settings; no videos are deleted (Reelkeep). */
  "DELETE /api/users/{id}/": { sent: { params: { id: number | string } }; reply: { name: string, watched: number, sessions: number, tokens: number } };
  /** Reset the password of a user. Ends their sessions and revokes their tokens and links (Reelkeep). */
  "POST /api/users/{id}/password/": { sent: { params: { id: number | string }; body?: { password?: string | null } }; reply: { password: string | null } };
  /** List the caller's sessions (Reelkeep). */
  "GET /api/user/sessions/": { sent: {  }; reply: { id: string, is_this: boolean, browser: string, address: string, began: number, seen: number, ends: number }[] };
  /** End all of the caller's other sessions (Reelkeep). */
  "DELETE /api/user/sessions/": { sent: {  }; reply: { ended: number } };
  /** End one of the caller's sessions (Reelkeep). */
  "DELETE /api/user/sessions/{id}/": { sent: { params: { id: string } }; reply: void };
  /** List the caller's named API tokens (Reelkeep). */
  "GET /api/user/tokens/": { sent: {  }; reply: ({ id: number, name: string, created: number, last_used: number | null, expires: number | null, scopes: ("read" | "watch" | "download" | "notes" | "staff")[] })[] };
  /** Create a named API token, returned only once. Its scopes limit it to reading, saving watch states, adding to the queue, or (`staff`) all rights of the caller except managing tokens, users and passwords (Reelkeep). */
  "POST /api/user/tokens/": { sent: { body: { name: string, days?: number | string | null, scopes?: ("read" | "watch" | "download" | "notes" | "staff")[] } }; reply: { id: number, name: string, created: number, last_used: number | null, expires: number | null, scopes: ("read" | "watch" | "download" | "notes" | "staff")[], token: string } };
  /** Revoke a named API token (Reelkeep). */
  "DELETE /api/user/tokens/{id}/": { sent: { params: { id: number | string } }; reply: void };
  /** List videos, newest first. */
  "GET /api/video/": { sent: { query?: { page?: number | string; playlist?: string; channel?: string; watch?: "watched" | "unwatched" | "continue"; sort?: "published" | "downloaded" | "views" | "likes" | "duration" | "mediasize" | "width" | "height" | "title"; order?: "asc" | "desc"; type?: "videos" | "streams" | "shorts"; height?: number | string; from?: string; to?: string; min_duration?: number | string; max_duration?: number | string; downloaded_from?: string; downloaded_to?: string; incompatible?: "remux" | "redownload"; tag?: string; artist?: string; album?: string; own_tag?: unknown & unknown; subtitles?: string; codec?: string; min_size?: number | string; max_size?: number | string; transcript?: boolean | string | number; damaged?: boolean | string | number; limited?: boolean | string | number; subscribed?: boolean | string | number; active?: boolean | string | number; cleanup?: "watched" | "unopened" | "any" } }; reply: { data: Video[], paginate: Paginate } };
  /** List the videos of a channel (path of TubeArchivist before 0.5). */
  "GET /api/channel/{id}/video/": { sent: { params: { id: string }; query?: { page?: number | string; playlist?: string; channel?: string; watch?: "watched" | "unwatched" | "continue"; sort?: "published" | "downloaded" | "views" | "likes" | "duration" | "mediasize" | "width" | "height" | "title"; order?: "asc" | "desc"; type?: "videos" | "streams" | "shorts"; height?: number | string; from?: string; to?: string; min_duration?: number | string; max_duration?: number | string; downloaded_from?: string; downloaded_to?: string; incompatible?: "remux" | "redownload"; tag?: string; artist?: string; album?: string; own_tag?: unknown & unknown; subtitles?: string; codec?: string; min_size?: number | string; max_size?: number | string; transcript?: boolean | string | number; damaged?: boolean | string | number; limited?: boolean | string | number; subscribed?: boolean | string | number; active?: boolean | string | number; cleanup?: "watched" | "unopened" | "any" } }; reply: { data: Video[], paginate: Paginate } };
  /** List the videos of a playlist (path of TubeArchivist before 0.5). */
  "GET /api/playlist/{id}/video/": { sent: { params: { id: string }; query?: { page?: number | string; playlist?: string; channel?: string; watch?: "watched" | "unwatched" | "continue"; sort?: "published" | "downloaded" | "views" | "likes" | "duration" | "mediasize" | "width" | "height" | "title"; order?: "asc" | "desc"; type?: "videos" | "streams" | "shorts"; height?: number | string; from?: string; to?: string; min_duration?: number | string; max_duration?: number | string; downloaded_from?: string; downloaded_to?: string; incompatible?: "remux" | "redownload"; tag?: string; artist?: string; album?: string; own_tag?: unknown & unknown; subtitles?: string; codec?: string; min_size?: number | string; max_size?: number | string; transcript?: boolean | string | number; damaged?: boolean | string | number; limited?: boolean | string | number; subscribed?: boolean | string | number; active?: boolean | string | number; cleanup?: "watched" | "unopened" | "any" } }; reply: { data: Video[], paginate: Paginate } };
  /** List codecs, subtitle languages and tags with their numbers of videos; of tags the 50 most used, or of those that start with `tag` (Reelkeep). */
  "GET /api/video/facets/": { sent: { query?: { tag?: string } }; reply: { tags: { value: string, videos: number }[], subtitles: { value: string, videos: number }[], codecs: { value: string, videos: number }[] } };
  /** Get a video. */
  "GET /api/video/{id}/": { sent: { params: { id: string } }; reply: Video };
  /** Delete a video and its files; `ignore` (Reelkeep) prevents another download. */
  "DELETE /api/video/{id}/": { sent: { params: { id: string }; query?: { ignore?: boolean | string | number } }; reply: void };
  /** Protect a video from cleanup rules, or remove the protection (Reelkeep). */
  "POST /api/video/{id}/protect/": { sent: { params: { id: string }; body: { is_protected: boolean | string | number } }; reply: { is_protected: boolean } };
  /** Delete several videos and their files; missing videos are skipped (Reelkeep). */
  "POST /api/video/delete/": { sent: { body: { ids: string[] } }; reply: { videos: number } };
  /** Save the caller's position; near the end the video is marked as watched automatically. */
  "POST /api/video/{id}/progress/": { sent: { params: { id: string }; body?: { position?: number | string } }; reply: Player };
  /** Delete the caller's position. */
  "DELETE /api/video/{id}/progress/": { sent: { params: { id: string } }; reply: void };
  /** Create signed URLs of a video for external players. They need no login and are valid for the duration of the video plus six hours, at least one day (Reelkeep). */
  "GET /api/video/{id}/link/": { sent: { params: { id: string } }; reply: { media_url: string, vid_thumb_url: string, subtitles: { lang: string, name: string, media_url: string }[], expires: number } };
  /** Remux the file of a video to MP4 in the background, without re-encoding (Reelkeep). */
  "POST /api/video/{id}/remux/": { sent: { params: { id: string } }; reply: TaskReply };
  /** Set artists, album, track and year of a video, which a refresh does not change then; `null` restores what the source says (Reelkeep). */
  "POST /api/video/{id}/music/": { sent: { params: { id: string }; body: { music: { artists: string[], album: string | null, track: string | null, year: number | null } | null } }; reply: { music: { artists: string[], album: string | null, track: string | null, year: number | null, is_edited: boolean } | null } };
  /** Measure the loudness of the sound tracks of a video again, in the background (Reelkeep). */
  "POST /api/video/{id}/loudness/": { sent: { params: { id: string } }; reply: TaskReply };
  /** Fetch sound tracks in more languages for archived videos, in the background; missing videos are skipped (Reelkeep). */
  "POST /api/video/sounds/": { sent: { body: { audio_languages: unknown & unknown, audio_auto_dubs?: boolean | string | number, ids: string[] } }; reply: TaskReply };
  /** Download a video again in the better quality, or the other length, that its source has, in the background; the file before goes to the trash, or becomes a video of its own (keep_both). Or decline that quality (Reelkeep). */
  "POST /api/video/{id}/upgrade/": { sent: { params: { id: string }; body: { action: "replace" | "keep_both" | "decline" } }; reply: void };
  /** Fetch copies of archived videos as H.264 and AAC, which play everywhere, in the background; videos that play everywhere or have one are skipped (Reelkeep). */
  "POST /api/video/copies/": { sent: { body: { ids: string[] } }; reply: TaskReply };
  /** List the 100 largest compatible copies, with number and size of all (Reelkeep). */
  "GET /api/video/copies/": { sent: {  }; reply: { count: number, media_size: number, data: { youtube_id: string, title: string, channel_name: string, height: number, media_size: number, fetched_at: number }[] } };
  /** Delete compatible copies permanently; the videos keep their files. Returns number and size of the deleted copies (Reelkeep). */
  "POST /api/video/copies/delete/": { sent: { body: { ids: string[] } }; reply: { count: number, media_size: number } };
  /** Get the chat of a stream or premiere with the list of its parts, of five minutes each (Reelkeep). */
  "GET /api/video/{id}/chat/": { sent: { params: { id: string } }; reply: { source: "live" | "replay" | "merged", messages: number, is_complete: boolean, fetched_at: number, chunks: { n: number, from_ms: number, to_ms: number, messages: number }[] } };
  /** Fetch the replay of the chat of a stream or premiere of YouTube in the background, and merge it with the present chat (Reelkeep). */
  "POST /api/video/{id}/chat/": { sent: { params: { id: string } }; reply: TaskReply };
  /** Get the messages of one part of a chat as JSON lines (Reelkeep). */
  "GET /api/video/{id}/chat/{n}/": { sent: { params: { id: string; n: number | string } }; reply: void };
  /** Find messages of a chat by their text or author, the first 200 of them (Reelkeep). */
  "GET /api/video/{id}/chat/search/": { sent: { params: { id: string }; query: { query: string } }; reply: { matches: { t: number, name: string, text: string }[], has_more: boolean } };
  /** Download a chat as JSON lines or as captions in WebVTT (Reelkeep). */
  "GET /api/video/{id}/chat/export/": { sent: { params: { id: string }; query?: { format?: "jsonl" | "vtt" } }; reply: void };
  /** List up to six similar videos. */
  "GET /api/video/{id}/similar/": { sent: { params: { id: string } }; reply: Video[] };
  /** List the comments of a video with their replies. */
  "GET /api/video/{id}/comment/": { sent: { params: { id: string } }; reply: Comment[] };
  /** Get the previous and next videos in the playlists of a video. */
  "GET /api/video/{id}/nav/": { sent: { params: { id: string } }; reply: PlaylistNav[] };
  /** Mark a video, or all videos of a channel or playlist, as watched or unwatched for the caller. */
  "POST /api/watched/": { sent: { body: { id: string, is_watched: boolean | string | number } }; reply: { id: string, is_watched: boolean } };
  /** Count the videos that match a filter, with their total size (Reelkeep). */
  "GET /api/video/bulk/": { sent: { query?: { playlist?: string; channel?: string; watch?: "watched" | "unwatched" | "continue"; sort?: "published" | "downloaded" | "views" | "likes" | "duration" | "mediasize" | "width" | "height" | "title"; order?: "asc" | "desc"; type?: "videos" | "streams" | "shorts"; height?: number | string; from?: string; to?: string; min_duration?: number | string; max_duration?: number | string; downloaded_from?: string; downloaded_to?: string; incompatible?: "remux" | "redownload"; tag?: string; artist?: string; album?: string; own_tag?: unknown & unknown; subtitles?: string; codec?: string; min_size?: number | string; max_size?: number | string; transcript?: boolean | string | number; damaged?: boolean | string | number; limited?: boolean | string | number; subscribed?: boolean | string | number; active?: boolean | string | number; cleanup?: "watched" | "unopened" | "any" } }; reply: { videos: number, media_size: number } };
  /** Mark all matching videos as watched or unwatched for the caller; returns their number and an undo token that is valid for two minutes (Reelkeep). */
  "POST /api/video/bulk/watched/": { sent: { query?: { playlist?: string; channel?: string; watch?: "watched" | "unwatched" | "continue"; sort?: "published" | "downloaded" | "views" | "likes" | "duration" | "mediasize" | "width" | "height" | "title"; order?: "asc" | "desc"; type?: "videos" | "streams" | "shorts"; height?: number | string; from?: string; to?: string; min_duration?: number | string; max_duration?: number | string; downloaded_from?: string; downloaded_to?: string; incompatible?: "remux" | "redownload"; tag?: string; artist?: string; album?: string; own_tag?: unknown & unknown; subtitles?: string; codec?: string; min_size?: number | string; max_size?: number | string; transcript?: boolean | string | number; damaged?: boolean | string | number; limited?: boolean | string | number; subscribed?: boolean | string | number; active?: boolean | string | number; cleanup?: "watched" | "unopened" | "any" }; body: { is_watched: boolean | string | number } }; reply: { videos: number, undo: string } };
  /** Undo the caller’s last bulk mark: restores dates and positions, except for videos that changed since (Reelkeep). */
  "POST /api/video/bulk/undo/": { sent: { body: { undo: string } }; reply: { videos: number } };
  /** Add all matching videos to a custom playlist, in the order of the list; returns the number of new entries (Reelkeep). */
  "POST /api/video/bulk/playlist/": { sent: { query?: { playlist?: string; channel?: string; watch?: "watched" | "unwatched" | "continue"; sort?: "published" | "downloaded" | "views" | "likes" | "duration" | "mediasize" | "width" | "height" | "title"; order?: "asc" | "desc"; type?: "videos" | "streams" | "shorts"; height?: number | string; from?: string; to?: string; min_duration?: number | string; max_duration?: number | string; downloaded_from?: string; downloaded_to?: string; incompatible?: "remux" | "redownload"; tag?: string; artist?: string; album?: string; own_tag?: unknown & unknown; subtitles?: string; codec?: string; min_size?: number | string; max_size?: number | string; transcript?: boolean | string | number; damaged?: boolean | string | number; limited?: boolean | string | number; subscribed?: boolean | string | number; active?: boolean | string | number; cleanup?: "watched" | "unopened" | "any" }; body: { playlist_id: string } }; reply: { videos: number } };
  /** Add a private tag of the caller to all matching videos; returns the number of those without it before (Reelkeep). */
  "POST /api/video/bulk/tag/": { sent: { query?: { playlist?: string; channel?: string; watch?: "watched" | "unwatched" | "continue"; sort?: "published" | "downloaded" | "views" | "likes" | "duration" | "mediasize" | "width" | "height" | "title"; order?: "asc" | "desc"; type?: "videos" | "streams" | "shorts"; height?: number | string; from?: string; to?: string; min_duration?: number | string; max_duration?: number | string; downloaded_from?: string; downloaded_to?: string; incompatible?: "remux" | "redownload"; tag?: string; artist?: string; album?: string; own_tag?: unknown & unknown; subtitles?: string; codec?: string; min_size?: number | string; max_size?: number | string; transcript?: boolean | string | number; damaged?: boolean | string | number; limited?: boolean | string | number; subscribed?: boolean | string | number; active?: boolean | string | number; cleanup?: "watched" | "unopened" | "any" }; body: { tag: unknown & unknown } }; reply: { videos: number } };
  /** Protect all matching videos from cleanup rules, or remove the protection; returns their number (Reelkeep). */
  "POST /api/video/bulk/protect/": { sent: { query?: { playlist?: string; channel?: string; watch?: "watched" | "unwatched" | "continue"; sort?: "published" | "downloaded" | "views" | "likes" | "duration" | "mediasize" | "width" | "height" | "title"; order?: "asc" | "desc"; type?: "videos" | "streams" | "shorts"; height?: number | string; from?: string; to?: string; min_duration?: number | string; max_duration?: number | string; downloaded_from?: string; downloaded_to?: string; incompatible?: "remux" | "redownload"; tag?: string; artist?: string; album?: string; own_tag?: unknown & unknown; subtitles?: string; codec?: string; min_size?: number | string; max_size?: number | string; transcript?: boolean | string | number; damaged?: boolean | string | number; limited?: boolean | string | number; subscribed?: boolean | string | number; active?: boolean | string | number; cleanup?: "watched" | "unopened" | "any" }; body: { is_protected: boolean | string | number } }; reply: { videos: number } };
  /** Download all matching videos again; returns the number of videos that can be downloaded (Reelkeep). */
  "POST /api/video/bulk/redownload/": { sent: { query?: { playlist?: string; channel?: string; watch?: "watched" | "unwatched" | "continue"; sort?: "published" | "downloaded" | "views" | "likes" | "duration" | "mediasize" | "width" | "height" | "title"; order?: "asc" | "desc"; type?: "videos" | "streams" | "shorts"; height?: number | string; from?: string; to?: string; min_duration?: number | string; max_duration?: number | string; downloaded_from?: string; downloaded_to?: string; incompatible?: "remux" | "redownload"; tag?: string; artist?: string; album?: string; own_tag?: unknown & unknown; subtitles?: string; codec?: string; min_size?: number | string; max_size?: number | string; transcript?: boolean | string | number; damaged?: boolean | string | number; limited?: boolean | string | number; subscribed?: boolean | string | number; active?: boolean | string | number; cleanup?: "watched" | "unopened" | "any" } }; reply: { videos: number } };
  /** Fetch sound tracks in more languages for all matching videos, in the background (Reelkeep). */
  "POST /api/video/bulk/sounds/": { sent: { query?: { playlist?: string; channel?: string; watch?: "watched" | "unwatched" | "continue"; sort?: "published" | "downloaded" | "views" | "likes" | "duration" | "mediasize" | "width" | "height" | "title"; order?: "asc" | "desc"; type?: "videos" | "streams" | "shorts"; height?: number | string; from?: string; to?: string; min_duration?: number | string; max_duration?: number | string; downloaded_from?: string; downloaded_to?: string; incompatible?: "remux" | "redownload"; tag?: string; artist?: string; album?: string; own_tag?: unknown & unknown; subtitles?: string; codec?: string; min_size?: number | string; max_size?: number | string; transcript?: boolean | string | number; damaged?: boolean | string | number; limited?: boolean | string | number; subscribed?: boolean | string | number; active?: boolean | string | number; cleanup?: "watched" | "unopened" | "any" }; body: { audio_languages: unknown & unknown, audio_auto_dubs?: boolean | string | number } }; reply: TaskReply };
  /** Delete all matching videos in the background. `videos` is their expected number; the request is rejected if more match (Reelkeep). */
  "POST /api/video/bulk/delete/": { sent: { query?: { playlist?: string; channel?: string; watch?: "watched" | "unwatched" | "continue"; sort?: "published" | "downloaded" | "views" | "likes" | "duration" | "mediasize" | "width" | "height" | "title"; order?: "asc" | "desc"; type?: "videos" | "streams" | "shorts"; height?: number | string; from?: string; to?: string; min_duration?: number | string; max_duration?: number | string; downloaded_from?: string; downloaded_to?: string; incompatible?: "remux" | "redownload"; tag?: string; artist?: string; album?: string; own_tag?: unknown & unknown; subtitles?: string; codec?: string; min_size?: number | string; max_size?: number | string; transcript?: boolean | string | number; damaged?: boolean | string | number; limited?: boolean | string | number; subscribed?: boolean | string | number; active?: boolean | string | number; cleanup?: "watched" | "unopened" | "any" }; body: { videos: number | string, ignore?: boolean | string | number } }; reply: TaskReply };
  /** List the audio tracks of a video (Reelkeep). */
  "GET /api/video/{id}/audio/": { sent: { params: { id: string } }; reply: ({ index: number, language: string | null, title: string | null, kind: "original" | "default" | "dub" | "auto_dub" | "description" | "unknown" | null, codec: string, channels: number, is_default: boolean })[] };
  /** Request the audio of a video, or the video with another audio track (`track`, a stream index). Missing files are rendered; a request is dropped if it is not repeated within two minutes (Reelkeep). */
  "POST /api/video/{id}/rendition/": { sent: { params: { id: string }; body?: { track?: number | string, picture?: boolean | string | number } }; reply: { state: "file" | "ready" | "making" | "impossible", media_url: string | null, why: string | null, why_messages: __schema0[] | null } };
  /** Choose how a browser plays a video: the file, or a copy in another container, which is made on request; a request is dropped if it is not repeated within two minutes (Reelkeep). */
  "POST /api/video/{id}/playback/": { sent: { params: { id: string }; body: { can: { video: ({ codec: string, containers: ("mp4" | "webm" | "x-matroska" | "ogg" | "mpeg" | "flac")[], max_height?: number | string })[], audio: ({ codec: string, containers: ("mp4" | "webm" | "x-matroska" | "ogg" | "mpeg" | "flac")[] })[], hdr: boolean | string | number, hls?: boolean | string | number }, track?: number | string, height?: number | string, previous_failed?: ("direct" | "repack" | "convert_sound" | "small" | "hls")[] } }; reply: { method: "direct" | "repack" | "convert_sound" | "small" | "hls" | "none", media_url: string | null, reasons: string[], reason_messages: __schema0[], height: number | null, heights: number[] } };
  /** List the caller's notes: those of a video by time, otherwise newest first (Reelkeep). */
  "GET /api/note/": { sent: { query?: { page?: number | string; video?: string; kind?: "note" | "bookmark" | "highlight"; tag?: unknown & unknown; query?: string } }; reply: { data: ({ id: number, kind: "note" | "bookmark" | "highlight", video: string, start: number | null, end: number | null, text: string, quote: string | null, quote_lang: string | null, tags: string[], created: number, updated: number, revision: number, video_title: string, channel_name: string, url: string | null, is_archived: boolean })[], paginate: Paginate } };
  /** Add a note, bookmark or highlight to a video (Reelkeep). */
  "POST /api/note/": { sent: { body: { video: string, kind?: "note" | "bookmark" | "highlight", start?: number | string | null, end?: number | string | null, text?: string, quote?: string | null, quote_lang?: string | null, tags?: (unknown & unknown)[] } }; reply: { id: number, kind: "note" | "bookmark" | "highlight", video: string, start: number | null, end: number | null, text: string, quote: string | null, quote_lang: string | null, tags: string[], created: number, updated: number, revision: number, video_title: string, channel_name: string, url: string | null, is_archived: boolean } };
  /** Change a note of the caller (Reelkeep). */
  "PATCH /api/note/{id}/": { sent: { params: { id: number | string }; body: { revision: number, text?: string, start?: number | string | null, end?: number | string | null, tags?: (unknown & unknown)[] } }; reply: { id: number, kind: "note" | "bookmark" | "highlight", video: string, start: number | null, end: number | null, text: string, quote: string | null, quote_lang: string | null, tags: string[], created: number, updated: number, revision: number, video_title: string, channel_name: string, url: string | null, is_archived: boolean } };
  /** Delete a note of the caller (Reelkeep). */
  "DELETE /api/note/{id}/": { sent: { params: { id: number | string } }; reply: void };
  /** Download the caller's notes: a ZIP with a Markdown file for each video, or JSON (Reelkeep). */
  "GET /api/note/export/": { sent: { query?: { format?: "markdown" | "json"; since?: number | string } }; reply: void };
  /** List the caller's clips, newest first (Reelkeep). */
  "GET /api/clip/": { sent: { query?: { page?: number | string; video?: string } }; reply: { data: ({ id: number, video: string, video_title: string, start: number, end: number, mode: "copy" | "exact", state: "queued" | "running" | "done" | "failed" | "removed", actual_start: number | null, size: number | null, progress: number | null, media_url: string | null, why: string | null, why_messages: __schema0[] | null, created: number })[], paginate: Paginate } };
  /** Make a clip of half a second to 10 minutes; an existing one with the same part and mode is returned, and made again if it has no file (Reelkeep). */
  "POST /api/clip/": { sent: { body: { video: string, start: number | string, end: number | string, mode: "copy" | "exact" } }; reply: { id: number, video: string, video_title: string, start: number, end: number, mode: "copy" | "exact", state: "queued" | "running" | "done" | "failed" | "removed", actual_start: number | null, size: number | null, progress: number | null, media_url: string | null, why: string | null, why_messages: __schema0[] | null, created: number } };
  /** Show a clip of the caller (Reelkeep). */
  "GET /api/clip/{id}/": { sent: { params: { id: number | string } }; reply: { id: number, video: string, video_title: string, start: number, end: number, mode: "copy" | "exact", state: "queued" | "running" | "done" | "failed" | "removed", actual_start: number | null, size: number | null, progress: number | null, media_url: string | null, why: string | null, why_messages: __schema0[] | null, created: number } };
  /** Delete a clip of the caller and its file (Reelkeep). */
  "DELETE /api/clip/{id}/": { sent: { params: { id: number | string } }; reply: void };
  /** List the caller's private tags by name (Reelkeep). */
  "GET /api/tag/": { sent: { query?: { video?: string; channel?: string } }; reply: { name: string, videos: number, channels: number, notes: number }[] };
  /** Create a private tag, rename it, or add it to and remove it from videos, channels and notes (Reelkeep). */
  "PUT /api/tag/{name}/": { sent: { params: { name: unknown & unknown }; body?: { name?: unknown & unknown, add?: { video?: string[], channel?: string[], note?: (number | string)[] }, remove?: { video?: string[], channel?: string[], note?: (number | string)[] } } }; reply: { name: string, videos: number, channels: number, notes: number, added: { video: string[], channel: string[], note: number[] } } };
  /** Delete a private tag; what has it stays (Reelkeep). */
  "DELETE /api/tag/{name}/": { sent: { params: { name: unknown & unknown } }; reply: void };
  /** List the albums of archived music by name. Those of several artists with one name are on one page, which is longer then (Reelkeep). */
  "GET /api/album/": { sent: { query?: { page?: number | string } }; reply: { data: ({ album: string, artist: string | null, videos: number, year_from: number | null, year_to: number | null, youtube_id: string, vid_thumb_url: string, playlist: string | null })[], paginate: Paginate } };
  /** Show the speech engine, its models and what is left to transcribe (Reelkeep). */
  "GET /api/speech/": { sent: {  }; reply: { engine: { version: string | null, previous: string | null, is_configured: boolean, has_update: boolean }, models: ({ name: string, bytes: number, is_english_only: boolean, problem: string | null, problem_messages: __schema0[] | null })[], folder: string, problem: string | null, problem_messages: __schema0[] | null, videos: number, seconds: number, speed: number | null, nights: number | null } };
  /** Install or update the speech engine, or roll it back (Reelkeep). */
  "POST /api/speech/engine/": { sent: { body: { action: "install" | "rollback" } }; reply: { task_id: string | null } };
  /** Download a speech model (Reelkeep). */
  "POST /api/speech/model/": { sent: { body: { name: "base" | "small" | "medium" | "large-v3-turbo" } }; reply: { task_id: string } };
  /** Transcribe ten seconds of English with a speech model, which takes up to a minute (Reelkeep). */
  "POST /api/speech/test/": { sent: { body: { name: string } }; reply: { text: string, speed: number, memory: number } };
  /** Show whether a transcript of a video is being made; needs the permission to request transcripts (Reelkeep). */
  "GET /api/video/{id}/transcribe/": { sent: { params: { id: string } }; reply: { state: "none" | "captions" | "queued" | "running" | "done" | "no_speech" | "failed", done: number, why: string | null, why_messages: __schema0[] | null, work: number | null, starts_at: number | null, lines: { start: number, end: number, text: string }[] } };
  /** Request a transcript of a video without captions; needs the permission to request transcripts, `now` an administrator (Reelkeep). */
  "POST /api/video/{id}/transcribe/": { sent: { params: { id: string }; body?: { lang?: unknown & unknown, now?: boolean } }; reply: { state: "none" | "captions" | "queued" | "running" | "done" | "no_speech" | "failed", done: number, why: string | null, why_messages: __schema0[] | null, work: number | null, starts_at: number | null, lines: { start: number, end: number, text: string }[] } };
  /** Delete a generated transcript (Reelkeep). */
  "DELETE /api/video/{id}/transcript/{lang}/": { sent: { params: { id: string; lang: string } }; reply: void };
  /** Show the index of the search by meaning (Reelkeep). */
  "GET /api/meaning/": { sent: {  }; reply: { engine: { version: string | null, previous: string | null, is_configured: boolean, has_update: boolean }, model: "use-m3" | "e5", active_model: "use-m3" | "e5", problem: string | null, problem_messages: __schema0[] | null, videos: number, queue: number, passages: number, bytes: number, is_full: boolean, uncovered: { videos: number, languages: string[], covered_by: "use-m3" | "e5" | null }, starts_at: number | null } };
  /** Say whether similar moments can be found for a video: the search by meaning is on and has its transcript (Reelkeep). */
  "GET /api/meaning/video/{id}/": { sent: { params: { id: string } }; reply: { is_indexed: boolean } };
  /** Install or update the chosen model of the search by meaning, or roll it back (Reelkeep). */
  "POST /api/meaning/engine/": { sent: { body: { action: "install" | "rollback" } }; reply: { task_id: string | null } };
  /** Delete the index of the search by meaning and build it again (Reelkeep). */
  "POST /api/meaning/rebuild/": { sent: {  }; reply: { task_id: string } };
  /** Show how well chapters can be generated in this archive, and how many are (Reelkeep). */
  "GET /api/chapters/": { sent: {  }; reply: { evaluation: { videos: number, found: number, even: number, model: string, evaluated_at: number } | null, is_evaluating: boolean, problem: string | null, problem_messages: __schema0[] | null, videos: number, queue: number } };
  /** Compare generated chapters with those of the sites, in videos that have both (Reelkeep). */
  "POST /api/chapters/evaluation/": { sent: {  }; reply: { task_id: string } };
  /** List the caller's and shared smart lists by name, 100 per page (Reelkeep). */
  "GET /api/list/": { sent: { query?: { page?: number | string } }; reply: { data: { id: number, name: string, filter: Record<string, string>, is_shared: boolean, is_own: boolean, owner: string, visited: number, new_videos: number }[], paginate: Paginate } };
  /** Save a filter, sort and order as a smart list (Reelkeep). */
  "POST /api/list/": { sent: { body: { name: string, filter: Record<string, string>, is_shared?: boolean | string | number } }; reply: { id: number, name: string, filter: Record<string, string>, is_shared: boolean, is_own: boolean, owner: string, visited: number, new_videos: number } };
  /** Get a smart list (Reelkeep). */
  "GET /api/list/{id}/": { sent: { params: { id: number | string } }; reply: { id: number, name: string, filter: Record<string, string>, is_shared: boolean, is_own: boolean, owner: string, visited: number, new_videos: number } };
  /** Update the name, filter or visibility of a smart list of the caller (Reelkeep). */
  "POST /api/list/{id}/": { sent: { params: { id: number | string }; body?: { name?: string, filter?: Record<string, string>, is_shared?: boolean | string | number } }; reply: { id: number, name: string, filter: Record<string, string>, is_shared: boolean, is_own: boolean, owner: string, visited: number, new_videos: number } };
  /** Delete a smart list of the caller; its videos are kept (Reelkeep). */
  "DELETE /api/list/{id}/": { sent: { params: { id: number | string } }; reply: void };
  /** Record a visit of the caller, which resets the number of new videos (Reelkeep). */
  "POST /api/list/{id}/visit/": { sent: { params: { id: number | string } }; reply: void };
  /** Get the sections of the caller's home page; `since` (epoch seconds, default a week ago) is the last visit, after which subscriptions count as new (Reelkeep). */
  "GET /api/home/": { sent: { query?: { since?: number | string } }; reply: { sections: ({ section: string, list: { id: number, name: string } | null, videos: string[] })[], data: Video[], is_empty: boolean, needs_setup: boolean } };
  /** List the caller's podcast feeds (Reelkeep). */
  "GET /api/podcast/": { sent: {  }; reply: ({ id: number, type: "channel" | "playlist" | "smart-list" | "new", target: string | null, media: "audio" | "video", name: string | null, url: string | null, created: number, last_used: number | null })[] };
  /** Create a podcast feed of a channel, a playlist, a smart list or everything new. An existing feed is returned (Reelkeep). */
  "POST /api/podcast/": { sent: { body: { type: "channel" | "playlist" | "smart-list" | "new", id?: string | number, media: "audio" | "video" } }; reply: { id: number, url: string } };
  /** Revoke a podcast feed of the caller (Reelkeep). */
  "DELETE /api/podcast/{id}/": { sent: { params: { id: number | string } }; reply: void };
  /** Export the addresses of the caller's podcast feeds (Reelkeep). */
  "GET /api/podcast/opml/": { sent: {  }; reply: void };
  /** Get a podcast feed, 1,000 episodes per page; `sound`: audio in this language where a video has it (Reelkeep). */
  "GET /podcast/{secret}/feed.xml/": { sent: { params: { secret: string }; query?: { page?: number | string; sound?: string } }; reply: void };
  /** Get the artwork of a podcast feed (Reelkeep). */
  "GET /podcast/{secret}/cover.jpg/": { sent: { params: { secret: string } }; reply: void };
  /** Get a file of an episode: audio, video, picture, chapters or transcript. Audio is prepared on request (Reelkeep). */
  "GET /podcast/{secret}/{video}/{signature}/{name}/": { sent: { params: { secret: string; video: string; signature: string; name: string } }; reply: void };
  /** List the caller's share links, newest first; for staff, those of all users (Reelkeep). */
  "GET /api/share/": { sent: { query?: { page?: number | string } }; reply: { data: ({ id: number, type: "video" | "playlist", target: string, name: string | null, url: string | null, owner: string, is_own: boolean, has_password: boolean, download: boolean, expires: number | null, state: "active" | "expired" | "off", views: number, last_viewed: number | null, created: number })[], paginate: Paginate } };
  /** Share a video or playlist with people without an account. Requires the permission to share (Reelkeep). */
  "POST /api/share/": { sent: { body: { type: "video" | "playlist", id: string, expires: number | string | null, password?: string | null, download?: boolean | string | number } }; reply: { id: number, url: string } };
  /** Revoke a share link of the caller; staff may revoke any (Reelkeep). */
  "DELETE /api/share/{id}/": { sent: { params: { id: number | string } }; reply: void };
  /** Get the content of a share link, 50 videos per page (Reelkeep). */
  "POST /api/share/{secret}/open/": { sent: { params: { secret: string }; body?: { password?: string, page?: number | string } }; reply: { type: "video" | "playlist", name: string, expires: number | null, download: boolean, total: number, videos: ({ id: string, title: string, channel: string, description: string | null, published: number, duration: number, is_audio: boolean, media_url: string, thumb_url: string, subtitles: { lang: string, name: string, url: string }[], chapters: { title: string, start: number, end: number, is_generated?: true }[] })[], m3u_url: string } };
  /** Show the page of a share link. Players, which do not accept HTML, are redirected to its media (Reelkeep). */
  "GET /shared/{secret}/": { sent: { params: { secret: string } }; reply: void };
  /** Get the playlist of a share link for players (Reelkeep). */
  "GET /shared/{secret}/{access}/list.m3u8/": { sent: { params: { secret: string; access: string } }; reply: void };
  /** Get a file of a shared video (Reelkeep). */
  "GET /shared/{secret}/{access}/{video}/{name}/": { sent: { params: { secret: string; access: string; video: string; name: string }; query?: { download?: string } }; reply: void };
  /** Get the videos of a channel as M3U with signed URLs that need no login; `Content-Location` is the signed address of the list itself (Reelkeep). */
  "GET /api/channel/{id}/m3u/": { sent: { params: { id: string } }; reply: void };
  /** Get the videos of a playlist as M3U with signed URLs that need no login; `Content-Location` is the signed address of the list itself (Reelkeep). */
  "GET /api/playlist/{id}/m3u/": { sent: { params: { id: string } }; reply: void };
  /** Get the M3U at its signed address (Reelkeep). */
  "GET /m3u/{type}/{name}/": { sent: { params: { type: "channel" | "playlist" | "list"; name: string } }; reply: void };
  /** Get the videos of a smart list as M3U with signed URLs that need no login; `Content-Location` is the signed address of the list itself (Reelkeep). */
  "GET /api/list/{id}/m3u/": { sent: { params: { id: number | string } }; reply: void };
  /** List channels by name; `q` (part of the name or handle) and `sort` are of Reelkeep. */
  "GET /api/channel/": { sent: { query?: { page?: number | string; filter?: "subscribed" | "unsubscribed"; q?: string; own_tag?: unknown & unknown; sort?: "name" | "videos" | "unwatched" | "added" } }; reply: { data: Channel[], paginate: Paginate } };
  /** Subscribe to channels or unsubscribe from them. */
  "POST /api/channel/": { sent: { body: { data: ({ channel_id: string, channel_subscribed: boolean | string | number })[], auto_start?: boolean | string | number, back_catalogue?: "none" | "newest" | "all" } }; reply: { data: { channel_id: string, channel_subscribed: boolean }[], task_id?: string } };
  /** Find an archived channel by ID, URL or handle. For staff, the site is queried if the database has no match. */
  "GET /api/channel/search/": { sent: { query: { q: string } }; reply: Channel };
  /** Get a channel. */
  "GET /api/channel/{id}/": { sent: { params: { id: string } }; reply: Channel };
  /** Subscribe to a channel, unsubscribe from it, or update its overrides. */
  "POST /api/channel/{id}/": { sent: { params: { id: string }; body?: { channel_subscribed?: boolean | string | number, channel_overwrites?: { download_format?: string | null, autodelete_days?: number | string | null, autodelete_min_size?: number | string | null, autodelete_available_only?: boolean | string | number | null, index_playlists?: boolean | string | number | null, integrate_sponsorblock?: boolean | string | number | null, integrate_dearrow?: boolean | string | number | null, subscriptions_channel_size?: number | string | null, subscriptions_live_channel_size?: number | string | null, subscriptions_shorts_channel_size?: number | string | null, subscriptions_auto_start?: boolean | string | number | null, upgrade?: "off" | "ask" | "auto" | null, live?: "wait" | "record" | null, live_chat?: boolean | string | number | null, small_copy?: "360" | "480" | "720" | "off" | null, audio_languages?: unknown & unknown | null, audio_auto_dubs?: boolean | string | number | null, transcribe?: "off" | "request" | "missing" | null, transcribe_lang?: unknown & unknown | null }, back_catalogue?: "none" | "newest" | "all" } }; reply: { channel_subscribed?: boolean, channel_overwrites?: { download_format: string | null, autodelete_days: number | null, autodelete_min_size: number | null, autodelete_available_only: boolean | null, index_playlists: boolean | null, integrate_sponsorblock: boolean | null, integrate_dearrow: boolean | null, subscriptions_channel_size: number | null, subscriptions_live_channel_size: number | null, subscriptions_shorts_channel_size: number | null, subscriptions_auto_start: boolean | null, upgrade: "off" | "ask" | "auto" | null, live: "wait" | "record" | null, live_chat: boolean | null, small_copy: "360" | "480" | "720" | "off" | null, audio_languages: string | null, audio_auto_dubs: boolean | null, transcribe: "off" | "request" | "missing" | null, transcribe_lang: string | null } } };
  /** Delete a channel with all its videos and files. */
  "DELETE /api/channel/{id}/": { sent: { params: { id: string } }; reply: void };
  /** Get the number, total size and total duration of the videos of a channel. */
  "GET /api/channel/{id}/aggs/": { sent: { params: { id: string } }; reply: { total_items: { value: number }, total_size: { value: number }, total_duration: { value: number, value_str: string } } };
  /** Get the non-empty tabs of a channel. */
  "GET /api/channel/{id}/nav/": { sent: { params: { id: string } }; reply: { has_pending: boolean, has_ignored: boolean, has_playlists: boolean, has_videos: boolean, has_streams: boolean, has_shorts: boolean } };
  /** List playlists by name. */
  "GET /api/playlist/": { sent: { query?: { page?: number | string; channel?: string; subscribed?: boolean | string | number; type?: "regular" | "custom" } }; reply: { data: Playlist[], paginate: Paginate } };
  /** Subscribe to playlists. */
  "POST /api/playlist/": { sent: { body: { data: ({ playlist_id: string, playlist_subscribed: boolean | string | number })[], auto_start?: boolean | string | number, back_catalogue?: "none" | "newest" | "all" } }; reply: TaskReply };
  /** Create a custom playlist; only its creator sees it unless it is shared. */
  "POST /api/playlist/custom/": { sent: { body: { playlist_name: string, is_shared?: boolean | string | number } }; reply: Playlist };
  /** Add, remove or move a video in a custom playlist. */
  "POST /api/playlist/custom/{id}/": { sent: { params: { id: string }; body: { action: "create" | "remove" | "up" | "down" | "top" | "bottom", video_id: string } }; reply: Playlist };
  /** Share a custom playlist of the caller with all users, or make it private (Reelkeep). */
  "POST /api/playlist/custom/{id}/sharing/": { sent: { params: { id: string }; body: { is_shared: boolean | string | number } }; reply: Playlist };
  /** Get a playlist with its entries. */
  "GET /api/playlist/{id}/": { sent: { params: { id: string } }; reply: Playlist };
  /** Subscribe to a playlist, unsubscribe from it, or set its sort order. */
  "POST /api/playlist/{id}/": { sent: { params: { id: string }; body?: { playlist_subscribed?: boolean | string | number, playlist_sort_order?: "top" | "bottom", playlist_auto_start?: boolean | string | number | null, back_catalogue?: "none" | "newest" | "all" } }; reply: Playlist };
  /** Delete a playlist; `delete_videos` also deletes its videos. Users without the staff role may delete their own playlists. */
  "DELETE /api/playlist/{id}/": { sent: { params: { id: string }; query?: { delete_videos?: boolean | string | number } }; reply: void };
  /** Search titles, spoken words, chapters, descriptions, comments and tags together, by words or by meaning. */
  "GET /api/search/moments/": { sent: { query?: { query?: string; in?: string; mode?: "words" | "meaning" | "both"; video?: string; channel?: string; playlist?: string; tag?: string; lang?: string; after?: string; before?: string; min_duration?: number | string; max_duration?: number | string; type?: "videos" | "streams" | "shorts"; watched?: boolean | string | number; page?: number | string } }; reply: { videos: ({ youtube_id: string, title: string, channel: string, channel_id: string, thumb: string, community_title?: string, community_thumb_url?: string, published: string, duration: number, score: number, more: number, moments: ({ kind: "title" | "spoken" | "chapter" | "description" | "comment" | "note" | "tag" | "screen", start: number | null, end: number | null, lang: string | null, is_generated: boolean, text: string, ranges: [number, number][], is_similar: boolean, is_former: boolean, comment_id: string | null, note_id: number | null, author: string | null, picture: { sheet_url: string, sheet_width: number, x: number, y: number, width: number, height: number } | null })[] })[], has_more: boolean, counts: Record<string, number>, notices: __schema0[], notice_texts: string[], corrections: { word: string, instead: string }[], has_meaning: boolean } };
  /** Find passages similar in meaning to a passage of a video, in any language (Reelkeep). */
  "GET /api/search/moments/similar/": { sent: { query: { video: string; t: number | string } }; reply: { source: { youtube_id: string, title: string, channel: string, channel_id: string, thumb: string, community_title?: string, community_thumb_url?: string, published: string, duration: number, score: number, more: number, moments: ({ kind: "title" | "spoken" | "chapter" | "description" | "comment" | "note" | "tag" | "screen", start: number | null, end: number | null, lang: string | null, is_generated: boolean, text: string, ranges: [number, number][], is_similar: boolean, is_former: boolean, comment_id: string | null, note_id: number | null, author: string | null, picture: { sheet_url: string, sheet_width: number, x: number, y: number, width: number, height: number } | null })[] }, videos: ({ youtube_id: string, title: string, channel: string, channel_id: string, thumb: string, community_title?: string, community_thumb_url?: string, published: string, duration: number, score: number, more: number, moments: ({ kind: "title" | "spoken" | "chapter" | "description" | "comment" | "note" | "tag" | "screen", start: number | null, end: number | null, lang: string | null, is_generated: boolean, text: string, ranges: [number, number][], is_similar: boolean, is_former: boolean, comment_id: string | null, note_id: number | null, author: string | null, picture: { sheet_url: string, sheet_width: number, x: number, y: number, width: number, height: number } | null })[] })[], notices: __schema0[], notice_texts: string[] } };
  /** Search titles, channels, playlists and transcripts. */
  "GET /api/search/": { sent: { query?: { query?: string; page?: number | string; from?: string; to?: string; min_duration?: number | string; max_duration?: number | string; type?: "videos" | "streams" | "shorts"; watched?: boolean | string | number; t_from?: number | string; t_to?: number | string } }; reply: { results: { video_results: Video[], channel_results: Channel[], playlist_results: Playlist[], fulltext_results: ({ youtube_id: string, title: string, subtitle_channel: string, subtitle_channel_id: string, subtitle_lang: string, subtitle_source: string, subtitle_index: number, subtitle_fragment_id: string, subtitle_start: string, subtitle_end: string, subtitle_line: string, subtitle_last_refresh: number, vid_thumb_url: string, subtitle_hit_start: string, subtitle_picture: { sheet_url: string, sheet_width: number, x: number, y: number, width: number, height: number } | null, subtitle_before: string[], subtitle_after: string[], _index: "ta_subtitle", _score: number })[] }, queryType: "simple" | "video" | "channel" | "playlist" | "full", has_more: boolean, corrections: { word: string, instead: string }[] } };
  /** Model Context Protocol for assistants, over streamable HTTP (docs/mcp.md). */
  "POST /mcp/": { sent: { body?: {  } | {  }[] }; reply: unknown };
  /** List the trash (Reelkeep). */
  "GET /api/trash/": { sent: { query?: { page?: number | string } }; reply: { data: ({ id: number, youtube_id: string, title: string, channel_id: string, channel_name: string, media_size: number, is_replaced_file: boolean, thumb_url: string, deleted: number, deleted_by: string | null, reason: string | null, reason_messages: __schema0[] | null, purge_at: number })[], paginate: Paginate, total_size: number, days: number } };
  /** Restore videos from the trash, or delete them permanently (Reelkeep). */
  "POST /api/trash/": { sent: { body: { action: "restore" | "delete", ids: (number | string)[] } }; reply: { done: number, refused: ({ id: number | string, error: string, messages: __schema0[] })[] } };
  /** Empty the trash (Reelkeep). */
  "DELETE /api/trash/": { sent: {  }; reply: { deleted: number, media_size: number } };
  /** Get the thumbnail of a deleted video (Reelkeep). */
  "GET /api/trash/{id}/thumbnail/": { sent: { params: { id: number | string } }; reply: void };
  /** List the download queue. */
  "GET /api/download/": { sent: { query?: { page?: number | string; channel?: string; vid_type?: "videos" | "streams" | "shorts"; filter?: "pending" | "ignore"; q?: string; error?: boolean | string | number; live?: boolean | string | number } }; reply: { data: Download[], paginate: Paginate } };
  /** Add videos, channels or playlists to the queue. */
  "POST /api/download/": { sent: { query?: { autostart?: boolean | string | number; flat?: boolean | string | number; force?: boolean | string | number }; body: { data: ({ youtube_id: string, status?: "pending" | "ignore-force" })[] } }; reply: TaskReply };
  /** Update all matching queue items. */
  "PATCH /api/download/": { sent: { query: { channel?: string; vid_type?: "videos" | "streams" | "shorts"; filter: "pending" | "ignore" | "priority"; q?: string; error?: boolean | string | number }; body: { status: "pending" | "ignore" | "priority" | "clear_error" | "later" } }; reply: void };
  /** Remove all matching queue items. */
  "DELETE /api/download/": { sent: { query: { channel?: string; vid_type?: "videos" | "streams" | "shorts"; filter: "pending" | "ignore"; q?: string; error?: boolean | string | number } }; reply: void };
  /** List the channels with the most queue items. `key` is in lower case, `channel_name` (Reelkeep) is the original name. */
  "GET /api/download/aggs/": { sent: { query: { channel?: string; vid_type?: "videos" | "streams" | "shorts"; filter: "pending" | "ignore" } }; reply: { doc_count_error_upper_bound: 0, sum_other_doc_count: number, buckets: { key: string[], key_as_string: string, doc_count: number, channel_name: string }[] } };
  /** Get the progress of the queue with the estimated size and completion time (Reelkeep). */
  "GET /api/download/outlook/": { sent: {  }; reply: { waiting: number, listed_only: number, failed: number, running: boolean, done: number, bytes_left: number | null, done_about: number | null } };
  /** List site cooldowns (Reelkeep). */
  "GET /api/download/cooldowns/": { sent: {  }; reply: ({ site: string, egress: string, until: number, failure: "blocked" | "rate-limited" | "cookie" | "members-only" | "age" | "private" | "gone" | "geo" | "not-yet" | "format" | "paid" | "disk-full" | "network" | "refused" | "incomplete" | "storage" | "ytdlp" | "challenge" | "token" | "sabr" | "impersonation" | "unknown", message: string, failure_messages: __schema0[], times: number })[] };
  /** End the cooldown of a site (Reelkeep). */
  "DELETE /api/download/cooldowns/{site}/": { sent: { params: { site: string } }; reply: void };
  /** Get a queue item. */
  "GET /api/download/{id}/": { sent: { params: { id: string } }; reply: Download };
  /** Update a queue item. */
  "POST /api/download/{id}/": { sent: { params: { id: string }; body: { status: "pending" | "ignore" | "ignore-force" | "priority" | "later" } }; reply: { status: string } };
  /** Remove a queue item. */
  "DELETE /api/download/{id}/": { sent: { params: { id: string } }; reply: void };
  /** Get what links, IDs and @handles point to; sites are asked in the background until 15 s after the last request (Reelkeep). */
  "POST /api/resolve/": { sent: { body: { text: string } }; reply: { items: ({ text: string, url: string, what: "video" | "channel" | "playlist" | "page", id: string | null, state: "archived" | "queued" | "ignored" | "subscribed" | "known" | "new", name: string | null, channel_name: string | null, picture: string | null, count: number | null, count_is_more: boolean, duration_seconds: number | null, estimated_bytes: number | null, lookup: "done" | "running" | "failed" | "skipped", problem: { message: string, messages: __schema0[], failure: "blocked" | "rate-limited" | "cookie" | "members-only" | "age" | "private" | "gone" | "geo" | "not-yet" | "format" | "paid" | "disk-full" | "network" | "refused" | "incomplete" | "storage" | "ytdlp" | "challenge" | "token" | "sabr" | "impersonation" | "unknown" | null } | null })[], total: number, invalid: { line: string, message: string, messages: __schema0[] }[], invalid_total: number } };
  /** List notifications of running tasks. */
  "GET /api/notification/": { sent: { query?: { filter?: "download" | "settings" | "channel" } }; reply: Notification[] };
  /** List results of all tasks. */
  "GET /api/task/by-name/": { sent: {  }; reply: TaskResult[] };
  /** List results of a task. */
  "GET /api/task/by-name/{name}/": { sent: { params: { name: string } }; reply: TaskResult[] };
  /** Start a task. */
  "POST /api/task/by-name/{name}/": { sent: { params: { name: string } }; reply: TaskReply };
  /** Start a task (path of TubeArchivist before 0.5). */
  "POST /api/task-name/{name}/": { sent: { params: { name: string } }; reply: TaskReply };
  /** Get the result of a run. */
  "GET /api/task/by-id/{id}/": { sent: { params: { id: string } }; reply: TaskResult };
  /** Stop a run; `pause` and `resume` (Reelkeep) require `api_pause` in its notification. */
  "POST /api/task/by-id/{id}/": { sent: { params: { id: string }; body: { command: "stop" | "kill" | "pause" | "resume" } }; reply: void };
  /** List task runs, newest first: the last 30 days, at most 500 (Reelkeep). */
  "GET /api/task/runs/": { sent: { query?: { page?: number | string; name?: string; problems?: "true" | "false" } }; reply: { data: ({ id: string, name: string, title: string, status: "waiting" | "running" | "success" | "failure" | "stopped", queued: number, started: number | null, ended: number | null, result: string | null, result_messages: __schema0[] | null, problems: number, new: number, left_out: number })[], paginate: Paginate } };
  /** Get a task run with its log (Reelkeep). */
  "GET /api/task/runs/{id}/": { sent: { params: { id: string } }; reply: { id: string, name: string, title: string, status: "waiting" | "running" | "success" | "failure" | "stopped", queued: number, started: number | null, ended: number | null, result: string | null, result_messages: __schema0[] | null, problems: number, new: number, left_out: number, notes: ({ kind: "problem" | "new" | "left-out" | "step", at: number, what: string, why: string | null, what_messages: __schema0[] | null, why_messages: __schema0[] | null, words: string | null, youtube_id: string | null, place: "archive" | "queue" | "ignored" | null })[] } };
  /** List notification URLs by task. Secrets are masked; users who are not staff get only the scheme. */
  "GET /api/task/notification/": { sent: {  }; reply: Record<string, { urls: string[], title: string, targets: { id: number, url: string }[] }> };
  /** Add a notification URL for a task or an event (video.archived, video.failed, video.gone, subscription.new, task.failed). */
  "POST /api/task/notification/": { sent: { body: { task_name: string, url: string } }; reply: Record<string, { urls: string[], title: string, targets: { id: number, url: string }[] }> };
  /** Remove one notification URL of a task, or all of them. `url` may be complete or masked. */
  "DELETE /api/task/notification/": { sent: { body: { task_name: string, url?: string | null, id?: number | string | null } }; reply: void };
  /** Send a test notification to a URL. */
  "POST /api/task/notification/test/": { sent: { body: { url: string, task_name?: string | null } }; reply: { success: boolean, message: string, messages: __schema0[] } };
  /** List schedules. */
  "GET /api/task/schedule/": { sent: {  }; reply: Schedule[] };
  /** List the tasks with their schedules and last runs (Reelkeep). */
  "GET /api/task/overview/": { sent: {  }; reply: { time_zone: string, tasks: ({ name: string, title: string, can_start: boolean, can_schedule: boolean, options: Record<string, { initial: number, min: number, max: number }>, schedule: Schedule | null, next_run_at: string | null, last_run: { id: string, name: string, title: string, status: "waiting" | "running" | "success" | "failure" | "stopped", queued: number, started: number | null, ended: number | null, result: string | null, result_messages: __schema0[] | null, problems: number, new: number, left_out: number } | null })[] } };
  /** Check a schedule and get the time of its next run (Reelkeep). */
  "GET /api/task/schedule-preview/": { sent: { query: { schedule: string } }; reply: { next_run_at: string } };
  /** Get the schedule of a task. */
  "GET /api/task/schedule/{name}/": { sent: { params: { name: string } }; reply: Schedule };
  /** Create or update the schedule of a task. */
  "POST /api/task/schedule/{name}/": { sent: { params: { name: string }; body?: { schedule?: string | null, config?: Record<string, unknown> | null } }; reply: Schedule };
  /** Delete the schedule of a task. */
  "DELETE /api/task/schedule/{name}/": { sent: { params: { name: string } }; reply: void };
  /** Get the rules of a channel (Reelkeep). */
  "GET /api/channel/{id}/rules/": { sent: { params: { id: string } }; reply: { own: { title_include?: string | null, title_exclude?: string | null, min_seconds?: number | null, max_seconds?: number | null, published_after?: string | null, skip_members_only?: boolean, keep_newest?: number | null, keep_days?: number | null }, effective: { title_include?: string | null, title_exclude?: string | null, min_seconds?: number | null, max_seconds?: number | null, published_after?: string | null, skip_members_only?: boolean, keep_newest?: number | null, keep_days?: number | null } } };
  /** Set the rules of a channel (Reelkeep). */
  "PUT /api/channel/{id}/rules/": { sent: { params: { id: string }; body?: { title_include?: string | null, title_exclude?: string | null, min_seconds?: number | string | null, max_seconds?: number | string | null, published_after?: string | null, skip_members_only?: boolean | string | number, keep_newest?: number | string | null, keep_days?: number | string | null } }; reply: { own: { title_include?: string | null, title_exclude?: string | null, min_seconds?: number | null, max_seconds?: number | null, published_after?: string | null, skip_members_only?: boolean, keep_newest?: number | null, keep_days?: number | null }, effective: { title_include?: string | null, title_exclude?: string | null, min_seconds?: number | null, max_seconds?: number | null, published_after?: string | null, skip_members_only?: boolean, keep_newest?: number | null, keep_days?: number | null } } };
  /** Preview which videos of a channel the rules would download, skip and delete (Reelkeep). */
  "POST /api/channel/{id}/rules/preview/": { sent: { params: { id: string }; body?: { title_include?: string | null, title_exclude?: string | null, min_seconds?: number | string | null, max_seconds?: number | string | null, published_after?: string | null, skip_members_only?: boolean | string | number, keep_newest?: number | string | null, keep_days?: number | string | null } }; reply: RulesPreview };
  /** Get the rules of a playlist (Reelkeep). */
  "GET /api/playlist/{id}/rules/": { sent: { params: { id: string } }; reply: { own: { title_include?: string | null, title_exclude?: string | null, min_seconds?: number | null, max_seconds?: number | null, published_after?: string | null, skip_members_only?: boolean, keep_newest?: number | null, keep_days?: number | null }, effective: { title_include?: string | null, title_exclude?: string | null, min_seconds?: number | null, max_seconds?: number | null, published_after?: string | null, skip_members_only?: boolean, keep_newest?: number | null, keep_days?: number | null } } };
  /** Set the rules of a playlist (Reelkeep). */
  "PUT /api/playlist/{id}/rules/": { sent: { params: { id: string }; body?: { title_include?: string | null, title_exclude?: string | null, min_seconds?: number | string | null, max_seconds?: number | string | null, published_after?: string | null, skip_members_only?: boolean | string | number, keep_newest?: number | string | null, keep_days?: number | string | null } }; reply: { own: { title_include?: string | null, title_exclude?: string | null, min_seconds?: number | null, max_seconds?: number | null, published_after?: string | null, skip_members_only?: boolean, keep_newest?: number | null, keep_days?: number | null }, effective: { title_include?: string | null, title_exclude?: string | null, min_seconds?: number | null, max_seconds?: number | null, published_after?: string | null, skip_members_only?: boolean, keep_newest?: number | null, keep_days?: number | null } } };
  /** Preview which videos of a playlist the rules would download and skip (Reelkeep). */
  "POST /api/playlist/{id}/rules/preview/": { sent: { params: { id: string }; body?: { title_include?: string | null, title_exclude?: string | null, min_seconds?: number | string | null, max_seconds?: number | string | null, published_after?: string | null, skip_members_only?: boolean | string | number, keep_newest?: number | string | null, keep_days?: number | string | null } }; reply: RulesPreview };
  /** List the videos that the rules would delete now, at most 1000 (Reelkeep). */
  "GET /api/video/expiring/": { sent: {  }; reply: { data: { youtube_id: string, title: string, channel_name: string, media_size: number, reason: string, reason_messages: __schema0[] }[], total: number, media_size: number } };
  /** List the watched videos that a rule would delete now in the archive or in one channel, at most 100 (Reelkeep). */
  "POST /api/video/expiring/preview/": { sent: { body: { autodelete_days: number | string, autodelete_min_size: number | string, autodelete_available_only: boolean | string | number, channel?: string } }; reply: { data: { youtube_id: string, title: string, channel_name: string, media_size: number, reason: string, reason_messages: __schema0[] }[], total: number, media_size: number } };
  /** Get the state of the metadata refresh queue. */
  "GET /api/refresh/": { sent: { query?: { type?: "video" | "channel" | "playlist"; id?: string } }; reply: { state: "running" | "empty" | "in_queue" | false, total_queued: number } };
  /** Refresh the metadata of videos, channels or playlists; without IDs, of all that are due. */
  "POST /api/refresh/": { sent: { query?: { extract_videos?: boolean | string | number }; body?: { video?: string[], channel?: string[], playlist?: string[] } | null }; reply: TaskReply };
  /** List earlier titles, descriptions and thumbnails of a video, newest first (Reelkeep). */
  "GET /api/video/{id}/history/": { sent: { params: { id: string } }; reply: ({ what: "title" | "description" | "thumbnail", until: number, value: string })[] };
  /** Compare the archive with the files on disk. */
  "POST /api/appsettings/rescan-filesystem/": { sent: { body?: { ignore_error?: boolean | string | number, prefer_local?: boolean | string | number, dry_run?: boolean | string | number } }; reply: TaskReply };
  /** List what lies in the import folder (Reelkeep). */
  "GET /api/appsettings/manual-import/": { sent: {  }; reply: { folder: string, names: string[], count: number, is_more: boolean } };
  /** Import the videos in the import folder. */
  "POST /api/appsettings/manual-import/": { sent: { body?: { ignore_error?: boolean | string | number, prefer_local?: boolean | string | number, leave_files?: boolean | string | number, dry_run?: boolean | string | number } }; reply: TaskReply };
  /** Upload a video or one of its metadata files to the import folder as application/octet-stream (Reelkeep). */
  "PUT /api/appsettings/manual-import/{filename}/": { sent: { params: { filename: string } }; reply: void };
  /** List imports from other programs, newest first, and the files and folders to import from (Reelkeep). */
  "GET /api/migrate/": { sent: {  }; reply: { folders: string[], entries: { path: string, is_folder: boolean }[], migrations: ({ id: string, task_id: string, from: "pinchflat" | "tubesync" | "youtarr" | "tubearchivist" | "archive" | "takeout" | "newpipe" | "libretube" | "freetube" | "invidious" | "opml", source: string, dry_run: boolean, take: ("subscriptions" | "rules" | "videos" | "queue" | "ignored" | "have" | "watched" | "playlists")[] | null, status: "pending" | "running" | "done" | "failed" | "undone", started: number, ended: number | null, undo_until: number | null, counts: ({ what: "subscriptions" | "rules" | "videos" | "queue" | "ignored" | "have" | "watched" | "playlists", found: number, added: number, here: number, left: number })[], problems: number, error: string | null, error_messages: __schema0[] })[] } };
  /** Import subscriptions, lists, watched marks and videos of another program. `dry_run` only reports (Reelkeep). */
  "POST /api/migrate/": { sent: { body: { from: "pinchflat" | "tubesync" | "youtarr" | "tubearchivist" | "archive" | "takeout" | "newpipe" | "libretube" | "freetube" | "invidious" | "opml", path?: string, upload?: string, address?: string, token?: string, path_map?: Record<string, string>, dry_run?: boolean | string | number, take?: ("subscriptions" | "rules" | "videos" | "queue" | "ignored" | "have" | "watched" | "playlists")[] } }; reply: { id: string, task_id: string } };
  /** Upload a file to import from as application/octet-stream; it is kept for a day (Reelkeep). */
  "PUT /api/migrate/upload/{filename}/": { sent: { params: { filename: string } }; reply: { upload: string } };
  /** Get the report of an import (Reelkeep). */
  "GET /api/migrate/{id}/": { sent: { params: { id: string } }; reply: { id: string, task_id: string, from: "pinchflat" | "tubesync" | "youtarr" | "tubearchivist" | "archive" | "takeout" | "newpipe" | "libretube" | "freetube" | "invidious" | "opml", source: string, dry_run: boolean, take: ("subscriptions" | "rules" | "videos" | "queue" | "ignored" | "have" | "watched" | "playlists")[] | null, status: "pending" | "running" | "done" | "failed" | "undone", started: number, ended: number | null, undo_until: number | null, counts: ({ what: "subscriptions" | "rules" | "videos" | "queue" | "ignored" | "have" | "watched" | "playlists", found: number, added: number, here: number, left: number })[], problems: number, error: string | null, error_messages: __schema0[], lines: ({ kind: "problem" | "note", what: string, why: string, why_messages: __schema0[] })[] } };
  /** Remove what an import added, within seven days. Later changes are kept; videos move to the trash (Reelkeep). */
  "POST /api/migrate/{id}/undo/": { sent: { params: { id: string } }; reply: { id: string, task_id: string } };
  /** Get the application settings. */
  "GET /api/appsettings/config/": { sent: {  }; reply: { subscriptions: { channel_size: number | null, live_channel_size: number | null, shorts_channel_size: number | null, playlist_size: number | null, auto_start: boolean, extract_flat: boolean }, downloads: { limit_speed: number | null, throttledratelimit: number | null, sleep_interval: number | null, autodelete_days: number | null, autodelete_min_size: number | null, autodelete_available_only: boolean, format: string | null, format_sort: string | null, prefer_hdr: boolean, upgrade: "off" | "ask" | "auto", live: "wait" | "record", live_hours: number, live_chat: boolean, small_copy: "360" | "480" | "720" | "off", audio_languages: string | null, audio_auto_dubs: boolean, add_metadata: boolean, add_thumbnail: boolean, subtitle: string | null, subtitle_source: "user" | "auto" | null, subtitle_index: boolean, comment_index: number | null, comment_max: string | null, comment_sort: "top" | "new" | null, cookie_import: boolean, potoken: boolean, po_tokens: "auto" | "always" | "never" | "provider", pot_provider_url: string | null, pot_provider_proxy: string | null, extractor_lang: string | null, player_client: string | null, integrate_ryd: boolean, integrate_sponsorblock: boolean, integrate_dearrow: boolean }, scans: { feed_minutes: number | null }, rules: { title_include: string | null, title_exclude: string | null, min_seconds: number | null, max_seconds: number | null, published_after: string | null, skip_members_only: boolean, keep_newest: number | null, keep_days: number | null }, queue: { at_once: number, per_site: number, audio_only: boolean, reserve: number, quota: number | null, rendition_limit: number, login_egress: string | null }, trash: { days: number }, ytdlp: { updates: "auto" | "on" | "off", pinned: string | null }, speech: { transcribe: "off" | "request" | "missing", model: string | null, threads: number }, meaning: { enabled: boolean, model: "use-m3" | "e5" }, chapters: { generate: boolean }, background: { hours: string | null }, application: { enable_snapshot: boolean, setup_done: boolean, enable_cast: boolean, address: string | null } } };
  /** Update application settings. Lowering `trash.days` requires a session, and the password in `X-Reelkeep-Confirm` if the login is older than ten minutes. */
  "POST /api/appsettings/config/": { sent: { body?: { subscriptions?: { channel_size?: number | string | null, live_channel_size?: number | string | null, shorts_channel_size?: number | string | null, playlist_size?: number | string | null, auto_start?: boolean | string | number, extract_flat?: boolean | string | number }, downloads?: { limit_speed?: number | string | null, throttledratelimit?: number | string | null, sleep_interval?: number | string | null, autodelete_days?: number | string | null, autodelete_min_size?: number | string | null, autodelete_available_only?: boolean | string | number, format?: string | null, format_sort?: string | null, prefer_hdr?: boolean | string | number, upgrade?: "off" | "ask" | "auto", live?: "wait" | "record", live_hours?: number | string, live_chat?: boolean | string | number, small_copy?: "360" | "480" | "720" | "off", audio_languages?: string | null, audio_auto_dubs?: boolean | string | number, add_metadata?: boolean | string | number, add_thumbnail?: boolean | string | number, subtitle?: string | null, subtitle_source?: "user" | "auto" | null, subtitle_index?: boolean | string | number, comment_index?: number | string | null, comment_max?: string | null, comment_sort?: "top" | "new" | null, cookie_import?: boolean | string | number, potoken?: boolean | string | number, po_tokens?: "auto" | "always" | "never" | "provider", pot_provider_url?: string | null, pot_provider_proxy?: string | null, extractor_lang?: string | null, player_client?: string | null, integrate_ryd?: boolean | string | number, integrate_sponsorblock?: boolean | string | number, integrate_dearrow?: boolean | string | number }, scans?: { feed_minutes?: number | string | null }, rules?: { title_include?: string | null, title_exclude?: string | null, min_seconds?: number | string | null, max_seconds?: number | string | null, published_after?: string | null, skip_members_only?: boolean | string | number, keep_newest?: number | string | null, keep_days?: number | string | null }, queue?: { at_once?: number | string, per_site?: number | string, audio_only?: boolean | string | number, reserve?: number | string, quota?: number | string | null, rendition_limit?: number | string, login_egress?: string | null }, trash?: { days?: number | string }, ytdlp?: { updates?: "auto" | "on" | "off", pinned?: string | null }, speech?: { transcribe?: "off" | "request" | "missing", model?: string | null, threads?: number | string }, meaning?: { enabled?: boolean | string | number, model?: "use-m3" | "e5" }, chapters?: { generate?: boolean | string | number }, background?: { hours?: string | null }, application?: { enable_snapshot?: boolean | string | number, setup_done?: boolean | string | number, enable_cast?: boolean | string | number, address?: string | null } } }; reply: { subscriptions: { channel_size: number | null, live_channel_size: number | null, shorts_channel_size: number | null, playlist_size: number | null, auto_start: boolean, extract_flat: boolean }, downloads: { limit_speed: number | null, throttledratelimit: number | null, sleep_interval: number | null, autodelete_days: number | null, autodelete_min_size: number | null, autodelete_available_only: boolean, format: string | null, format_sort: string | null, prefer_hdr: boolean, upgrade: "off" | "ask" | "auto", live: "wait" | "record", live_hours: number, live_chat: boolean, small_copy: "360" | "480" | "720" | "off", audio_languages: string | null, audio_auto_dubs: boolean, add_metadata: boolean, add_thumbnail: boolean, subtitle: string | null, subtitle_source: "user" | "auto" | null, subtitle_index: boolean, comment_index: number | null, comment_max: string | null, comment_sort: "top" | "new" | null, cookie_import: boolean, potoken: boolean, po_tokens: "auto" | "always" | "never" | "provider", pot_provider_url: string | null, pot_provider_proxy: string | null, extractor_lang: string | null, player_client: string | null, integrate_ryd: boolean, integrate_sponsorblock: boolean, integrate_dearrow: boolean }, scans: { feed_minutes: number | null }, rules: { title_include: string | null, title_exclude: string | null, min_seconds: number | null, max_seconds: number | null, published_after: string | null, skip_members_only: boolean, keep_newest: number | null, keep_days: number | null }, queue: { at_once: number, per_site: number, audio_only: boolean, reserve: number, quota: number | null, rendition_limit: number, login_egress: string | null }, trash: { days: number }, ytdlp: { updates: "auto" | "on" | "off", pinned: string | null }, speech: { transcribe: "off" | "request" | "missing", model: string | null, threads: number }, meaning: { enabled: boolean, model: "use-m3" | "e5" }, chapters: { generate: boolean }, background: { hours: string | null }, application: { enable_snapshot: boolean, setup_done: boolean, enable_cast: boolean, address: string | null } } };
  /** Get the caller's API token; the first request creates it, which needs a login within ten minutes or the password in `X-Reelkeep-Confirm`. Of API tokens only this one has access. */
  "GET /api/appsettings/token/": { sent: {  }; reply: { token: string } };
  /** Revoke the caller's API token. Of API tokens only this one has access. */
  "DELETE /api/appsettings/token/": { sent: {  }; reply: void };
  /** List backups, newest first. */
  "GET /api/appsettings/backup/": { sent: {  }; reply: { filename: string, file_path: string, file_size: number, timestamp: string, reason: string, created: number }[] };
  /** Create a backup. */
  "POST /api/appsettings/backup/": { sent: { body?: { reason?: "auto" | "manual" } }; reply: TaskReply };
  /** Get a backup. */
  "GET /api/appsettings/backup/{filename}/": { sent: { params: { filename: string } }; reply: { filename: string, file_path: string, file_size: number, timestamp: string, reason: string, created: number } };
  /** Restore a backup of Reelkeep or TubeArchivist. `dry_run` only reports the changes. Accounts, roles, passwords, API tokens and sessions are kept. A Reelkeep backup replaces the whole library: this requires a session, and the password in `X-Reelkeep-Confirm` if the login is older than ten minutes. */
  "POST /api/appsettings/backup/{filename}/": { sent: { params: { filename: string }; body?: { dry_run?: boolean | string | number, watched_for?: "me" | "all", bring_accounts?: boolean | string | number } }; reply: TaskReply };
  /** Delete a backup. */
  "DELETE /api/appsettings/backup/{filename}/": { sent: { params: { filename: string } }; reply: void };
  /** Compare the accounts and the number of videos, channels and playlists in a backup with the current ones. TubeArchivist backups contain no accounts (Reelkeep). */
  "GET /api/appsettings/backup/{filename}/accounts/": { sent: { params: { filename: string } }; reply: { missing: { name: string, is_staff: boolean, is_disabled: boolean }[], added: { name: string, is_staff: boolean, is_disabled: boolean }[], changed: { name: string, is_staff: boolean, is_disabled: boolean, was_staff: boolean, was_disabled: boolean, password_changed: boolean, tokens_changed: boolean }[], contents: { current: { videos: number, channels: number, playlists: number, users: number | null }, copy: { videos: number, channels: number, playlists: number, users: number | null } | null }, replaces: boolean } };
  /** Create a download link for the browser of the caller, valid for one hour (Reelkeep). */
  "POST /api/appsettings/backup/{filename}/link/": { sent: { params: { filename: string } }; reply: { url: string } };
  /** Download a backup; byte ranges are supported. Requires a download link, or the password in `X-Reelkeep-Confirm` if the login is older than ten minutes (Reelkeep). */
  "GET /api/appsettings/backup/{filename}/file/": { sent: { params: { filename: string }; query?: { ticket?: string } }; reply: void };
  /** Upload a backup as application/zip or application/octet-stream (Reelkeep). */
  "PUT /api/appsettings/backup/{filename}/file/": { sent: { params: { filename: string } }; reply: { filename: string, file_path: string, file_size: number, timestamp: string, reason: string, created: number } };
  /** List snapshots, newest first. */
  "GET /api/appsettings/snapshot/": { sent: {  }; reply: { next_exec: number, next_exec_str: string, expire_after: string, snapshots: ({ id: string, state: "SUCCESS" | "IN_PROGRESS", es_version: string, start_date: string, end_date: string, end_stamp: number, duration_s: number })[] } };
  /** Create a snapshot. */
  "POST /api/appsettings/snapshot/": { sent: {  }; reply: { snapshot_name: string } };
  /** Get a snapshot. */
  "GET /api/appsettings/snapshot/{id}/": { sent: { params: { id: string } }; reply: { id: string, state: "SUCCESS" | "IN_PROGRESS", es_version: string, start_date: string, end_date: string, end_stamp: number, duration_s: number } };
  /** Restore a snapshot. Accounts, roles, passwords, API tokens and sessions are kept. */
  "POST /api/appsettings/snapshot/{id}/": { sent: { params: { id: string }; body?: { bring_accounts?: boolean | string | number } }; reply: { accepted: true } };
  /** Delete a snapshot. */
  "DELETE /api/appsettings/snapshot/{id}/": { sent: { params: { id: string } }; reply: void };
  /** Compare the accounts and the number of videos, channels and playlists in a snapshot with the current ones (Reelkeep). */
  "GET /api/appsettings/snapshot/{id}/accounts/": { sent: { params: { id: string } }; reply: { missing: { name: string, is_staff: boolean, is_disabled: boolean }[], added: { name: string, is_staff: boolean, is_disabled: boolean }[], changed: { name: string, is_staff: boolean, is_disabled: boolean, was_staff: boolean, was_disabled: boolean, password_changed: boolean, tokens_changed: boolean }[], contents: { current: { videos: number, channels: number, playlists: number, users: number | null }, copy: { videos: number, channels: number, playlists: number, users: number | null } | null } } };
  /** Check programs, disk, folders, clock, network and login (Reelkeep). */
  "GET /api/health/checks/": { sent: {  }; reply: Check[] };
  /** Get the yt-dlp version (Reelkeep). */
  "GET /api/ytdlp/": { sent: {  }; reply: { version: string | null, is_managed: boolean, pinned: string | null, previous: string | null } };
  /** Roll back to the previous yt-dlp version and pin it (Reelkeep). */
  "POST /api/ytdlp/rollback/": { sent: {  }; reply: { version: string | null, is_managed: boolean, pinned: string | null, previous: string | null } };
  /** Get the state of the stored cookies. */
  "GET /api/appsettings/cookie/": { sent: {  }; reply: { cookie_enabled: boolean, status?: boolean, validated?: number, validated_str?: string, rotated?: number, expires?: number | null } };
  /** Validate the stored cookies. */
  "POST /api/appsettings/cookie/": { sent: {  }; reply: { cookie_enabled: boolean, status?: boolean, validated?: number, validated_str?: string, rotated?: number, expires?: number | null } };
  /** Store a cookie file in Netscape format and validate it. */
  "PUT /api/appsettings/cookie/": { sent: { body: { cookie: string } }; reply: { cookie_enabled: boolean, status?: boolean, validated?: number, validated_str?: string, rotated?: number, expires?: number | null } };
  /** Delete the stored cookies. */
  "DELETE /api/appsettings/cookie/": { sent: {  }; reply: void };
  /** Get the stored PO token, masked: `web.gvs+****`. */
  "GET /api/appsettings/potoken/": { sent: {  }; reply: { potoken: string } };
  /** Store a PO token. */
  "POST /api/appsettings/potoken/": { sent: { body: { potoken: string } }; reply: { potoken: string } };
  /** Delete the stored PO token. */
  "DELETE /api/appsettings/potoken/": { sent: {  }; reply: void };
  /** Create a PO token with the current settings and return its length and age. */
  "POST /api/appsettings/potoken/test/": { sent: {  }; reply: { length: number, age: number, milliseconds: number } };
  /** Get the archived videos per day, oldest first (Reelkeep). */
  "GET /api/stats/growth/": { sent: {  }; reply: { date: string, count: number, media_size: number }[] };
  /** Count videos by height and codec (Reelkeep). */
  "GET /api/stats/quality/": { sent: {  }; reply: { height: number, codec: string, count: number, media_size: number }[] };
  /** Count videos that some iPhones cannot play: fixed by remuxing to MP4 (`pack`), or only by another format (`fetch`) (Reelkeep). */
  "GET /api/stats/incompatible/": { sent: {  }; reply: { remux: number, redownload: number } };
  /** Get the results of each site in the last 14 days, oldest first (Reelkeep). */
  "GET /api/stats/health/": { sent: {  }; reply: { site: string, days: { date: string, archived: number, blocked: number, failed: number }[] }[] };
  /** List yt-dlp changes and blocks by sites, newest first (Reelkeep). */
  "GET /api/stats/events/": { sent: {  }; reply: ({ date: string, kind: "ytdlp" | "block", what: string })[] };
  /** Get the storage used by the 60 largest channels, and by all others together (Reelkeep). */
  "GET /api/stats/shares/": { sent: {  }; reply: { channels: { id: string, name: string, media_size: number, count: number }[], others: { channels: number, media_size: number, count: number } } };
  /** Get disk usage (Reelkeep). */
  "GET /api/stats/storage/": { sent: {  }; reply: { is_bucket: boolean, free: number | null, total: number | null, media_size: number, trash_size: number } };
  /** List what could be deleted to free up space: the same video archived twice, channels that no user watches, compatible copies (Reelkeep). */
  "GET /api/stats/suggestions/": { sent: {  }; reply: { same_videos: { count: number, media_size: number, data: { key: string, media_size: number, identical: boolean, videos: { youtube_id: string, title: string, channel_name: string, site: string, height: number, duration: number, media_size: number }[] }[] }, unwatched_channels: { count: number, media_size: number, data: { key: string, media_size: number, channel_id: string, channel_name: string, videos: number }[], downloaded_to: string }, copies: { key: string, count: number, media_size: number } | null } };
  /** Hide a suggestion for all staff until its bytes have doubled, for 90 days at most, or show it again (Reelkeep). */
  "POST /api/stats/suggestions/hide/": { sent: { body: { key: string, is_hidden?: boolean | string | number } }; reply: void };
  /** Count videos by kind and availability. */
  "GET /api/stats/video/": { sent: {  }; reply: { doc_count: number, media_size: number, duration: number, duration_str: string, type_videos: { doc_count: number, media_size: number, duration: number, duration_str: string } | null, type_shorts: { doc_count: number, media_size: number, duration: number, duration_str: string } | null, type_streams: { doc_count: number, media_size: number, duration: number, duration_str: string } | null, active_true: { doc_count: number, media_size: number, duration: number, duration_str: string } | null, active_false: { doc_count: number, media_size: number, duration: number, duration_str: string } | null } };
  /** Count channels. */
  "GET /api/stats/channel/": { sent: {  }; reply: { doc_count: number, active_true: number, active_false: number, subscribed_true: number, subscribed_false: number } };
  /** Count playlists. */
  "GET /api/stats/playlist/": { sent: {  }; reply: { doc_count: number, active_true: number, active_false: number, subscribed_true: number, subscribed_false: number } };
  /** Count pending and ignored downloads. */
  "GET /api/stats/download/": { sent: {  }; reply: { pending: number, ignore: number, pending_videos: number, pending_shorts: number, pending_streams: number } };
  /** Get the caller's watch progress. */
  "GET /api/stats/watch/": { sent: {  }; reply: { total: { duration: number, duration_str: string, items: number }, unwatched: { duration: number, duration_str: string, items: number, progress: number } | null, watched: { duration: number, duration_str: string, items: number, progress: number } | null } };
  /** Get videos finished by the caller and downloads by hour of the week, and finished videos by day, for the last 53 weeks in the time zone of the server (Reelkeep). */
  "GET /api/stats/hours/": { sent: {  }; reply: { watched: { weekday: number, hour: number, count: number, duration: number }[], downloaded: { weekday: number, hour: number, count: number }[], days: { date: string, count: number, duration: number }[] } };
  /** Get downloads per day of the last seven days, newest first, in the time zone of the server. */
  "GET /api/stats/downloadhist/": { sent: {  }; reply: { date: string, count: number, media_size: number }[] };
  /** List the ten channels with the most videos, duration or bytes. */
  "GET /api/stats/biggestchannels/": { sent: { query?: { order?: "doc_count" | "duration" | "media_size" } }; reply: { id: string, name: string, doc_count: number, duration: number, duration_str: string, media_size: number }[] };
  /** Get the token for the membership service, masked. */
  "GET /api/appsettings/membership/token/": { sent: {  }; reply: { token: string | null } };
  /** Store a token for the membership service. */
  "POST /api/appsettings/membership/token/": { sent: { body: { token: string } }; reply: { token: string } };
  /** Delete the token for the membership service. */
  "DELETE /api/appsettings/membership/token/": { sent: {  }; reply: void };
  /** Get the profile of the token from the membership service. */
  "GET /api/appsettings/membership/profile/": { sent: {  }; reply: { id: number, user: { id: number, username: string }, sponsor_tier: { tier_id: number, name: string, description: string, max_subs: number }, subscription_count: number, subscription_is_max: boolean, is_connected: boolean } };
  /** Send the subscribed channels to the membership service. */
  "POST /api/appsettings/membership/sync/": { sent: {  }; reply: void };
  /** List the library views for media servers by name, and the folder they must be in (Reelkeep). */
  "GET /api/view/": { sent: {  }; reply: { data: ({ id: number, name: string, root: string, preset: "jellyfin" | "kodi" | "plex" | "flat" | "playlist" | "music" | "custom", template: string | null, pattern: string, content: { type: "all" | "channel" | "playlist" | "smart-list", id: string | null, name: string | null }, link: "auto" | "hard" | "reflink" | "symbolic" | "copy", link_used: "hard" | "reflink" | "symbolic" | "copy" | null, link_reason: string | null, link_reason_messages: __schema0[] | null, nfo: boolean, artwork: boolean, subtitles: "none" | "srt" | "vtt", chapters: boolean, person: number | null, state: "new" | "building" | "ready" | "failed" | "deleting", problem: string | null, problem_messages: __schema0[] | null, built: number | null, videos: number, files: number, pending: number })[], folder: string, presets: Record<string, string>, unavailable: string | null, unavailable_messages: __schema0[] | null } };
  /** Create a library view; nothing is written before it is built (Reelkeep). */
  "POST /api/view/": { sent: { body: { name: string, root: string, preset: "jellyfin" | "kodi" | "plex" | "flat" | "playlist" | "music" | "custom", template?: string | null, content?: { type: "all" | "channel" | "playlist" | "smart-list", id?: string }, link?: "auto" | "hard" | "reflink" | "symbolic" | "copy", nfo?: boolean | string | number, artwork?: boolean | string | number, subtitles?: "none" | "srt" | "vtt", chapters?: boolean | string | number, person?: number | string | null } }; reply: { id: number, name: string, root: string, preset: "jellyfin" | "kodi" | "plex" | "flat" | "playlist" | "music" | "custom", template: string | null, pattern: string, content: { type: "all" | "channel" | "playlist" | "smart-list", id: string | null, name: string | null }, link: "auto" | "hard" | "reflink" | "symbolic" | "copy", link_used: "hard" | "reflink" | "symbolic" | "copy" | null, link_reason: string | null, link_reason_messages: __schema0[] | null, nfo: boolean, artwork: boolean, subtitles: "none" | "srt" | "vtt", chapters: boolean, person: number | null, state: "new" | "building" | "ready" | "failed" | "deleting", problem: string | null, problem_messages: __schema0[] | null, built: number | null, videos: number, files: number, pending: number } };
  /** Get the paths of up to ten videos in a view with these settings (Reelkeep). */
  "POST /api/view/preview/": { sent: { body: { preset: "jellyfin" | "kodi" | "plex" | "flat" | "playlist" | "music" | "custom", template?: string | null, content?: { type: "all" | "channel" | "playlist" | "smart-list", id?: string }, root?: string | null } }; reply: { files: { video_id: string, path: string }[], problem: string | null, problem_messages: __schema0[] | null } };
  /** Update a library view and build it again; the folder cannot be changed (Reelkeep). */
  "POST /api/view/{id}/": { sent: { params: { id: number | string }; body?: { name?: string, root?: string, preset?: "jellyfin" | "kodi" | "plex" | "flat" | "playlist" | "music" | "custom", template?: string | null, content?: { type: "all" | "channel" | "playlist" | "smart-list", id?: string }, link?: "auto" | "hard" | "reflink" | "symbolic" | "copy", nfo?: boolean | string | number, artwork?: boolean | string | number, subtitles?: "none" | "srt" | "vtt", chapters?: boolean | string | number, person?: number | string | null } }; reply: { id: number, name: string, root: string, preset: "jellyfin" | "kodi" | "plex" | "flat" | "playlist" | "music" | "custom", template: string | null, pattern: string, content: { type: "all" | "channel" | "playlist" | "smart-list", id: string | null, name: string | null }, link: "auto" | "hard" | "reflink" | "symbolic" | "copy", link_used: "hard" | "reflink" | "symbolic" | "copy" | null, link_reason: string | null, link_reason_messages: __schema0[] | null, nfo: boolean, artwork: boolean, subtitles: "none" | "srt" | "vtt", chapters: boolean, person: number | null, state: "new" | "building" | "ready" | "failed" | "deleting", problem: string | null, problem_messages: __schema0[] | null, built: number | null, videos: number, files: number, pending: number } };
  /** Remove the files of a library view, and the view; with `forget` only the view (Reelkeep). */
  "DELETE /api/view/{id}/": { sent: { params: { id: number | string }; query?: { forget?: boolean | string | number } }; reply: void };
  /** Start the task build_view, which creates, repairs and removes the links of a view (Reelkeep). */
  "POST /api/view/{id}/build/": { sent: { params: { id: number | string }; body?: { start_over?: boolean | string | number } }; reply: TaskReply };
  /** List the media servers by name (Reelkeep). */
  "GET /api/media-server/": { sent: {  }; reply: { data: ({ id: number, kind: "jellyfin" | "emby" | "plex" | "kodi", name: string, address: string, has_token: boolean, mappings: { from: string, to: string }[], persons: ({ account: number, account_name: string, user: string, user_name: string, has_token: boolean, problem: string | null, problem_messages: __schema0[] | null })[], playlists: ({ id: string, name: string, problem: string | null, problem_messages: __schema0[] | null })[], state: "new" | "ready" | "retrying" | "stopped" | "rejected", problem: string | null, problem_messages: __schema0[] | null, failed: number | null, retry_at: number | null, refreshed: number | null, synced: number | null, pending: number, is_syncing: boolean })[] } };
  /** Add a media server. Reelkeep may then connect to its address, also in the local network (Reelkeep). */
  "POST /api/media-server/": { sent: { body: { kind: "jellyfin" | "emby" | "plex" | "kodi", name: string, address: string, token: unknown & unknown, mappings: { from: string, to: string }[], persons?: ({ account: number | string, user: string, user_name: string, token?: unknown & unknown | null })[], playlists?: string[] } }; reply: { id: number, kind: "jellyfin" | "emby" | "plex" | "kodi", name: string, address: string, has_token: boolean, mappings: { from: string, to: string }[], persons: ({ account: number, account_name: string, user: string, user_name: string, has_token: boolean, problem: string | null, problem_messages: __schema0[] | null })[], playlists: ({ id: string, name: string, problem: string | null, problem_messages: __schema0[] | null })[], state: "new" | "ready" | "retrying" | "stopped" | "rejected", problem: string | null, problem_messages: __schema0[] | null, failed: number | null, retry_at: number | null, refreshed: number | null, synced: number | null, pending: number, is_syncing: boolean } };
  /** Update a media server; lists replace the present ones, the kind cannot be changed (Reelkeep). */
  "POST /api/media-server/{id}/": { sent: { params: { id: number | string }; body?: { name?: string, address?: string, token?: unknown & unknown, mappings?: { from: string, to: string }[], persons?: ({ account: number | string, user: string, user_name: string, token?: unknown & unknown | null })[], playlists?: string[] } }; reply: { id: number, kind: "jellyfin" | "emby" | "plex" | "kodi", name: string, address: string, has_token: boolean, mappings: { from: string, to: string }[], persons: ({ account: number, account_name: string, user: string, user_name: string, has_token: boolean, problem: string | null, problem_messages: __schema0[] | null })[], playlists: ({ id: string, name: string, problem: string | null, problem_messages: __schema0[] | null })[], state: "new" | "ready" | "retrying" | "stopped" | "rejected", problem: string | null, problem_messages: __schema0[] | null, failed: number | null, retry_at: number | null, refreshed: number | null, synced: number | null, pending: number, is_syncing: boolean } };
  /** Remove a media server here; nothing is changed on the server (Reelkeep). */
  "DELETE /api/media-server/{id}/": { sent: { params: { id: number | string } }; reply: void };
  /** Test the connection, the token and the mappings of a media server (Reelkeep). */
  "POST /api/media-server/{id}/test/": { sent: { params: { id: number | string } }; reply: { success: boolean, problem: string | null, problem_messages: __schema0[] | null, server_name: string | null, version: string | null, libraries: { name: string, folders: string[], matches: boolean }[], users: { id: string, name: string }[] } };
  /** List the users of a media server (Reelkeep). */
  "GET /api/media-server/{id}/user/": { sent: { params: { id: number | string } }; reply: { data: { id: string, name: string }[] } };
  /** Get the report of the last synchronization of a media server that was started here or changed something (Reelkeep). */
  "GET /api/media-server/{id}/sync/": { sent: { params: { id: number | string } }; reply: { report: { dry_run: boolean, started: number, ended: number, items: number, matched: number, here: number, there: number, playlists: number, problems: number, lines: ({ kind: "here" | "there" | "playlist" | "problem", person: string | null, title: string, text: string, text_messages: __schema0[] })[] } | null } };
  /** Synchronize watch states, positions and playlists with a media server. `dry_run` only reports (Reelkeep). */
  "POST /api/media-server/{id}/sync/": { sent: { params: { id: number | string }; body?: { dry_run?: boolean | string | number } }; reply: TaskReply };
  /** Stream changes and notifications as server-sent events (Reelkeep). */
  "GET /api/events/": { sent: {  }; reply: void };
  /** Get the OpenAPI document. */
  "GET /api/schema/": { sent: {  }; reply: Record<string, unknown> };
  /** Show the interactive API reference. */
  "GET /api/docs/": { sent: {  }; reply: void };
  /** Get a media file or its subtitles; byte ranges are supported. */
  "GET /youtube/{path}": { sent: { params: { path: string } }; reply: void };
  /** Get a media file or its subtitles (same as /youtube/). */
  "GET /media/{path}": { sent: { params: { path: string } }; reply: void };
  /** Get an image. */
  "GET /cache/{path}": { sent: { params: { path: string } }; reply: void };
}
