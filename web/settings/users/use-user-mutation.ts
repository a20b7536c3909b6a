import { useMutation } from '@tanstack/react-query';
import { queryClient } from '#web/api/client.ts';
import { usersQuery } from '#web/api/queries/user-admin.ts';
import type { Attempt } from '#web/confirm/confirmation-types.ts';
import { useWithConfirmation } from '#web/confirm/ReauthProvider.tsx';
import { useToast } from '#web/ui/toasts.tsx';

/** Changes an account after re-authentication; errors are shown as toasts. */
export function useUserMutation<Input, Result>(
  change: (input: Input, confirm: Parameters<Attempt<Result>>[0]) => Promise<Result>,
) {
  const showToast = useToast();
  const withConfirmation = useWithConfirmation();
  return useMutation({
    mutationFn: (input: Input) => withConfirmation((confirm) => change(input, confirm)),
    onError: (error) => showToast(error.message, { isDanger: true }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: usersQuery.queryKey }),
  });
}
