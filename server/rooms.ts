import { restoreBackup } from './backup/restore-backup.ts';
import { backupRoutes } from './backup/routes.ts';
import { runBackup } from './backup/run-backup.ts';
import { keepSnapshots, snapshot } from './backup/snapshot.ts';
import { keepBin } from './bin/keep-bin.ts';
import { binRoutes } from './bin/routes.ts';
import { channelRoutes } from './channel/routes.ts';
import { scanSubscriptions } from './channel/scan-subscriptions.ts';
import { subscribeTo } from './channel/subscribe.ts';
import { watchFeeds } from './channel/watch-feeds.ts';
import { addToQueue } from './download/add-to-queue.ts';
import { downloadPending } from './download/download-pending.ts';
import { downloadRoutes } from './download/routes.ts';
import { wakeQueue } from './download/wake.ts';
import type { Route } from './http/route.ts';
import { manualImport } from './library/import-folder.ts';
import { indexLines } from './library/index-lines.ts';
import { checkReindex } from './library/refresh.ts';
import { libraryRoutes } from './library/routes.ts';
import { refreshRoutes } from './library/refresh-routes.ts';
import { resyncMetadata, resyncThumbs } from './library/resync.ts';
import { rescanFilesystem } from './library/rescan.ts';
import { retention } from './library/retention.ts';
import { thumbnailCheck } from './library/thumbnail-check.ts';
import { verifyFiles } from './library/verify-files.ts';
import { rulesRoutes } from './library/rules-routes.ts';
import { listRoutes } from './lists/routes.ts';
import { sendDue } from './notify/outbox.ts';
import { notifyRoutes } from './notify/routes.ts';
import { indexPlaylists } from './playlist/index-playlists.ts';
import { playlistRoutes } from './playlist/routes.ts';
import { keepIndexed } from './search/catch-up.ts';
import { keepWritten } from './video/keep-written.ts';
import { keepRenditions } from './rendition/keep.ts';
import { makeRenditions } from './rendition/make.ts';
import { renditionRoutes } from './rendition/routes.ts';
import { searchRoutes } from './search/routes.ts';
import { doctorRoutes } from './service/doctor-routes.ts';
import { serviceRoutes } from './service/routes.ts';
import { updateYtdlp } from './service/update-ytdlp.ts';
import { versionCheck } from './service/version-check.ts';
import { cookieRoutes } from './settings/cookie-routes.ts';
import { membershipRoutes } from './settings/membership-routes.ts';
import { settingsRoutes } from './settings/routes.ts';
import { statsRoutes } from './stats/routes.ts';
import { taskRoutes } from './task/routes.ts';
import type { Round } from './task/rounds.ts';
import { runsRoutes } from './task/runs-routes.ts';
import { runSchedules } from './task/schedule.ts';
import { scheduleRoutes } from './task/schedule-routes.ts';
import type { TaskDefinition } from './task/task.ts';
import { accessRoutes } from './user/access-routes.ts';
import { peopleRoutes } from './user/people-routes.ts';
import { afterProof } from './user/prove.ts';
import { userRoutes } from './user/routes.ts';
import { deleteVideos } from './video/delete-videos.ts';
import { makeStoryboards, wakeStoryboards } from './video/make-storyboards.ts';
import { matchingRoutes } from './video/matching-routes.ts';
import { remuxAwkward, remuxVideo } from './video/remux-video.ts';
import { videoRoutes } from './video/routes.ts';

// The whole product on one page: every route, every task, and what is looked at from time to time.

export const routes: Route[] = [
  ...serviceRoutes,
  ...userRoutes,
  ...peopleRoutes,
  ...accessRoutes,
  ...videoRoutes,
  ...matchingRoutes,
  ...renditionRoutes,
  ...listRoutes,
  ...channelRoutes,
  ...playlistRoutes,
  ...searchRoutes,
  ...binRoutes,
  ...downloadRoutes,
  ...taskRoutes,
  ...runsRoutes,
  ...scheduleRoutes,
  ...rulesRoutes,
  ...refreshRoutes,
  ...libraryRoutes,
  ...notifyRoutes,
  ...settingsRoutes,
  ...cookieRoutes,
  ...statsRoutes,
  ...membershipRoutes,
  ...backupRoutes,
  ...doctorRoutes,
].map(afterProof);

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
  resyncThumbs,
  checkReindex,
  indexLines,
  makeStoryboards,
  makeRenditions,
  remuxVideo,
  deleteVideos,
  remuxAwkward,
  updateYtdlp,
  versionCheck,
  manualImport,
  runBackup,
  restoreBackup,
  snapshot,
] as TaskDefinition[];

export const rounds: Round[] = [
  { name: 'schedules', everySeconds: 10, go: runSchedules },
  { name: 'feeds', everySeconds: 60, go: watchFeeds },
  { name: 'queue', everySeconds: 20, go: wakeQueue },
  { name: 'search', everySeconds: 2, go: keepIndexed },
  { name: 'what is sent of videos', everySeconds: 2, go: keepWritten },
  { name: 'outbox', everySeconds: 10, go: sendDue },
  { name: 'storyboards', everySeconds: 30, go: wakeStoryboards },
  { name: 'renditions', everySeconds: 60, go: keepRenditions },
  { name: 'bin', everySeconds: 300, go: keepBin },
  { name: 'snapshots', everySeconds: 60, go: keepSnapshots },
];
