import { msg } from '@lingui/core/macro';
import type { MessageDescriptor } from '@lingui/core';
import type { Settings } from '#contract/settings.ts';

interface Texts {
  label: MessageDescriptor;
  help?: MessageDescriptor;
}

/** Translated labels and help texts of the settings. */
export const settingTexts: { [S in keyof Settings]: Record<keyof Settings[S], Texts> } = {
  subscriptions: {
    channel_size: {
      label: msg`Newest videos to check`,
      help: msg`Per channel and scan. 0 skips videos, empty checks all.`,
    },
    live_channel_size: {
      label: msg`Newest streams to check`,
      help: msg`Per channel and scan. 0 skips streams, empty checks all.`,
    },
    shorts_channel_size: {
      label: msg`Newest shorts to check`,
      help: msg`Per channel and scan. 0 skips shorts, empty checks all.`,
    },
    playlist_size: { label: msg`Playlist entries to check`, help: msg`Empty or 0 checks all.` },
    auto_start: { label: msg`Download new videos automatically` },
    extract_flat: { label: msg`Quick add`, help: msg`Uses list data only; faster, fewer details.` },
  },
  downloads: {
    limit_speed: { label: msg`Speed limit` },
    throttledratelimit: {
      label: msg`Throttling threshold`,
      help: msg`Below this speed, yt-dlp assumes throttling and extracts the video again.`,
    },
    sleep_interval: { label: msg`Delay between requests`, help: msg`Randomized ±50%. Below 10 s you risk being blocked.` },
    autodelete_days: { label: msg`Delete after watching`, help: msg`Empty or 0 = never.` },
    autodelete_min_size: { label: msg`Delete only watched videos larger than` },
    autodelete_available_only: { label: msg`Delete only watched videos that are still available at the source` },
    format: { label: msg`Format`, help: msg`yt-dlp format string. Empty = best quality.` },
    format_sort: { label: msg`Format sort order`, help: msg`For example res:1080,vcodec:h264.` },
    prefer_hdr: {
      label: msg`Prefer HDR`,
      help: msg`Otherwise SDR is taken where the site has both. HDR looks pale on screens without it.`,
    },
    upgrade: {
      label: msg`Replace files by better quality`,
      help: msg`Refreshing a video compares what its source offers with the file. Automatic: one an hour at most, never protected videos. The file before goes to the trash, unless that is off.`,
    },
    live: {
      label: msg`Live streams of YouTube`,
      help: msg`Recorded ones are kept also if the channel deletes or cuts them later. A recording begins with the start of the stream, takes 1 to 4 GB an hour and needs no download slot.`,
    },
    live_hours: { label: msg`Record at most (hours)`, help: msg`A stream that runs longer is archived up to there.` },
    live_chat: {
      label: msg`Chat of streams`,
      help: msg`Stored with the video and shown next to the player. A chat takes many requests, hundreds for a long stream. YouTube only.`,
    },
    small_copy: {
      label: msg`Height of a compatible copy`,
      help: msg`Fetched as H.264 and AAC for videos that not every browser plays, next to the file. Takes 10 to 40 % more space. Never: staff can fetch one for a single video.`,
    },
    audio_languages: {
      label: msg`Languages of sound tracks`,
      help: msg`Kept besides the original, for example de,en. Each takes about 60 MB an hour.`,
    },
    audio_auto_dubs: { label: msg`Automatic dubs`, help: msg`Also fetches sound tracks that a program has made.` },
    add_metadata: { label: msg`Embed metadata in the file` },
    add_thumbnail: { label: msg`Embed the thumbnail in the file` },
    subtitle: {
      label: msg`Subtitle languages`,
      help: msg`Comma-separated, for example en,de. “original” is the language of the video, “all” is every language.`,
    },
    subtitle_source: {
      label: msg`Include automatic captions`,
      help: msg`Used when there are no human subtitles.`,
    },
    subtitle_index: { label: msg`Make spoken words searchable` },
    comment_max: { label: msg`Comments`, help: msg`max-comments,max-parents,max-replies,max-replies-per-thread` },
    comment_sort: { label: msg`Comment order` },
    comment_index: {
      label: msg`Comments to make searchable`,
      help: msg`The most liked ones of each video. Empty: all. 50 comments take about 4 kB.`,
    },
    cookie_import: { label: msg`Use the stored cookies` },
    potoken: { label: msg`Use the PO token` },
    po_tokens: {
      label: msg`PO tokens`,
      help: msg`YouTube requires them for some formats. “Automatic” creates them for an hour after a download failed without one.`,
    },
    pot_provider_url: {
      label: msg`PO token provider`,
      help: msg`Address of a bgutil-ytdlp-pot-provider 2, for example http://bgutil:4416.`,
    },
    pot_provider_proxy: {
      label: msg`Proxy of the provider`,
      help: msg`A proxy that the provider can reach, for example http://user:password@proxy:3128. Empty = it connects directly.`,
    },
    extractor_lang: { label: msg`Title language`, help: msg`Two-letter code, for example en.` },
    player_client: {
      label: msg`YouTube clients`,
      help: msg`For experts. Empty = yt-dlp’s choice (2026.10.26: tv_samsung, visionos, web; with cookies: web_embedded, tv_samsung, web). Useful if a failure names a client: default,-web leaves one out; default,mweb adds one that needs PO tokens.`,
    },
    integrate_ryd: { label: msg`Return YouTube Dislike` },
    integrate_sponsorblock: { label: msg`SponsorBlock` },
    integrate_dearrow: {
      label: msg`DeArrow`,
      help: msg`Better titles and thumbnails by viewers, from dearrow.ajay.app (CC BY-NC-SA 4.0). Everyone chooses which ones to see; the originals are kept.`,
    },
  },
  scans: {
    feed_minutes: {
      label: msg`Check feeds every`,
      help: msg`Finds new uploads between scans. Empty = only on schedule.`,
    },
  },
  rules: {
    title_include: {
      label: msg`Title must contain`,
      help: msg`Any of these phrases, separated by commas, or a /regular expression/.`,
    },
    title_exclude: {
      label: msg`Title must not contain`,
      help: msg`Any of these phrases, separated by commas, or a /regular expression/.`,
    },
    min_seconds: { label: msg`Minimum length` },
    max_seconds: { label: msg`Maximum length` },
    published_after: { label: msg`Published on or after` },
    skip_members_only: { label: msg`Skip members-only videos` },
    keep_newest: {
      label: msg`Keep only the newest`,
      help: msg`Per channel or playlist. Older videos are not downloaded, and are deleted unless protected.`,
    },
    keep_days: {
      label: msg`Delete videos older than`,
      help: msg`By publication date. Older videos are not downloaded, and are deleted unless protected.`,
    },
  },
  queue: {
    at_once: { label: msg`Parallel downloads` },
    per_site: { label: msg`Parallel downloads per site`, help: msg`With more than one you risk being blocked.` },
    audio_only: { label: msg`Audio only`, help: msg`Saves no video track. Channels can override this.` },
    reserve: { label: msg`Minimum free space`, help: msg`Downloads stop when less space is left.` },
    quota: {
      label: msg`Size of the bucket`,
      help: msg`Downloads stop before videos and trash exceed it. Empty = unlimited.`,
    },
    rendition_limit: {
      label: msg`Size of audio tracks and clips`,
      help: msg`They are made on request. The least recently used ones are deleted first.`,
    },
    login_egress: {
      label: msg`Network address of the login`,
      help: msg`Only the servers of this address use the cookies and the PO token.`,
    },
  },
  trash: {
    days: {
      label: msg`Keep deleted videos in the trash for`,
      help: msg`Until then they can be restored. 0 turns the trash off: files are deleted immediately.`,
    },
  },
  ytdlp: {
    updates: { label: msg`Update yt-dlp automatically`, help: msg`“Automatic” updates it unless the system provides yt-dlp.` },
    pinned: { label: msg`Pinned yt-dlp version`, help: msg`For example 2026.10.26. Empty = newest.` },
  },
  speech: {
    transcribe: {
      label: msg`Transcribe videos without captions`,
      help: msg`On request, or all of them, the newest first. Videos longer than six hours only on request.`,
    },
    model: { label: msg`Speech model`, help: msg`Name of a model above. Empty = base.` },
    threads: { label: msg`Processor threads`, help: msg`More threads are faster and leave less for other programs.` },
  },
  meaning: {
    enabled: {
      label: msg`Search by meaning`,
      help: msg`Finds spoken words about the same as the search, in other words and other languages.`,
    },
    model: {
      label: msg`Model`,
      help: msg`e5 knows many more languages and takes ten times as long to read transcripts. After a change, the model before answers until the new index is complete.`,
    },
  },
  chapters: {
    generate: {
      label: msg`Generate chapters`,
      help: msg`For videos with at least ten minutes of speech. Turned off, generated chapters are deleted.`,
    },
  },
  background: {
    hours: {
      label: msg`Background hours`,
      help: msg`When transcripts are made and indexed by meaning, and chapters generated, in the time zone of the server, for example 01:00-06:00, 22:00-24:00. Empty = always.`,
    },
  },
  application: {
    enable_snapshot: { label: msg`Daily snapshots` },
    setup_done: { label: msg`First-run questions answered` },
    enable_cast: {
      label: msg`Casting`,
      help: msg`Plays on TVs. Chromium browsers load Google’s Cast sender on pages opened from then on.`,
    },
    address: {
      label: msg`Address of this archive`,
      help: msg`Where phones and podcast apps reach it, for example https://videos.example.org. Empty = the address in your browser.`,
    },
  },
};
