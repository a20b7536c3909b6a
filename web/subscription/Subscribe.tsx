import { useLingui } from '@lingui/react/macro';
import { IconBell, IconBellCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { Button } from '#web/ui/Button.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import type { Subscription } from '#web/api/queries/channel.ts';
import { useSubscribe } from './use-subscribe.ts';
import { SubscribeDialog } from './SubscribeDialog.tsx';

/** Toggle: subscribes after a dialog about uploads, or unsubscribes. The change is optimistic and can be undone. */
export function SubscribeButton({
  name,
  isSubscribed,
  change,
  topic,
  size = 'm',
  kind = size === 's' ? 'plain' : 'primary',
}: {
  name: string;
  isSubscribed: boolean;
  change(subscription: Subscription, confirm?: { confirm: string }): Promise<unknown>;
  topic: 'channel' | 'playlist';
  size?: 'm' | 's';
  /** Look while not subscribed. */
  kind?: 'plain' | 'primary';
}) {
  const { t } = useLingui();
  const showToast = useToast();
  const [isAsking, setIsAsking] = useState(false);
  const save = useSubscribe(topic, change);
  const isOn = save.isPending ? save.variables !== false : isSubscribed;
  const set = (subscription: Subscription) => {
    const action = { label: t`Undo`, run: () => save.mutate(subscription === false) };
    const done = subscription === false ? t`Unsubscribed from ${name}.` : t`Subscribed to ${name}.`;
    save.mutate(subscription, { onSuccess: () => showToast(done, { action }) });
  };
  return (
    <>
      <Button
        kind={isOn ? 'plain' : kind}
        icon={isOn ? <IconBellCheck aria-hidden /> : <IconBell aria-hidden />}
        size={size}
        aria-pressed={isOn}
        title={isOn ? t`Unsubscribe` : undefined}
        onClick={() => (isOn ? set(false) : setIsAsking(true))}
      >
        {isOn ? t`Subscribed` : t`Subscribe`}
      </Button>
      {isAsking && (
        <SubscribeDialog
          onSubscribe={(choices) => {
            setIsAsking(false);
            set(choices);
          }}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  );
}
