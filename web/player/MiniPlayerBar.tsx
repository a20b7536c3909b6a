import { useLingui } from '@lingui/react/macro';
import { TimeSlider } from '@videojs/react';
import { IconPlayerPauseFilled, IconPlayerPlayFilled, IconX } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Video } from '#contract/video.ts';
import { pathOfVideo } from '#web/api/paths.ts';
import { togglePaused } from './commands/actions.ts';
import { ControlButton } from './controls/ControlButton.tsx';
import { usePlayer } from './state/videojs.ts';
import { leavePlayer, setMiniPlayer, playerStore } from './state/player-store.ts';
import time from './controls/TimeBar.module.css';
import styles from './MiniPlayerBar.module.css';

/** Controls of the mini player: pause, close, and a link to the video's page. */
export function MiniPlayerBar({ video, element }: { video: Video; element: HTMLVideoElement }) {
  const { t } = useLingui();
  const isPaused = usePlayer(({ paused }) => paused);
  return (
    <div className={styles.bar} data-interactive="">
      <TimeSlider.Root className={`${time.slider} ${styles.time}`} step={5} label={t`Seek`} dir="ltr">
        <TimeSlider.Track className={time.track}>
          <TimeSlider.Buffer className={time.buffer} />
          <TimeSlider.Fill className={time.fill} />
        </TimeSlider.Track>
        <TimeSlider.Thumb className={time.thumb} />
      </TimeSlider.Root>
      <div className={styles.row}>
        <ControlButton label={isPaused ? t`Play` : t`Pause`} onClick={() => togglePaused(element)}>
          {isPaused ? <IconPlayerPlayFilled /> : <IconPlayerPauseFilled />}
        </ControlButton>
        <Link
          to={pathOfVideo(video)}
          className={styles.title}
          title={video.title}
          onClick={() => playerStore.get().hasSlot && setMiniPlayer(false)}
        >
          <bdi>{video.title}</bdi>
          <bdi>{video.channel.channel_name}</bdi>
        </Link>
        <ControlButton label={t`Close the player`} onClick={leavePlayer}>
          <IconX />
        </ControlButton>
      </div>
    </div>
  );
}
