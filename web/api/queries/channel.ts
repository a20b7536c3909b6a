import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query';
import type { ChannelSort } from '#contract/channel.ts';
import { call } from '#web/api/call.ts';
import { invalidateTopics } from '#web/api/client.ts';
import { useToast } from '#web/ui/toasts.tsx';
import { useWithConfirmation } from '#web/user/confirm/ReauthProvider.tsx';

export const backCatalogues = ['none', 'newest', 'all'] as const;

/** Options of a new subscription. */
export interface SubscriptionChoices {
  auto_start: boolean;
  back_catalogue: (typeof backCatalogues)[number];
}

/** A new subscription with its options; `true` resubscribes with the previous options, `false` unsubscribes. */
export type Subscription = SubscriptionChoices | boolean;

export interface ChannelListFilter {
  filter?: 'subscribed' | 'unsubscribed' | undefined;
  q?: string | undefined;
  sort?: ChannelSort | undefined;
}

export const channelList = (page: number, filter: ChannelListFilter = {}) =>
  queryOptions({
    queryKey: ['channel', 'list', page, filter],
    queryFn: ({ signal }) => call('GET /api/channel/', { query: { page: page || undefined, ...filter }, signal }),
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

export const changeSubscription = (id: string, subscription: Subscription, confirm?: { confirm: string }) =>
  call('POST /api/channel/:id/', {
    params: { id },
    body:
      typeof subscription === 'boolean'
        ? { channel_subscribed: subscription }
        : {
            channel_subscribed: true,
            back_catalogue: subscription.back_catalogue,
            channel_overwrites: { subscriptions_auto_start: subscription.auto_start },
          },
    ...confirm,
  });

/** Changes a subscription; errors are shown as toasts. Videos contain their channel, so they are refetched too. */
export function useSubscribe(
  topic: 'channel' | 'playlist',
  change: (subscription: Subscription, confirm?: { confirm: string }) => Promise<unknown>,
) {
  const showToast = useToast();
  const withConfirmation = useWithConfirmation();
  return useMutation({
    mutationFn: (subscription: Subscription) => withConfirmation((confirm) => change(subscription, confirm)),
    onError: (error) => showToast(error.message, { isDanger: true }),
    onSettled: () => invalidateTopics(topic, 'video'),
  });
}
