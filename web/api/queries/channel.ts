import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ChannelSort } from '#contract/channel.ts';
import { call } from '#web/api/call.ts';

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
  own_tag?: string | undefined;
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
