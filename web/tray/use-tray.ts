import { useQuery } from '@tanstack/react-query';
import type { Notification } from '#contract/task.ts';
import type { Run } from '#contract/runs.ts';
import { useIsStaff } from '#web/api/account.ts';
import { failedItemsQuery, queueEtaQuery, useNotices } from '#web/api/queries/download.ts';
import { runsQuery } from '#web/api/queries/run.ts';
import { videoList } from '#web/api/queries/video.ts';
import { isDownloadRun, isEnded } from '#web/tasks/task-notice.ts';
import { countUnseenFailures, isRecent, useTrayState } from './tray-state.ts';

// Routine work, and tasks whose results are videos or queue items. Only their problems are shown.
const quietTasks = new Set([
  'download_pending',
  'extract_download',
  'update_subscribed',
  'index_playlists',
  'index_subtitles',
  'make_renditions',
  'make_storyboards',
  'measure_loudness',
  'thumbnail_check',
  'check_reindex',
  'refresh_segments',
  'fetch_chats',
  'version_check',
  'snapshot',
  'build_view',
  'sync_media_server',
]);

const isFailed = ({ status }: Run) => status === 'failure';
const isQuiet = (run: Run) => quietTasks.has(run.name) && !isFailed(run);

/** The run that the collapsed tray names: downloads first, then one with known progress. */
const pickFirst = (running: Notification[]) =>
  running.find(isDownloadRun) ?? running.find(({ progress }) => progress !== undefined) ?? running[0];

/** What runs, what ended recently and what failed. Ended work is loaded only while it is needed. */
export function useTray(isOpen: boolean) {
  const isStaff = useIsStaff();
  const notices = useNotices();
  const state = useTrayState();
  const running = notices.filter((notice) => !isEnded(notice));
  const isActive = isOpen || notices.length > 0 || (state.activeAt > state.seenAt && isRecent(state.activeAt));
  const runs = useQuery({ ...runsQuery({}), enabled: isStaff && isActive }).data?.data ?? [];
  const videos = useQuery({ ...videoList({ sort: 'downloaded' }), enabled: isActive }).data?.data ?? [];
  const failed = useQuery({ ...failedItemsQuery, enabled: isStaff }).data;
  const isDownloading = running.some(isDownloadRun);
  const queue = useQuery({ ...queueEtaQuery, enabled: isStaff && isDownloading }).data;
  const isListed = (at: number | null) => at !== null && at > state.clearedAt && isRecent(at);
  const isUnseen = (at: number | null) => at !== null && at > state.seenAt;
  const ended = runs.filter((run) => isListed(run.ended));
  const arrivals = videos.filter((video) => isListed(video.date_downloaded));
  const failedItems = failed?.data ?? [];
  const failedTotal = failed?.paginate.total_hits ?? 0;
  const unseenRuns = ended.filter((run) => isUnseen(run.ended));
  return {
    isStaff,
    notices,
    running,
    first: pickFirst(running),
    queue: isDownloading ? queue : undefined,
    arrivals,
    ended: ended.filter((run) => !isFailed(run)),
    failedRuns: ended.filter(isFailed),
    failedItems,
    failedTotal,
    unseen: {
      arrivals: arrivals.filter((video) => isUnseen(video.date_downloaded)).length,
      runs: unseenRuns.filter((run) => !isFailed(run) && !isQuiet(run)).length,
      failures: unseenRuns.filter(isFailed).length + countUnseenFailures(state, failedItems, failedTotal),
    },
  };
}

export type TrayContent = ReturnType<typeof useTray>;
