import { useLingui } from '@lingui/react/macro';
import { call } from '#web/api/call.ts';
import { SubscribeForm } from '#web/channel/subscribe/SubscribeForm.tsx';

export function SubscribeToPlaylists() {
  const { t } = useLingui();
  return (
    <SubscribeForm
      label={t`Playlist URL or ID – one per line`}
      start={(lines, choices) =>
        call('POST /api/playlist/', {
          body: { data: lines.map((line) => ({ playlist_id: line, playlist_subscribed: true })), ...choices },
        })
      }
    />
  );
}
