import { clipCalls } from '#contract/clip.ts';
import { noteCalls } from '#contract/note.ts';
import { playbackCalls } from '#contract/playback.ts';
import { albumCalls } from '#contract/album.ts';
import { tagCalls } from '#contract/tag.ts';
import { chapterCalls } from '#contract/chapters.ts';
import { meaningCalls } from '#contract/meaning.ts';
import { speechCalls } from '#contract/speech.ts';
import { notifyCalls } from '#contract/notify.ts';
import { m3uCalls, shareCalls } from '#contract/share.ts';
import { podcastCalls } from '#contract/podcast.ts';
import { mediaServerCalls } from '#contract/media-server.ts';
import { viewCalls } from '#contract/view.ts';
import { programImportCalls } from '#contract/program-import.ts';
import { backupCalls } from '#contract/backup.ts';
import { mcpCalls } from '#contract/mcp.ts';
import { retryChannelArt } from '../archive/channel/pictures.ts';
import { restoreBackup } from '../features/backup/restore-backup.ts';
import { runBackup } from '../features/backup/run-backup.ts';
import { takeDueSnapshots, takeSnapshotTask } from '../features/backup/take-snapshot-task.ts';
import { purgeExpired } from '../features/trash/purge-job.ts';
import { trashRoutes } from '../features/trash/routes.ts';
import { channelRoutes } from '../features/channel/routes.ts';
import { scanSubscriptions } from '../features/subscription/scan-subscriptions.ts';
import { registerFiles } from '../features/files/routes.ts';
import { registerHls } from '../features/hls/routes.ts';
import { subscribeTo } from '../features/subscription/subscribe.ts';
import { pollFeeds } from '../features/subscription/poll-feeds.ts';
import { addToQueue } from '../features/download/add-to-queue.ts';
import { downloadPending } from '../features/download/download-pending.ts';
import { downloadRoutes } from '../features/download/routes.ts';
import { refetchLimited } from '../features/download/refetch-limited.ts';
import { replaceByBetter } from '../features/download/replace-by-better.ts';
import { startQueueIfDue } from '../features/download/start-if-due.ts';
import { lazyRoutes, type Route } from '../platform/http/route.ts';
import { manualImport } from '../features/library/import/import-folder.ts';
import { backfillTranscripts } from '../features/library/backfill-transcripts.ts';
import { refreshSegments, startSegmentsIfDue } from '../features/library/refresh/refresh-segments.ts';
import { checkReindex } from '../features/library/refresh/refresh.ts';
import { libraryRoutes } from '../features/library/routes.ts';
import { refreshRoutes } from '../features/library/refresh/routes.ts';
import { resyncMetadata, resyncThumbnails } from '../features/library/embed-metadata.ts';
import { rescanFilesystem } from '../features/library/consistency/rescan.ts';
import { retention } from '../features/library/retention/retention.ts';
import { thumbnailCheck } from '../features/library/consistency/thumbnail-check.ts';
import { verifyFiles } from '../features/library/consistency/verify-files.ts';
import { resolveRoutes } from '../features/resolve/routes.ts';
import { rulesRoutes } from '../features/library/retention/routes.ts';
import { programImportTask } from '../features/program-import/program-import-task.ts';
import { deleteExpired } from '../features/program-import/store.ts';
import { cleanBucket } from '../archive/storage/abandoned-uploads.ts';
import { deleteOldUploads } from '../features/program-import/uploads.ts';
import { refreshMediaServers } from '../features/media-server/refresh.ts';
import { syncMediaServers } from '../features/media-server/sync-server.ts';
import { syncMediaServer } from '../features/media-server/sync-task.ts';
import { homeRoutes } from '../features/home/routes.ts';
import { listRoutes } from '../features/smart-list/routes.ts';
import { sendDueNotifications } from '../features/notify/outbox.ts';
import { indexPlaylists } from '../archive/playlist/index-playlists.ts';
import { playlistRoutes } from '../features/playlist/routes.ts';
import { indexPendingPeriodically } from '../features/search/index/index-pending.ts';
import { refreshResponseCache } from '../archive/video-json/refresh-response-cache.ts';
import { cleanRenditionCache } from '../features/rendition/rendition-cache.ts';
import { renderTask } from '../features/rendition/render-task.ts';
import { renditionRoutes } from '../features/rendition/routes.ts';
import { makeClipsTask, startClipsIfDue } from '../features/clip/tasks.ts';
import { searchRoutes } from '../features/search/routes.ts';
import {
  downloadSpeechModelTask,
  installSpeechEngineTask,
  startTranscriptsIfDue,
  transcribeVideosTask,
} from '../features/speech/tasks.ts';
import { evaluateChaptersTask, startChaptersIfDue, suggestChaptersTask } from '../features/chapters/tasks.ts';
import {
  embedPassagesTask,
  installMeaningTask,
  relateVideosTask,
  startEmbeddingIfDue,
  startRelatingIfDue,
} from '../features/meaning/tasks.ts';
import { syncMeaningFiles } from '../features/meaning/sync-files.ts';
import { healthRoutes } from '../features/system/health-routes.ts';
import { systemRoutes } from '../features/system/routes.ts';
import { updateYtdlp } from '../features/system/update-ytdlp.ts';
import { checkYtdlpInBackground } from '../features/system/ytdlp-parts.ts';
import { versionCheck } from '../features/system/version-check.ts';
import { cookieRoutes } from '../features/settings/cookie-routes.ts';
import { membershipRoutes } from '../features/settings/membership-routes.ts';
import { settingsRoutes } from '../features/settings/routes.ts';
import { statsRoutes } from '../features/stats/routes.ts';
import { taskRoutes } from '../platform/tasks/routes.ts';
import type { PeriodicJob } from '../platform/tasks/intervals.ts';
import { runsRoutes } from '../platform/tasks/runs-routes.ts';
import { runSchedules } from '../platform/tasks/schedule.ts';
import { scheduleRoutes } from '../platform/tasks/schedule-routes.ts';
import type { TaskDefinition } from '../platform/context/task.ts';
import { sessionRoutes } from '../features/user/sessions-routes.ts';
import { userAdminRoutes } from '../features/user/user-admin-routes.ts';
import { requireRecentLogin } from '../features/user/login/reauthentication.ts';
import { userRoutes } from '../features/user/routes.ts';
import { deleteVideos } from '../features/video/delete-videos.ts';
import { makeStoryboards, startStoryboardsIfDue } from '../features/video/make-storyboards.ts';
import { measureLoudnessTask, startLoudnessIfDue } from '../features/video/measure-loudness.ts';
import { bulkRoutes } from '../features/video/bulk/routes.ts';
import { fetchChatsTask, startChatsIfDue } from '../features/video/fetch-chats-task.ts';
import { fetchCompatibleCopies } from '../features/video/fetch-copies-task.ts';
import { keepEditionTask } from '../features/video/keep-edition-task.ts';
import { recordStream } from '../features/download/record-stream-task.ts';
import { fetchSoundTracks } from '../features/video/fetch-sounds-task.ts';
import { remuxIncompatible, remuxVideo } from '../features/video/remux-video.ts';
import { buildView, updateViews } from '../features/view/build-view.ts';
import { videoRoutes } from '../features/video/routes.ts';

// Registry of all routes, tasks and periodic jobs.

export const routes: Route[] = [
  ...systemRoutes,
  ...lazyRoutes(mcpCalls, async () => (await import('../features/mcp/routes.ts')).mcpRoutes),
  ...userRoutes,
  ...userAdminRoutes,
  ...sessionRoutes,
  ...videoRoutes,
  ...bulkRoutes,
  ...renditionRoutes,
  ...lazyRoutes(playbackCalls, async () => (await import('../features/playback/routes.ts')).playbackRoutes),
  ...listRoutes,
  ...lazyRoutes(noteCalls, async () => (await import('../features/note/routes.ts')).noteRoutes),
  ...lazyRoutes(clipCalls, async () => (await import('../features/clip/routes.ts')).clipRoutes),
  ...lazyRoutes(albumCalls, async () => (await import('../features/album/routes.ts')).albumRoutes),
  ...lazyRoutes(tagCalls, async () => (await import('../features/tag/routes.ts')).tagRoutes),
  ...lazyRoutes(speechCalls, async () => (await import('../features/speech/routes.ts')).speechRoutes),
  ...lazyRoutes(chapterCalls, async () => (await import('../features/chapters/routes.ts')).chapterRoutes),
  ...lazyRoutes(meaningCalls, async () => (await import('../features/meaning/routes.ts')).meaningRoutes),
  ...lazyRoutes(viewCalls, async () => (await import('../features/view/routes.ts')).viewRoutes),
  ...lazyRoutes(mediaServerCalls, async () => (await import('../features/media-server/routes.ts')).mediaServerRoutes),
  ...homeRoutes,
  ...lazyRoutes(podcastCalls, async () => (await import('../features/podcast/routes.ts')).podcastRoutes),
  ...lazyRoutes(shareCalls, async () => (await import('../features/share/routes.ts')).shareRoutes),
  ...lazyRoutes(m3uCalls, async () => (await import('../features/share/m3u-routes.ts')).m3uRoutes),
  ...channelRoutes,
  ...playlistRoutes,
  ...searchRoutes,
  ...trashRoutes,
  ...downloadRoutes,
  ...resolveRoutes,
  ...taskRoutes,
  ...runsRoutes,
  ...scheduleRoutes,
  ...rulesRoutes,
  ...refreshRoutes,
  ...libraryRoutes,
  ...lazyRoutes(programImportCalls, async () => (await import('../features/program-import/routes.ts')).programImportRoutes),
  ...lazyRoutes(notifyCalls, async () => (await import('../features/notify/routes.ts')).notifyRoutes),
  ...settingsRoutes,
  ...cookieRoutes,
  ...statsRoutes,
  ...membershipRoutes,
  ...lazyRoutes(backupCalls, async () => (await import('../features/backup/routes.ts')).backupRoutes),
  ...healthRoutes,
].map(requireRecentLogin);

/** Routes outside the contract. */
export const plainRoutes = [registerFiles, registerHls];

/** Routes of a worker, which has no users. */
export const workerRoutes = routes.filter(({ path }) => ['/livez/', '/readyz/', '/api/health/'].includes(path));

export const tasks = [
  addToQueue,
  downloadPending,
  scanSubscriptions,
  subscribeTo,
  indexPlaylists,
  retention,
  verifyFiles,
  rescanFilesystem,
  thumbnailCheck,
  resyncMetadata,
  resyncThumbnails,
  checkReindex,
  refreshSegments,
  backfillTranscripts,
  makeStoryboards,
  measureLoudnessTask,
  renderTask,
  makeClipsTask,
  buildView,
  syncMediaServer,
  fetchSoundTracks,
  fetchCompatibleCopies,
  keepEditionTask,
  fetchChatsTask,
  recordStream,
  remuxVideo,
  deleteVideos,
  remuxIncompatible,
  updateYtdlp,
  versionCheck,
  manualImport,
  programImportTask,
  runBackup,
  restoreBackup,
  takeSnapshotTask,
  transcribeVideosTask,
  installSpeechEngineTask,
  downloadSpeechModelTask,
  embedPassagesTask,
  relateVideosTask,
  installMeaningTask,
  suggestChaptersTask,
  evaluateChaptersTask,
] as TaskDefinition[];

export const periodicJobs: PeriodicJob[] = [
  { name: 'schedules', everySeconds: 10, run: runSchedules },
  { name: 'feeds', everySeconds: 60, run: pollFeeds },
  { name: 'queue', everySeconds: 20, run: startQueueIfDue },
  { name: 'channel art', everySeconds: 30, isOnEachNode: true, run: retryChannelArt },
  { name: 'segments', everySeconds: 600, run: startSegmentsIfDue },
  { name: 'chats', everySeconds: 60, run: startChatsIfDue },
  { name: 'limited videos', everySeconds: 3600, run: refetchLimited },
  { name: 'better qualities', everySeconds: 3600, run: replaceByBetter },
  { name: 'search', everySeconds: 2, run: indexPendingPeriodically },
  { name: 'response cache', everySeconds: 2, run: refreshResponseCache },
  { name: 'views', everySeconds: 2, run: updateViews },
  { name: 'media server refresh', everySeconds: 5, run: refreshMediaServers },
  { name: 'media server sync', everySeconds: 60, run: syncMediaServers },
  { name: 'outbox', everySeconds: 10, run: sendDueNotifications },
  { name: 'storyboards', everySeconds: 30, run: startStoryboardsIfDue },
  { name: 'loudness', everySeconds: 60, run: startLoudnessIfDue },
  { name: 'transcripts', everySeconds: 60, run: startTranscriptsIfDue },
  { name: 'clips', everySeconds: 30, run: startClipsIfDue },
  { name: 'passages', everySeconds: 60, run: startEmbeddingIfDue },
  { name: 'chapters', everySeconds: 60, run: startChaptersIfDue },
  { name: 'related videos', everySeconds: 3600, run: startRelatingIfDue },
  { name: 'meaning files', everySeconds: 30, isOnEachNode: true, run: syncMeaningFiles },
  { name: 'renditions', everySeconds: 60, run: cleanRenditionCache },
  { name: 'yt-dlp', everySeconds: 86_400, isOnEachNode: true, run: checkYtdlpInBackground },
  { name: 'bucket', everySeconds: 3600, run: cleanBucket },
  { name: 'trash', everySeconds: 300, run: (app) => purgeExpired(app) },
  {
    name: 'migrations',
    everySeconds: 3600,
    run: async (app) => {
      await deleteExpired(app.db, app.now());
      await deleteOldUploads(app);
    },
  },
  { name: 'snapshots', everySeconds: 60, run: takeDueSnapshots },
];
