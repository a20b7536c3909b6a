export const taskMessages = {
  'task.index_playlists': 'Index Channel Playlist',
  'task.update_subscribed': 'Rescan your Subscriptions',
  'task.subscribe_to': 'Add Subscription',
  'task.resync_metadata': 'Sync Metadata to Media Files',
  'task.resync_thumbs': 'Sync Thumbnails to Media Files',
  'task.autodelete': 'Apply cleanup rules',
  'task.index_subtitles': 'Index subtitles',
  'task.rescan_filesystem': 'Rescan your Filesystem',
  'task.check_reindex': 'Reindex Documents',
  'task.refresh_segments': 'Refresh SponsorBlock and DeArrow',
  'task.thumbnail_check': 'Check your Thumbnails',
  'task.verify': 'Verify files',
  'task.manual_import': 'Manual video import',
  'task.update_ytdlp': 'Update yt-dlp',
  'task.version_check': 'Look for new Version',
  'task.run_backup': 'Index Backup',
  'task.snapshot': 'Database snapshot',
  'task.restore_backup': 'Restore Backup',
  'task.make_storyboards': 'Create previews',
  'task.measure_loudness': 'Measure loudness',
  'task.make_renditions': 'Prepare audio tracks',
  'task.make_clips': 'Make clips',
  'task.transcribe_videos': 'Transcribe videos',
  'task.update_models': 'Install speech engine',
  'task.download_model': 'Download speech model',
  'task.embed_passages': 'Index transcripts by meaning',
  'task.suggest_chapters': 'Generate chapters',
  'task.evaluate_chapters': 'Evaluate generated chapters',
  'task.relate_videos': 'Find related videos',
  'task.install_meaning': 'Install the model of the search by meaning',
  'task.fetch_sounds': 'Fetch sound tracks',
  'task.fetch_copies': 'Fetch compatible copies',
  'task.keep_edition': 'Keep the earlier version of a video',
  'task.fetch_chats': 'Fetch chats of streams',
  'task.record_stream': 'Record a stream',
  'task.remux_video': 'Remux to MP4',
  'task.remux_incompatible': 'Remux files for iPhone compatibility',
  'task.delete_videos': 'Delete videos',
  'task.download_pending': 'Downloading',
  'task.extract_download': 'Add to download queue',

  'run.received': 'New task received.',
  'run.continued': 'Continued after a restart.',
  'run.completed': 'Task completed',
  'run.stopped': 'Task stopped',
  'run.failed': 'Task failed: {why}',
  'run.crashed':
    'The server ended {count} times during this task, so it is not started again. Find out why under Settings → Health and in the log, then start the task again.',
  'run.unknown': 'This version of Reelkeep does not know the task.',
  'run.skipped': '{what}: {why}',
  'run.already-running': '{title} is already running.',

  'delete.running': 'Deleting videos.',
  'delete.position': '{place, number} of {count, number}',
  'delete.done': '{count, plural, one {Deleted # video.} other {Deleted # videos.}}',
  'delete.deleting-video': 'Deleting {title}',
  'delete.watched': 'The video has been watched.',
  'delete.watched-ago': 'The video was watched at least {days, plural, one {# day} other {# days}} ago.',
  'delete.done-by-rules': '{count, plural, one {Cleanup rules deleted # video.} other {Cleanup rules deleted # videos.}}',

  'refresh.running': 'Refreshing {name}',
  'refresh.remaining': '{count, number} remaining.',
  'refresh.postponed':
    '{count, plural, one {# more item is refreshed in the next run, because requests to its site are paused.} other {# more items are refreshed in the next run, because requests to their site are paused.}}',
  'refresh.done': 'Reindexed {counts}.',
  'refresh.other-video': 'The site returned another video ({id}). Nothing was changed.',
  'refresh.no-login':
    'The stored cookies have expired, so nothing was refreshed: restricted videos would appear to be unavailable. Update the cookies in Settings → Cookie.',
  'refresh.gone': 'Marked as unavailable at the source. Its files are kept.',

  'files.scanning': 'Scanning files.',
  'files.scanning-progress': '{count, plural, one {# file so far.} other {# files so far.}}',
  'files.moved': 'Moved from {from} to {to}. The archive was updated.',
  'files.duplicate': 'Duplicate of {path}. The file was left in place.',
  'files.unknown': 'The file belongs to no video. Without a dry run, it is added to the archive if it can be identified.',
  'files.rescanned-dry':
    '{seen, plural, one {# file} other {# files}}: {moved, number} moved, {adopted, number} new, {missing, number} missing, {changed, number} changed. Nothing was changed (dry run).',
  'files.rescanned':
    '{seen, plural, one {# file} other {# files}}: {moved, number} moved, {adopted, number} new, {missing, number} missing, {changed, number} changed.',
  'files.unknown-object':
    'The object in the bucket belongs to no video and was left in place. To archive it, put a copy into the import folder.',
  'files.rescanned-bucket':
    '{seen, plural, one {# object} other {# objects}} in the bucket: {missing, number} missing, {changed, number} changed, {unknown, number} without a video.',
  'files.missing': 'The file is missing.',
  'files.trash-blocks':
    'The file {path} belongs to a deleted video and cannot be moved to the trash. Check the permissions of the media folder, then try again.',
  'files.size': 'The file size changed: {bytes, number} bytes instead of {before, number}.',
  'files.changed': 'The file content changed: the checksum does not match.',
  'files.unreadable': 'The file cannot be read ({why}).',
  'files.verifying': 'Verifying {title} ({place, number}/{count, number})',
  'files.verify-stopped':
    'Stopped after {read, number} files, because the bucket does not answer. Nothing was concluded from that. {why}',
  'files.consistency': 'Checking consistency.',
  'files.verified':
    'Verified {read, number} of {total, number} files: {damaged, number} damaged or missing, {broken, plural, one {# other problem} other {# other problems}}.',
  'files.already-archived': 'The video {id} is already in the archive ({path}). The file was not changed.',
  'files.sidecar-unreadable': 'The metadata next to the file cannot be read: {why}',
  'files.embedded-unreadable': 'The metadata in the file cannot be read: {why}',
  'files.length-differs':
    'The file is {found, number} s long, but the video on its site {expected, number} s. The file was added anyway.',
  'files.no-ffmpeg': 'ffmpeg is not installed, so media files cannot be processed.',
  'files.no-metadata': 'The site returned no metadata. {why}',
  'files.name-taken': 'Another video already uses the file name {name}.',
  'files.no-media': 'The file contains neither video nor audio.',
  'files.unidentified':
    'The video cannot be identified: neither the file name nor an adjacent file contains an ID. The file was not changed.',
  'files.adding': 'Adding {name} to the archive.',
  'files.embedding': 'Embedding: {title}',
  'files.embedding-progress':
    '{seen, plural, one {# video} other {# videos}} checked, {done, plural, one {# file} other {# files}} updated.',
  'files.embedded': '{count, plural, one {Embedded into # file.} other {Embedded into # files.}}',
  'files.folder-unreadable': 'The folder cannot be read ({why}).',

  'consistency.comments':
    'Video {id} has {found, plural, one {# comment} other {# comments}}, but {recorded, number} are recorded.',
  'consistency.count-extra': 'The stored counts of {name} contain a wrong value: {row}',
  'consistency.count-missing': 'The stored counts of {name} are missing a value: {row}',
  'consistency.copy':
    'The compatible copy of video {id} is missing or has another size: {path}. “Verify files” removes it, so that it can be fetched again.',
  'files.copy-damaged': 'Its compatible copy was missing or damaged and was removed. It can be fetched again.',
  'consistency.chat':
    'The chat of video {id} is missing or has another size: {path}. Restore the file from a backup, or fetch the chat again on the page of the video.',
  'files.chat-damaged':
    'The file of its chat is missing or damaged. Restore it from a backup, or fetch the chat again on the page of the video.',
  'consistency.no-file': 'Video {id} has no file: {path} is missing.',
  'consistency.queued': 'Queue item {id} is already in the archive.',
  'consistency.size': 'Video {id}: {path} has {bytes, number} bytes, but {before, number} are recorded.',
  'consistency.bucket': 'The bucket could not be checked, so nothing was concluded about its files: {why}',
  'consistency.unknown-object':
    'The object {path} in the bucket belongs to no video. To archive it, put a copy into the import folder; otherwise you can delete it.',
  'consistency.trash-no-file': 'Video {id} in the trash has no file.',
  'consistency.trash-unknown-file': '{path} belongs to no video in the trash.',
  'consistency.unknown-file': 'The file {path} belongs to no video.',
  'consistency.work-dir': '{path} belongs to no download.',

  'disk.not-mounted': '{folder} is empty, so its disk does not seem to be mounted. Nothing was changed.',
  'disk.other-folder':
    '{folder} is not the folder used before (it has no .reelkeep file). Nothing was changed. Mount the right folder, then start again.',
  'disk.unreadable': '{folder} cannot be read: {why}',
  'bucket.unmarked':
    'The bucket {bucket} is not the one used before (it has no object reelkeep.txt). Nothing was changed. Correct REELKEEP_S3_BUCKET, then start again.',
  'bucket.of-other-archive':
    'The bucket {bucket} belongs to another archive (its object reelkeep.txt says so). Nothing was changed. Correct REELKEEP_S3_BUCKET, then start again.',
  'disk.downloads-wait': 'Downloads resume when it is available again.',

  'thumbnails.checking': 'Checking video thumbnails.',
  'thumbnails.fetching': 'Downloading the images of {name}.',
  'thumbnails.done': '{made, plural, one {# thumbnail} other {# thumbnails}} created, {removed, number} deleted.',

  'subtitles.progress': '{count, plural, one {# video indexed.} other {# videos indexed.}}',
  'subtitles.done': '{count, plural, one {Indexed the subtitles of # video.} other {Indexed the subtitles of # videos.}}',

  'previews.paused': 'Paused.',
  'previews.waiting': 'Waiting for playback or downloads to end.',
  'previews.running': 'Creating previews: {title}',
  'previews.done': '{count, plural, one {Created previews of # video.} other {Created previews of # videos.}}',
  'previews.no-ffmpeg': 'ffmpeg is not installed, so no previews can be created.',

  'segments.running': 'Asking SponsorBlock and DeArrow: {title}',
  'segments.done': '{count, plural, one {# video refreshed.} other {# videos refreshed.}}',
  'segments.unavailable': 'The server of SponsorBlock and DeArrow does not respond. It is asked again in an hour.',

  'loudness.running': 'Measuring loudness: {title}',
  'loudness.done': '{count, plural, one {Measured the loudness of # video.} other {Measured the loudness of # videos.}}',

  'remux.running': 'Remuxing: {title}',
  'remux.done': '“{title}” was remuxed to MP4.',
  'remux.already': '“{title}” is already an MP4 file.',
  'remux.gone': 'The video is no longer in the archive.',
  'remux.no-space':
    'Not enough space for the new file: {free, number} GB are free, but {needed, number} GB are needed, including the minimum free space. Free up space, then try again.',
  'remux.incompatible': 'The streams of this file do not fit into MP4 without re-encoding. The file was not changed.',
  'remux.progress': '{done, number} of {count, plural, one {# file} other {# files}} remuxed.',
  'remux.differs': 'The new file does not match the original. The original was kept.',
  'remux.no-ffmpeg': 'ffmpeg is not installed, so files cannot be remuxed.',

  'sounds.running': 'Looking up the sound tracks.',
  'sounds.busy': 'Sound tracks are already being fetched. Try again when that task has ended.',
  'sounds.no-address': 'The address of the video is not known.',
  'sounds.not-offered': 'The site has no sound track of these languages: {languages}.',
  'sounds.replaced': 'The file was replaced meanwhile. Nothing was changed.',
  'sounds.postponed':
    '{count, plural, one {# video was} other {# videos were}} left out, because their site wants a pause. Try again later.',
  'sounds.done': '{count, plural, one {Sound tracks added to # video.} other {Sound tracks added to # videos.}}',

  'clip.running': 'Making a clip.',
  'clip.done': '{count, plural, one {# clip made.} other {# clips made.}}',
  'clip.stopped': 'An administrator stopped the work. Make the clip again.',
  'clip.no-ffmpeg': 'ffmpeg is not installed, so no clips can be made.',
  'clip.no-file': 'The media file is missing, so no clip can be made.',
  'clip.unsupported': 'Files of this format cannot be cut at key frames. Choose “Exact”.',
  'clip.no-encoder': 'This ffmpeg has no encoder for H.264 (libx264). Choose “Fast”, or install an ffmpeg with it.',
  'clip.no-space':
    'Not enough space for the clip: {free, number} GB are free, but {needed, number} GB are needed, including the minimum free space. Free up space, then try again.',
  'clip.differs': 'The clip does not match the media file, which may be damaged.',
  'clip.ffmpeg': 'ffmpeg could not make the clip. See the log for details.',
  'clip.failed': 'The clip could not be made. See the log for details.',

  'rendition.running': 'Preparing an audio track: {name}',
  'rendition.done': '{count, plural, one {# audio track prepared.} other {# audio tracks prepared.}}',
  'rendition.stopped': 'The preparation was stopped.',
  'rendition.no-audio': 'This video has no audio track.',
  'rendition.no-ffmpeg': 'ffmpeg is not installed, so only the default audio track can be played.',
  'rendition.no-file': 'The media file is missing, so no audio track can be prepared.',
  'rendition.unsupported': 'Other audio tracks cannot be played from this file format.',
  'rendition.file-changed': 'The media file has changed. Try again.',
  'rendition.no-space':
    'Not enough space for the audio track: {free, number} GB are free, but {needed, number} GB are needed, including the minimum free space. Free up space, then try again.',
  'rendition.differs': 'The prepared audio track does not match the media file, which may be damaged.',
  'rendition.ffmpeg': 'ffmpeg could not prepare the audio track. See the log for details.',
  'rendition.failed': 'The audio track could not be prepared. See the log for details.',
} as const;
