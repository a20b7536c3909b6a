import { useLingui } from '@lingui/react/macro';
import { VolumeSlider } from '@videojs/react';
import { IconVolume, IconVolume2, IconVolume3 } from '@tabler/icons-react';
import { ControlButton } from './ControlButton.tsx';
import { usePlayer } from '../state/videojs.ts';
import styles from './Volume.module.css';

/** Mute button and volume slider; the slider is absent where only the device sets the volume. */
export function Volume() {
  const { t } = useLingui();
  const isMuted = usePlayer(({ muted }) => muted);
  const volume = usePlayer((player) => player.volume);
  const isChangeable = usePlayer(({ volumeAvailability }) => volumeAvailability === 'available');
  const toggle = usePlayer((player) => player.toggleMuted);
  const isSilent = isMuted || volume === 0;
  return (
    <span className={styles.volume}>
      <ControlButton label={isSilent ? t`Unmute` : t`Mute`} onClick={toggle}>
        {isSilent ? <IconVolume3 /> : volume < 0.5 ? <IconVolume2 /> : <IconVolume />}
      </ControlButton>
      {isChangeable && (
        <VolumeSlider.Root className={styles.slider} label={t`Volume`}>
          <VolumeSlider.Track className={styles.track}>
            <VolumeSlider.Fill className={styles.fill} />
          </VolumeSlider.Track>
          <VolumeSlider.Thumb className={styles.thumb} />
        </VolumeSlider.Root>
      )}
    </span>
  );
}
