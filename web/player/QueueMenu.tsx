import { Trans, useLingui } from '@lingui/react/macro';
import { IconDotsVertical, IconPlayerTrackNext, IconPlaylist } from '@tabler/icons-react';
import type { Video } from '#contract/video.ts';
import { IconButton } from '#web/ui/Button.tsx';
import { Menu, MenuItem } from '#web/ui/Menu.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { addToPlayQueue, playNext } from './play.ts';

/** When a video of a list is to be played. */
export function QueueMenu({ video }: { video: Video }) {
  const { t } = useLingui();
  const say = useToast();
  const next = () => {
    playNext(video);
    say(t`Played next.`);
  };
  const last = () => {
    addToPlayQueue(video);
    say(t`Added to the queue.`);
  };
  return (
    <Menu
      trigger={
        <IconButton label={t`When to play “${video.title}”`}>
          <IconDotsVertical aria-hidden />
        </IconButton>
      }
    >
      <MenuItem icon={<IconPlayerTrackNext aria-hidden />} onSelect={next}>
        <Trans>Play next</Trans>
      </MenuItem>
      <MenuItem icon={<IconPlaylist aria-hidden />} onSelect={last}>
        <Trans>Add to the queue</Trans>
      </MenuItem>
    </Menu>
  );
}
