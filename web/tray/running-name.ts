import type { MessageDescriptor } from '@lingui/core';
import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Notification } from '#contract/task.ts';
import { taskName } from '#web/tasks/task-names.ts';

// What a task does while it runs. The names of tasks are those of their buttons, such as “Start download”.
const runningNames: Record<string, MessageDescriptor> = {
  download_pending: msg`Downloading`,
  update_subscribed: msg`Scanning subscriptions`,
  extract_download: msg`Adding to the queue`,
  subscribe_to: msg`Adding a subscription`,
  check_reindex: msg`Refreshing metadata`,
  verify: msg`Verifying files`,
  rescan_filesystem: msg`Scanning the file system`,
  resync_thumbs: msg`Embedding thumbnails`,
  resync_metadata: msg`Embedding metadata`,
  index_playlists: msg`Indexing playlists`,
  index_subtitles: msg`Indexing subtitles`,
  measure_loudness: msg`Measuring loudness`,
  make_storyboards: msg`Creating previews`,
  remux_incompatible: msg`Remuxing files for iPhones`,
  fetch_sounds: msg`Fetching sound tracks`,
  fetch_copies: msg`Fetching compatible copies`,
  keep_edition: msg`Keeping the earlier version of a video`,
  fetch_chats: msg`Fetching chats of streams`,
  record_stream: msg`Recording a stream`,
  refresh_segments: msg`Refreshing SponsorBlock and DeArrow`,
  remux_video: msg`Remuxing to MP4`,
  update_ytdlp: msg`Updating yt-dlp`,
  version_check: msg`Checking for a new version`,
  delete_videos: msg`Deleting videos`,
  make_renditions: msg`Preparing audio tracks`,
  build_view: msg`Building a library view`,
  sync_media_server: msg`Synchronizing a media server`,
  restore_backup: msg`Restoring a backup`,
  migrate: msg`Importing from another program`,
};

/** What a running task does, in the language of the page. */
export function runningName({ name = '', title }: Notification): string {
  const known = runningNames[name];
  return known ? i18n._(known) : taskName(name, title);
}
