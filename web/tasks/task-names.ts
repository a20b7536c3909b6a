import type { MessageDescriptor } from '@lingui/core';
import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { MessageId } from '#contract/messages.ts';

type TaskName<Id = MessageId> = Id extends `task.${infer Name}` ? Name : never;

/** Tasks that are scheduled or started by users, with their names on every page. The API keeps the titles of TubeArchivist. */
export const listedTasks = {
  update_subscribed: msg`Rescan subscriptions`,
  download_pending: msg`Start download`,
  check_reindex: msg`Refresh metadata`,
  thumbnail_check: msg`Thumbnail check`,
  run_backup: msg`ZIP backup`,
  snapshot: msg`Database snapshot`,
  autodelete: msg`Cleanup`,
  verify: msg`Verify files`,
  rescan_filesystem: msg`Rescan filesystem`,
  manual_import: msg`Manual import`,
  resync_thumbs: msg`Embed thumbnails`,
  resync_metadata: msg`Embed metadata`,
  index_subtitles: msg`Index subtitles`,
  measure_loudness: msg`Measure loudness`,
  make_storyboards: msg`Create previews`,
  remux_incompatible: msg`Remux files for iPhones`,
  update_ytdlp: msg`Update yt-dlp`,
  version_check: msg`Check for a new version`,
} satisfies Partial<Record<TaskName, MessageDescriptor>>;

const names: Record<TaskName, MessageDescriptor> = {
  ...listedTasks,
  // Started by an action of a user.
  subscribe_to: msg`Add subscription`,
  index_playlists: msg`Index playlists`,
  extract_download: msg`Add to the queue`,
  delete_videos: msg`Delete videos`,
  fetch_sounds: msg`Fetch sound tracks`,
  fetch_copies: msg`Fetch compatible copies`,
  keep_edition: msg`Keep the earlier version of a video`,
  fetch_chats: msg`Fetch chats of streams`,
  record_stream: msg`Record a stream`,
  refresh_segments: msg`Refresh SponsorBlock and DeArrow`,
  remux_video: msg`Remux to MP4`,
  make_renditions: msg`Prepare audio tracks`,
  make_clips: msg`Make clips`,
  transcribe_videos: msg`Transcribe videos`,
  update_models: msg`Install speech engine`,
  download_model: msg`Download speech model`,
  embed_passages: msg`Index transcripts by meaning`,
  suggest_chapters: msg`Generate chapters`,
  evaluate_chapters: msg`Evaluate generated chapters`,
  relate_videos: msg`Find related videos`,
  install_meaning: msg`Install the model of the search by meaning`,
  build_view: msg`Build library view`,
  sync_media_server: msg`Synchronize media server`,
  restore_backup: msg`Restore backup`,
  migrate: msg`Import from another program`,
};

// The server starts these only by their schedules.
const scheduledOnly = ['check_reindex', 'version_check'];
/** Tasks that users can start. */
export const startableTasks = Object.keys(listedTasks).filter((name) => !scheduledOnly.includes(name));

/** Names of all tasks in the API. */
export const taskNames = Object.keys(names);

/** Name of a task in the language of the page. `english`: title of a task that this page does not know. */
export function taskName(name: string, english: string): string {
  const known = (names as Record<string, MessageDescriptor | undefined>)[name];
  return known ? i18n._(known) : english;
}
