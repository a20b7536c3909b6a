import { Plural, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { RetentionHint } from '#web/trash/retention/RetentionHint.tsx';
import { sizeText } from '#web/format/numbers.ts';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { useConfirmation } from '#web/confirm/confirmation.tsx';
import { useConfig } from '#web/api/account.ts';
import { bulkSummaryQuery, useBulkAction, type BulkAction } from './bulk-actions.ts';
import type { VideoFilter } from '#web/api/queries/video.ts';

interface Props {
  what: BulkAction;
  filter: VideoFilter;
  onClose(): void;
  onDone(): void;
}

/** Asks before a bulk action; names the number and size of the matching videos. */
export function BulkActionDialog({ what, filter, onClose, onDone }: Props) {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const summary = useQuery(bulkSummaryQuery(filter));
  const action = useBulkAction(() => {
    onDone();
    onClose();
  });
  const isDeletion = what === 'delete';
  const deleted = {
    videos: isDeletion ? (summary.data?.videos ?? 0) : 0,
    bytes: isDeletion ? (summary.data?.media_size ?? 0) : 0,
  };
  const confirmation = useConfirmation(deleted);
  const run = () => summary.data && action.mutate({ action: what, filter, videos: summary.data.videos, ...confirmation.sent });
  const texts: Record<BulkAction, { title: string; does: string; more?: string }> = {
    watched: { title: t`Mark all matching videos as watched?`, does: t`Mark as watched` },
    unwatched: {
      title: t`Mark all matching videos as unwatched?`,
      does: t`Mark as unwatched`,
      more: t`This clears your saved positions.`,
    },
    keep: { title: t`Protect all matching videos?`, does: t`Protect`, more: t`Cleanup rules won’t delete them.` },
    redownload: {
      title: t`Redownload all matching videos?`,
      does: t`Redownload`,
      more: t`Each video is queued. Its file stays until the new one is downloaded.`,
    },
    delete: {
      title: t`Delete all matching videos?`,
      does: t`Delete all videos`,
      more: t`Removes their files, subtitles and comments from the archive.`,
    },
  };
  const { title, does, more } = texts[what];
  return (
    <ConfirmDialog
      title={title}
      action={does}
      kind={isDeletion ? 'danger' : 'primary'}
      disabled={!summary.data || summary.data.videos === 0 || (isDeletion && !confirmation.isReady)}
      isBusy={action.isPending}
      onConfirm={run}
      onClose={onClose}
    >
      <QueryBoundary query={summary} skeleton={24}>
        {({ videos, media_size }) => {
          const size = sizeText(media_size, unit);
          return (
            <p>
              <strong>
                <Plural value={videos} one={`# video (${size})`} other={`# videos (${size})`} />
              </strong>
              {more && ` · ${more}`}
            </p>
          );
        }}
      </QueryBoundary>
      {isDeletion && <RetentionHint />}
      {confirmation.field(run)}
      {action.isError && <Callout kind="danger">{action.error.message}</Callout>}
    </ConfirmDialog>
  );
}
