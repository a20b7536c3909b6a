import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { askAgain } from '#web/api/client.ts';
import { useToast } from '#web/ui/toasts.tsx';
import { useConfirming } from '#web/user/Confirming.tsx';

export const channelList = (page: number, filter?: 'subscribed' | 'unsubscribed') =>
  queryOptions({
    queryKey: ['channel', 'list', page, filter],
    queryFn: ({ signal }) => call('GET /api/channel/', { query: { page: page || undefined, filter }, signal }),
    placeholderData: keepPreviousData,
  });

export const channelQuery = (id: string) =>
  queryOptions({
    queryKey: ['channel', 'one', id],
    queryFn: ({ signal }) => call('GET /api/channel/:id/', { params: { id }, signal }),
  });

export const channelSums = (id: string) =>
  queryOptions({
    queryKey: ['channel', 'sums', id],
    queryFn: ({ signal }) => call('GET /api/channel/:id/aggs/', { params: { id }, signal }),
  });

export const channelParts = (id: string) =>
  queryOptions({
    queryKey: ['channel', 'parts', id],
    queryFn: ({ signal }) => call('GET /api/channel/:id/nav/', { params: { id }, signal }),
  });

export const subscribeTo = (id: string, isWanted: boolean, confirm?: { confirm: string }) =>
  call('POST /api/channel/:id/', { params: { id }, body: { channel_subscribed: isWanted }, ...confirm });

/** Subscribes to something, or no more; a refusal is said. Videos tell of their channel, and are asked for again too. */
export function useSubscribe(
  room: 'channel' | 'playlist',
  change: (isWanted: boolean, confirm?: { confirm: string }) => Promise<unknown>,
) {
  const say = useToast();
  const confirming = useConfirming();
  return useMutation({
    mutationFn: (isWanted: boolean) => confirming((confirm) => change(isWanted, confirm)),
    onError: (error) => say(error.message, { isDanger: true }),
    onSettled: () => askAgain(room, 'video'),
  });
}
