import { queryOptions, useMutation } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { useToast } from '#web/ui/toasts.tsx';
import type { Attempt } from '#web/user/asked.ts';
import { useConfirming } from '#web/user/Confirming.tsx';

export const peopleQuery = queryOptions({
  queryKey: ['user', 'people'],
  queryFn: ({ signal }) => call('GET /api/user/people/', { signal }),
});

/** Something done to somebody's account, by who proves who they are; a sentence when it is refused. */
export function usePeopleChange<Said, Got>(change: (said: Said, confirm: Parameters<Attempt<Got>>[0]) => Promise<Got>) {
  const say = useToast();
  const confirming = useConfirming();
  return useMutation({
    mutationFn: (said: Said) => confirming((confirm) => change(said, confirm)),
    onError: (error) => say(error.message, { isDanger: true }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: peopleQuery.queryKey }),
  });
}
