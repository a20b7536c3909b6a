import { Trans, useLingui } from '@lingui/react/macro';
import { IconBolt, IconEyeOff, IconPlus, IconSortDescending, IconTrash } from '@tabler/icons-react';
import { findDownload } from '#web/tasks/download-progress.ts';
import { StopButton } from '#web/tasks/TaskButtons.tsx';
import { Button } from '#web/ui/Button.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { useNotices, useUpdateItem, useRemoveItem, type QueueItem } from '#web/api/queries/download.ts';

/** Actions of one item; they differ between the queue and the ignore list. */
export function QueueActions({ item }: { item: QueueItem }) {
  const { t } = useLingui();
  const remove = useRemoveItem();
  const showToast = useToast();
  const id = item.youtube_id;
  const undo = useUpdateItem();
  // A stop archives what was recorded; to ignore the item would delete it.
  const recording = useNotices().find((notice) => item.recording && findDownload([notice], id));
  const change = useUpdateItem(({ status }) => {
    if (status !== 'ignore') return;
    const action = { label: t`Undo`, run: () => undo.mutate({ id, status: 'pending' }) };
    showToast(t`Ignored. It won’t be added automatically again.`, { action });
  });
  const setStatus = (status: 'pending' | 'ignore' | 'priority' | 'later') => change.mutate({ id, status });
  const removeButton = (
    <Button size="s" kind="quiet" icon={<IconTrash aria-hidden />} onClick={() => remove.mutate(id)}>
      {item.status === 'ignore' ? t`Forget` : t`Remove`}
    </Button>
  );
  if (item.status === 'ignore')
    return (
      <>
        <Button size="s" icon={<IconPlus aria-hidden />} onClick={() => setStatus('pending')}>
          <Trans>Add to queue</Trans>
        </Button>
        {removeButton}
      </>
    );
  return (
    <>
      {!item.running &&
        (item.auto_start && item.message === undefined ? (
          <Button size="s" icon={<IconSortDescending aria-hidden />} onClick={() => setStatus('later')}>
            <Trans>Move back to queue</Trans>
          </Button>
        ) : (
          <Button size="s" icon={<IconBolt aria-hidden />} onClick={() => setStatus('priority')}>
            <Trans>Download now</Trans>
          </Button>
        ))}
      {recording ? (
        <StopButton notice={recording} />
      ) : (
        <Button size="s" kind="quiet" icon={<IconEyeOff aria-hidden />} onClick={() => setStatus('ignore')}>
          <Trans>Ignore</Trans>
        </Button>
      )}
      {item.message !== undefined && removeButton}
    </>
  );
}
