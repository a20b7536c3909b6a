import { plural } from '@lingui/core/macro';
import { Plural, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Button } from '#web/ui/Button.tsx';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { useUpdateItems, useRemoveItems, type QueueSelection } from '#web/api/queries/download.ts';
import styles from './AllActions.module.css';

type BulkAction = 'pending' | 'ignore' | 'priority' | 'clear_error' | 'forget';

interface Props {
  /** Filter of the visible list: bulk actions apply to everything that matches it. */
  some: QueueSelection;
  total: number;
}

/** Bulk actions for everything in the visible list. Each one asks first and names the number of items. */
export function AllActions({ some: filter, total }: Props) {
  const { t } = useLingui();
  const showToast = useToast();
  const change = useUpdateItems();
  const forget = useRemoveItems();
  const [pendingAction, setPendingAction] = useState<BulkAction>();
  const isQueue = filter.filter === 'pending';
  const texts: Record<BulkAction, { name: string; title: string; text: string }> = {
    priority: {
      name: t`Download now`,
      title: plural(total, { one: 'Download this item now?', other: 'Download # items now?' }),
      text: t`Moves to the front of the queue. Failed items are retried.`,
    },
    clear_error: {
      name: t`Clear errors`,
      title: plural(total, { one: 'Clear the error of this item?', other: 'Clear the errors of # items?' }),
      text: t`Clears the error and puts failed items back in the queue.`,
    },
    ignore: {
      name: t`Ignore`,
      title: plural(total, { one: 'Ignore this item?', other: 'Ignore # items?' }),
      text: t`Removed from the queue. Scans won’t add ignored items again.`,
    },
    pending: {
      name: t`Add to queue`,
      title: plural(total, { one: 'Add this item to the queue?', other: 'Add # items to the queue?' }),
      text: t`Downloaded in turn with the rest of the queue.`,
    },
    forget: {
      name: isQueue ? t`Remove` : t`Forget`,
      title: isQueue
        ? plural(total, { one: 'Remove this item from the queue?', other: 'Remove # items from the queue?' })
        : plural(total, { one: 'Forget this item?', other: 'Forget # items?' }),
      text: t`Removed from this list only. A later scan may add the same items again.`,
    },
  };
  const actions: BulkAction[] = isQueue
    ? ['priority', ...(filter.error === true ? (['clear_error'] as const) : []), 'ignore', 'forget']
    : ['pending', 'forget'];
  const run = (action: BulkAction) => {
    setPendingAction(undefined);
    if (action === 'forget') return forget.mutate(filter);
    change.mutate(
      { some: filter, status: action },
      {
        onSuccess: () => {
          // Only this action can be undone without changing items that already had this status.
          if (action === 'priority')
            showToast(t`Moved to the front of the queue.`, {
              action: { label: t`Undo`, run: () => change.mutate({ some: filter, status: 'later' }) },
            });
        },
      },
    );
  };
  return (
    <div className={styles.bar} role="group" aria-label={t`Bulk actions`}>
      <span>
        <Plural value={total} one="# item" other="All # items" />
      </span>
      {actions.map((action) => (
        <Button key={action} size="s" onClick={() => setPendingAction(action)}>
          {texts[action].name}
        </Button>
      ))}
      {pendingAction && (
        <ConfirmDialog
          title={texts[pendingAction].title}
          action={texts[pendingAction].name}
          kind="primary"
          onConfirm={() => run(pendingAction)}
          onClose={() => setPendingAction(undefined)}
        >
          <p>{texts[pendingAction].text}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
