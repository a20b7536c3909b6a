import { useLingui } from '@lingui/react/macro';
import { TimeSlider } from '@videojs/react';
import { IconPlayerPauseFilled, IconPlayerPlayFilled, IconX } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Video } from '#contract/video.ts';
import { pathOfVideo } from '#web/video/paths.ts';
import { togglePaused } from './actions.ts';
import { ControlButton } from './ControlButton.tsx';
import { usePlayer } from './engine.ts';
import { leavePlayer, setInCorner, stage } from './stage.ts';
import time from './TimeBar.module.css';
import styles from './CornerBar.module.css';

/** What can be done while it plays in the corner: stop, close, and back to its page. */
export function CornerBar({ video, element }: { video: Video; element: HTMLVideoElement }) {
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
          onClick={() => stage.get().hasPlace && setInCorner(false)}
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
