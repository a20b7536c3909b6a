import { useAction } from '#web/confirm/use-action.ts';
import { invalidateTopics } from '#web/api/client.ts';
import type { Subscription } from '#web/api/queries/channel.ts';

/** Changes a subscription; errors are shown as toasts. Videos contain their channel, so they are refetched too. */
export function useSubscribe(
  topic: 'channel' | 'playlist',
  change: (subscription: Subscription, confirm?: { confirm: string }) => Promise<unknown>,
) {
  return useAction((subscription: Subscription, confirm) => change(subscription, confirm), {
    onSettled: () => invalidateTopics(topic, 'video'),
  });
}
