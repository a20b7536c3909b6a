import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { LinesBox } from '#web/ui/LinesBox.tsx';
import { useToast } from '#web/ui/toasts.tsx';

/** Where playlists are subscribed to, one a line. */
export function SubscribeToPlaylists() {
  const { t } = useLingui();
  const say = useToast();
  const subscribe = useMutation({
    mutationFn: (lines: string[]) =>
      call('POST /api/playlist/', { body: { data: lines.map((line) => ({ playlist_id: line, playlist_subscribed: true })) } }),
    onSuccess: () => say(t`Looking it up. The playlist appears below in a moment.`),
    onError: (error) => say(error.message, { isDanger: true }),
  });
  return (
    <LinesBox
      label={t`Subscribe: playlist links or ids, one a line`}
      action={t`Subscribe`}
      onSubmit={(lines) => subscribe.mutateAsync(lines)}
    />
  );
}
