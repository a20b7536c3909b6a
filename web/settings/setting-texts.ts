import { msg } from '@lingui/core/macro';
import type { MessageDescriptor } from '@lingui/core';
import type { Settings } from '#contract/settings.ts';

interface Texts {
  label: MessageDescriptor;
  help?: MessageDescriptor;
}

/** What each setting is called and what is said of it, as the table of settings has it, in the reader's language. */
export const settingTexts: { [S in keyof Settings]: Record<keyof Settings[S], Texts> } = {
  subscriptions: {
    channel_size: {
      label: msg`Videos to look at`,
      help: msg`Newest of each channel in a scan; 0 leaves videos out, empty looks at all.`,
    },
    live_channel_size: {
      label: msg`Streams to look at`,
      help: msg`Newest of each channel in a scan; 0 leaves streams out, empty looks at all.`,
    },
    shorts_channel_size: {
      label: msg`Shorts to look at`,
      help: msg`Newest of each channel in a scan; 0 leaves shorts out, empty looks at all.`,
    },
    playlist_size: { label: msg`Playlist entries to look at`, help: msg`Empty or 0 looks at all of them.` },
    auto_start: { label: msg`Download what a scan finds at once` },
    extract_flat: { label: msg`Fast adding`, help: msg`Takes what the listing tells, without opening each video.` },
  },
  downloads: {
    limit_speed: { label: msg`Speed limit` },
    throttledratelimit: {
      label: msg`Throttled below`,
      help: msg`Slower than this counts as throttled: the video is looked up anew.`,
    },
    sleep_interval: { label: msg`Pause between requests`, help: msg`Varied by half each way; under 10 invites a block.` },
    autodelete_days: { label: msg`Delete after watching`, help: msg`Empty or 0 deletes nothing.` },
    format: { label: msg`Format`, help: msg`In yt-dlp's format language; empty takes the best.` },
    format_sort: { label: msg`Format order`, help: msg`For example res:1080,vcodec:h264.` },
    add_metadata: { label: msg`Embed metadata in the file` },
    add_thumbnail: { label: msg`Embed the thumbnail in the file` },
    subtitle: { label: msg`Subtitle languages`, help: msg`Comma separated, for example en,de; all takes every one.` },
    subtitle_source: {
      label: msg`Subtitle source`,
      help: msg`auto also takes automatic captions where there are no written ones.`,
    },
    subtitle_index: { label: msg`Search in subtitles` },
    comment_max: { label: msg`Comments`, help: msg`max-comments,max-parents,max-replies,max-replies-per-thread` },
    comment_sort: { label: msg`Comment order` },
    cookie_import: { label: msg`Use the stored cookie` },
    potoken: { label: msg`Use the PO token` },
    pot_provider_url: { label: msg`PO token provider` },
    extractor_lang: { label: msg`Language of titles`, help: msg`A two-letter code.` },
    integrate_ryd: { label: msg`Return YouTube Dislike` },
    integrate_sponsorblock: { label: msg`SponsorBlock` },
  },
  scans: {
    feed_minutes: {
      label: msg`Look for new uploads every`,
      help: msg`Reads the small feeds that sites offer; empty leaves it to the schedule.`,
    },
  },
  rules: {
    title_include: {
      label: msg`Only titles with`,
      help: msg`One of these phrases, separated by commas; or /a regular expression/.`,
    },
    title_exclude: { label: msg`No titles with`, help: msg`Any of these phrases, or /a regular expression/.` },
    min_seconds: { label: msg`Not shorter than` },
    max_seconds: { label: msg`Not longer than` },
    published_after: { label: msg`Not published before` },
    skip_members_only: { label: msg`Leave out what is for members only` },
    keep_newest: {
      label: msg`Keep only the newest`,
      help: msg`Of each source. Older ones are not fetched, and deleted unless marked to be kept.`,
    },
    keep_days: {
      label: msg`Keep only the last`,
      help: msg`By the day of publication. Older ones are not fetched, and deleted unless marked to be kept.`,
    },
  },
  queue: {
    at_once: { label: msg`Downloads at once` },
    per_site: { label: msg`Of one site at once`, help: msg`More than one invites a block.` },
    audio_only: { label: msg`Sound only`, help: msg`Keeps no picture. A channel may choose otherwise.` },
    reserve: { label: msg`Space to leave free`, help: msg`No download begins below that.` },
  },
  bin: {
    days: {
      label: msg`Deleted videos rest in the bin for`,
      help: msg`Until then they can be put back. With 0 there is no bin: files are deleted at once.`,
    },
  },
  ytdlp: {
    updates: { label: msg`Keep yt-dlp up to date`, help: msg`auto does so unless the machine has one of its own.` },
    pinned: { label: msg`Only this version of yt-dlp`, help: msg`Such as 2026.10.26; empty takes the newest.` },
  },
  application: {
    enable_snapshot: { label: msg`Daily snapshots` },
    enable_cast: {
      label: msg`Casting`,
      help: msg`Plays on televisions. Chromium browsers load Google's sender for it, on pages opened from then on.`,
    },
  },
};
