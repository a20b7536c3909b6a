import { useAction } from '#web/confirm/use-action.ts';
import { useLingui } from '@lingui/react/macro';
import { IconArrowsShuffle, IconPlayerPlay } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import type { Video } from '#contract/video.ts';
import { setPreferences } from '#web/player/state/player-preferences.ts';
import { clearQueue, toQueuedVideo, setQueue, shuffleQueue } from '#web/player/queue/queue.ts';
import { Button } from '#web/ui/Button.tsx';
import { pathOfVideo } from '#web/api/paths.ts';

interface Props {
  load(): Promise<Video[]>;
  /** The videos are those of this playlist, which is not copied into Up next. */
  playlist?: string;
}

/** Plays a list from its first video, or shuffled. */
export function PlayAll({ load, playlist }: Props) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const play = useAction(
    async (isShuffled: boolean) => {
      const videos = await load();
      const items = videos.map(toQueuedVideo);
      if (!isShuffled && playlist !== undefined) {
        clearQueue();
        setPreferences({ autoplay: playlist });
        return items[0]?.id;
      }
      if (!isShuffled) {
        setQueue(items);
        return items[0]?.id;
      }
      const from = Math.floor(Math.random() * items.length);
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
