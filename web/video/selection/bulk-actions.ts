import { plural, t } from '@lingui/core/macro';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { invalidateTopics, queryClient } from '#web/api/client.ts';
import { useToast } from '#web/ui/toasts.tsx';
import type { VideoFilter } from '#web/api/queries/video.ts';

/** Number and total size of the matching videos. Never cached, because the dialog names them. */
export const bulkSummaryQuery = (filter: VideoFilter) =>
  queryOptions({
    queryKey: ['video', 'bulk', filter],
    queryFn: ({ signal }) => call('GET /api/video/bulk/', { query: filter, signal }),
    staleTime: 0,
  });

/** Bulk actions for all matching videos. */
export type BulkAction = 'watched' | 'unwatched' | 'keep' | 'redownload' | 'delete';

interface BulkRequest {
  action: BulkAction;
  filter: VideoFilter;
  /** Number of videos that the dialog named. */
  videos: number;
  /** Password, required for large deletions. */
  confirm?: string;
}

interface BulkResult {
  videos: number;
  /** Token that undoes the action. */
  undo?: string;
}

/** Runs the action in one request. Returns the number of affected videos. */
async function runBulkAction({ action: what, filter: query, videos, ...confirmed }: BulkRequest): Promise<BulkResult> {
  if (what === 'delete') {
    await call('POST /api/video/bulk/delete/', { query, body: { videos }, ...confirmed });
    return { videos };
  }
  if (what === 'redownload') return call('POST /api/video/bulk/redownload/', { query });
  if (what === 'keep') return call('POST /api/video/bulk/protect/', { query, body: { is_protected: true } });
  const body = { is_watched: what === 'watched' };
  return call('POST /api/video/bulk/watched/', { query, body });
}

const resultMessage = (what: BulkAction, count: number) =>
  ({
    watched: () => plural(count, { one: '# video marked as watched.', other: '# videos marked as watched.' }),
    unwatched: () => plural(count, { one: '# video marked as unwatched.', other: '# videos marked as unwatched.' }),
    keep: () => plural(count, { one: '# video protected from cleanup.', other: '# videos protected from cleanup.' }),
    redownload: () =>
      plural(count, {
        one: '# video queued for redownload. Its file stays until the new one is downloaded.',
        other: '# videos queued for redownload. Their files stay until the new ones are downloaded.',
      }),
    delete: () => plural(count, { one: '# video is being deleted.', other: '# videos are being deleted.' }),
  })[what]();

/** Runs a bulk action and reports the number of affected videos; watched marks can be undone. */
export function useBulkAction(onDone: () => void) {
  const showToast = useToast();
  const undoMark = (undo: string) =>
    call('POST /api/video/bulk/undo/', { body: { undo } }).then(
      ({ videos }) => {
        showToast(plural(videos, { one: 'Watched state of # video restored.', other: 'Watched state of # videos restored.' }));
        invalidateTopics('video', 'search');
      },
      (error: Error) => showToast(error.message, { isDanger: true }),
    );
  return useMutation({
    mutationFn: runBulkAction,
    onSuccess: ({ videos, undo }, { action: what }) => {
      showToast(resultMessage(what, videos), undo ? { action: { label: t`Undo`, run: () => void undoMark(undo) } } : {});
      onDone();
    },
    onSettled: () => queryClient.invalidateQueries(),
  });
}
