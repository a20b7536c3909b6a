import { queryOptions, useMutation } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { useToast } from '#web/ui/toasts.tsx';
import type { Attempt } from '#web/user/confirm/confirmation-types.ts';
import { useWithConfirmation } from '#web/user/confirm/ReauthProvider.tsx';

export const usersQuery = queryOptions({
  queryKey: ['user', 'people'],
  queryFn: ({ signal }) => call('GET /api/users/', { signal }),
});

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
