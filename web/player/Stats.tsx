import { Trans, useLingui } from '@lingui/react/macro';
import { IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { Video } from '#contract/video.ts';
import { exactText, sizeText } from '#web/format/numbers.ts';
import { ControlButton } from './ControlButton.tsx';
import { frameRate } from './frame-rate.ts';
import styles from './Stats.module.css';

interface Props {
  video: Video;
  element: HTMLVideoElement;
  onClose(): void;
}

/** How long what has been fetched ahead will last, seconds. */
function ahead({ buffered, currentTime }: HTMLVideoElement): number {
  for (let place = 0; place < buffered.length; place++)
    if (buffered.start(place) <= currentTime && currentTime <= buffered.end(place)) return buffered.end(place) - currentTime;
  return 0;
}

/** What the file is and how it plays, in figures. */
export function Stats({ video, element, onClose }: Props) {
  const { t } = useLingui();
  const [, look] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => look((turn) => turn + 1), 500);
    return () => clearInterval(timer);
  }, []);
  const { totalVideoFrames, droppedVideoFrames } = element.getVideoPlaybackQuality();
  const codecs = video.streams.map(({ codec, bitrate }) => `${codec} ${exactText(Math.round(bitrate / 1000))} kbit/s`).join(', ');
  const [seconds, size] = [ahead(element).toFixed(1), sizeText(video.media_size)];
  const rows: [string, string][] = [
    [t`Video`, video.youtube_id],
    [
      t`Picture`,
      element.videoWidth === 0
        ? t`Only the sound plays`
        : `${element.videoWidth} × ${element.videoHeight}, ${frameRate(element).toFixed(2)} / s`,
    ],
    [t`Shown in`, `${element.clientWidth} × ${element.clientHeight} × ${devicePixelRatio}`],
    [t`Codecs`, codecs],
    [t`File`, size],
    [t`Pictures`, t`${exactText(totalVideoFrames)}, ${exactText(droppedVideoFrames)} dropped`],
    [t`Fetched ahead`, `${seconds} s`],
    [t`Speed, volume`, `${element.playbackRate}×, ${Math.round(element.volume * 100)} %`],
    [t`At`, `${element.currentTime.toFixed(2)} / ${element.duration.toFixed(2)} s`],
  ];
  return (
    <section className={`${styles.stats} number`} aria-label={t`Figures about the playback`} data-interactive="">
      <span className={styles.close}>
        <ControlButton label={t`Close the figures`} onClick={onClose}>
          <IconX />
        </ControlButton>
      </span>
      <h3 className="hidden">
        <Trans>Figures about the playback</Trans>
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
