import { Trans, useLingui } from '@lingui/react/macro';
import { IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { Video } from '#contract/video.ts';
import { decibelsFor, useLoudness } from '../playback/even-volume.ts';
import { usePreferences } from '../state/player-preferences.ts';
import { bitrateText, decimalText, exactText, percentText, sizeText } from '#web/format/numbers.ts';
import { ControlButton } from './ControlButton.tsx';
import { frameRate } from '../commands/frame-rate.ts';
import styles from './Stats.module.css';

interface Props {
  video: Video;
  element: HTMLVideoElement;
  onClose(): void;
}

/** Seconds that are buffered after the current position. */
function bufferedSeconds({ buffered, currentTime }: HTMLVideoElement): number {
  for (let index = 0; index < buffered.length; index++)
    if (buffered.start(index) <= currentTime && currentTime <= buffered.end(index)) return buffered.end(index) - currentTime;
  return 0;
}

/** Technical details of the file and its playback. */
export function Stats({ video, element, onClose }: Props) {
  const { t } = useLingui();
  const [, look] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => look((turn) => turn + 1), 500);
    return () => clearInterval(timer);
  }, []);
  const { totalVideoFrames, droppedVideoFrames } = element.getVideoPlaybackQuality();
  const lufs = useLoudness(video);
  const target = usePreferences((state) => state.evenVolume);
  const lowered = lufs === null ? 0 : Math.round(decibelsFor(lufs, target) * 10) / 10;
  const codecs = video.streams.map(({ codec, bitrate }) => `${codec} ${bitrateText(bitrate)}`).join(', ');
  const [seconds, size] = [decimalText(bufferedSeconds(element), 1), sizeText(video.media_size)];
  const rows: [string, string][] = [
    [t`Video`, video.youtube_id],
    [
      t`Resolution`,
      element.videoWidth === 0
        ? t`Audio only`
        : `${element.videoWidth} × ${element.videoHeight}, ${decimalText(frameRate(element), 2)} / s`,
    ],
    [t`Viewport`, `${element.clientWidth} × ${element.clientHeight} × ${devicePixelRatio}`],
    [t`Codecs`, codecs],
    [t`File`, size],
    [t`Frames`, t`${exactText(totalVideoFrames)}, ${exactText(droppedVideoFrames)} dropped`],
    [t`Buffered`, `${seconds} s`],
    [t`Speed, volume`, `${element.playbackRate}×, ${percentText(element.volume)}`],
    ...(lufs === null
      ? []
      : [
          [t`Loudness`, `${decimalText(lufs, 1)} LUFS${lowered < 0 ? `, ${decimalText(lowered, 1)} dB` : ''}`] as [
            string,
            string,
          ],
        ]),
    [t`Position`, `${decimalText(element.currentTime, 2)} / ${decimalText(element.duration, 2)} s`],
  ];
  return (
    <section className={`${styles.stats} number`} aria-label={t`Playback stats`} data-interactive="">
      <span className={styles.close}>
        <ControlButton label={t`Close stats`} onClick={onClose}>
          <IconX />
        </ControlButton>
      </span>
      <h3 className="hidden">
        <Trans>Playback stats</Trans>
      </h3>
      <dl>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
