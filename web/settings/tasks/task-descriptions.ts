import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { listedTasks } from '#web/tasks/task-names.ts';

/** What each task of the table does. */
const descriptions: Record<keyof typeof listedTasks, MessageDescriptor> = {
  update_subscribed: msg`Checks all subscribed channels and playlists for new videos.`,
  download_pending: msg`Downloads the videos in the queue.`,
  check_reindex: msg`Refreshes titles, descriptions, comments and statistics of videos, channels and playlists.`,
  thumbnail_check: msg`Downloads missing images and deletes unused ones.`,
  run_backup: msg`Saves all metadata, users and settings in one ZIP.`,
  snapshot: msg`Copies the database on the same disk. Daily, unless turned off.`,
  autodelete: msg`Deletes videos your rules no longer keep: watched long ago, or beyond the limits.`,
  verify: msg`Reads media files and compares them with their state at download.`,
  rescan_filesystem: msg`Finds moved, new, changed and missing files on disk.`,
  manual_import: msg`Imports the videos in the import folder.`,
  resync_thumbs: msg`Embeds the thumbnail in every file that has none. No re-encoding.`,
  resync_metadata: msg`Writes title, chapters and thumbnail into the media files. No re-encoding.`,
  index_subtitles: msg`Makes subtitles of archived videos searchable.`,
  measure_loudness: msg`Measures how loud the videos are, so that the player can even them out.`,
  make_storyboards: msg`Creates the preview images of the time bar.`,
  remux_incompatible: msg`Converts the container of files that iPhones can’t play. No re-encoding.`,
  update_ytdlp: msg`Downloads the latest yt-dlp, tests it, then switches.`,
  version_check: msg`Looks for a newer version of Reelkeep.`,
};

/** Returns what a task does; undefined for a task that this page does not know. */
export const taskDescription = (name: string): MessageDescriptor | undefined =>
  (descriptions as Record<string, MessageDescriptor>)[name];
