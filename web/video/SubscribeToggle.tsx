import { Trans, useLingui } from '@lingui/react/macro';
import type { Channel } from '#contract/channel.ts';
import { subscribeTo, useSubscribe } from '#web/channel/queries.ts';
import { Button } from '#web/ui/Button.tsx';
import { useToast } from '#web/ui/toasts.tsx';

/** Subscribes to the channel of a video, or no more: seen at once, taken back when refused or regretted. */
export function SubscribeToggle({ channel: { channel_id: id, channel_subscribed, channel_name: name } }: { channel: Channel }) {
  const { t } = useLingui();
  const say = useToast();
  const subscribe = useSubscribe('channel', (isWanted, confirm) => subscribeTo(id, isWanted, confirm));
  const isOn = subscribe.isPending ? subscribe.variables : channel_subscribed;
  const toggle = () => {
    const action = { label: t`Undo`, run: () => subscribe.mutate(isOn) };
    const done = isOn ? t`No longer subscribed to ${name}.` : t`Subscribed to ${name}.`;
    subscribe.mutate(!isOn, { onSuccess: () => say(done, { action }) });
  };
  return (
    <Button kind={isOn ? 'plain' : 'primary'} aria-pressed={isOn} onClick={toggle}>
      {isOn ? <Trans>Subscribed</Trans> : <Trans>Subscribe</Trans>}
    </Button>
  );
}
