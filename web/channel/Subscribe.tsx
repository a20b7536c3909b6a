import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { IconBell, IconBellOff } from '@tabler/icons-react';
import { call } from '#web/api/call.ts';
import { Button } from '#web/ui/Button.tsx';
import { LinesBox } from '#web/ui/LinesBox.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { useSubscribe } from './queries.ts';

/** Where channels are subscribed to, one a line. */
export function SubscribeToChannels() {
  const { t } = useLingui();
  const say = useToast();
  const subscribe = useMutation({
    mutationFn: (lines: string[]) =>
      call('POST /api/channel/', { body: { data: lines.map((line) => ({ channel_id: line, channel_subscribed: true })) } }),
    onSuccess: () => say(t`Looking it up. The channel appears below in a moment.`),
    onError: (error) => say(error.message, { isDanger: true }),
  });
  return (
    <LinesBox
      label={t`Subscribe: channel links, @handles, ids, or a video of the channel; one a line`}
      action={t`Subscribe`}
      onSubmit={(lines) => subscribe.mutateAsync(lines)}
    />
  );
}

/** Whether new videos come by themselves; and the way to change that. */
export function SubscribeButton({
  isSubscribed,
  change,
  room,
  size = 'm',
}: {
  isSubscribed: boolean;
  change(isSubscribed: boolean, confirm?: { confirm: string }): Promise<unknown>;
  room: 'channel' | 'playlist';
  size?: 'm' | 's';
}) {
  const { t } = useLingui();
  const save = useSubscribe(room, change);
  return (
    <Button
      kind={isSubscribed || size === 's' ? 'plain' : 'primary'}
      icon={isSubscribed ? <IconBellOff aria-hidden /> : <IconBell aria-hidden />}
      size={size}
      isBusy={save.isPending}
      onClick={() => save.mutate(!isSubscribed)}
    >
      {isSubscribed ? t`Unsubscribe` : t`Subscribe`}
    </Button>
  );
}
