import { useMutation } from '@tanstack/react-query';
import { invalidateTopics } from '#web/api/client.ts';
import type { Subscription } from '#web/api/queries/channel.ts';
import { useWithConfirmation } from '#web/confirm/ReauthProvider.tsx';
import { useToast } from '#web/ui/toasts.tsx';

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
