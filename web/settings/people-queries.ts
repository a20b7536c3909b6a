import { queryOptions, useMutation } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { useToast } from '#web/ui/toasts.tsx';

export const peopleQuery = queryOptions({
  queryKey: ['user', 'people'],
  queryFn: ({ signal }) => call('GET /api/user/people/', { signal }),
});

/** Something done to somebody's account; a sentence when it is refused. */
export function usePeopleChange<Said, Got>(change: (said: Said) => Promise<Got>) {
  const say = useToast();
  return useMutation({
    mutationFn: change,
    onError: (error) => say(error.message, { isDanger: true }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: peopleQuery.queryKey }),
  });
}
