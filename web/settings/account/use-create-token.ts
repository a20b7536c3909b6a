import { queryOptions, useMutation } from '@tanstack/react-query';
import type { Scope } from '#contract/endpoint.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { useWithConfirmation } from '#web/confirm/ReauthProvider.tsx';

export const tokensQuery = queryOptions({
  queryKey: ['user', 'tokens'],
  queryFn: ({ signal }) => call('GET /api/user/tokens/', { signal }),
});

export const refreshTokens = () => queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey });

/** Creates a named token, which the server shows only once. `days`: until it expires; null = never. */
export function useCreateToken(onSuccess: (created: { name: string; token: string }) => void) {
  const withConfirmation = useWithConfirmation();
  return useMutation({
    mutationFn: (body: { name: string; days: number | null; scopes: Scope[] }) =>
      withConfirmation((confirm) => call('POST /api/user/tokens/', { body, ...confirm })),
    onSuccess,
    onSettled: refreshTokens,
  });
}
