import type { QueryKey } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { queryClient } from '#web/api/client.ts';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import type { Attempt } from './confirmation-types.ts';
import { useAction } from './use-action.ts';

interface Props<Result> {
  title: string;
  /** Text of the button that runs the action. */
  action: ReactNode;
  kind?: 'danger' | 'primary';
  disabled?: boolean;
  run: Attempt<Result>;
  /** Queries that the action changes. */
  queryKey?: QueryKey;
  onSuccess?(result: Result): void;
  onClose(): void;
  children: ReactNode;
}

/** Asks before an action, runs it and closes. A failure is shown as a toast. */
export function ActionDialog<Result>({ run, queryKey, onSuccess, onClose, ...dialog }: Props<Result>) {
  const { mutate, isPending } = useAction((_: void, confirm) => run(confirm), {
    onSuccess,
    onSettled: () => {
      onClose();
      return queryKey && queryClient.invalidateQueries({ queryKey });
    },
  });
  return <ConfirmDialog {...dialog} isBusy={isPending} onConfirm={() => mutate()} onClose={onClose} />;
}
