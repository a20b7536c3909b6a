import { useAction } from '#web/confirm/use-action.ts';
import { useLingui } from '@lingui/react/macro';
import { IconArrowsShuffle, IconPlayerPlay } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { queryClient } from '#web/api/client.ts';
import { setPreferences } from '#web/player/state/player-preferences.ts';
import { clearQueue, toQueuedVideo, setQueue, shuffleQueue } from '#web/player/queue/queue.ts';
import { Button } from '#web/ui/Button.tsx';
import { pathOfVideo } from '#web/api/paths.ts';
import { playlistVideos } from '#web/api/queries/playlist.ts';

/** Plays a playlist from its first video, or shuffled. */
export function PlayAll({ id }: { id: string }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const play = useAction(
    async (isShuffled: boolean) => {
      const videos = await queryClient.fetchQuery(playlistVideos(id));
      if (!isShuffled) {
        clearQueue();
        setPreferences({ autoplay: id });
        return videos[0]?.youtube_id;
      }
      const from = Math.floor(Math.random() * videos.length);
      const items = videos.map(toQueuedVideo);
      const first = items[from];
      if (!first) return undefined;
      setQueue([first, ...items.toSpliced(from, 1)]);
      shuffleQueue(first.id);
      return first.id;
    },
    { onSuccess: (first) => first !== undefined && void navigate(pathOfVideo({ youtube_id: first })) },
  );
  return (
    <>
      <Button kind="primary" icon={<IconPlayerPlay aria-hidden />} isBusy={play.isPending} onClick={() => play.mutate(false)}>
        {t`Play all`}
      </Button>
      <Button icon={<IconArrowsShuffle aria-hidden />} isBusy={play.isPending} onClick={() => play.mutate(true)}>
        {t`Shuffle`}
      </Button>
    </>
  );
}
