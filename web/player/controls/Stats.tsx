import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { IconX } from '@tabler/icons-react';
import { useEffect, useState, type ReactNode } from 'react';
import type { Video } from '#contract/video.ts';
import { raisedVolume } from '../state/raised-volume.ts';
import { decibelsFor, useLoudness } from '../playback/even-volume.ts';
import { useIsStaff } from '#web/api/account.ts';
import { call } from '#web/api/call.ts';
import { useStoreValue } from '#web/ui/create-store.ts';
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

type Row = [name: string, value: ReactNode];

/** Button for staff that measures the loudness of a video again. */
function MeasureAgain({ video }: { video: Video }) {
  const { t } = useLingui();
  const isStaff = useIsStaff();
  const measuring = useMutation({
    mutationFn: () => call('POST /api/video/:id/loudness/', { params: { id: video.youtube_id } }),
  });
  if (!isStaff) return null;
  return (
    <button type="button" className={styles.again} disabled={!measuring.isIdle} onClick={() => measuring.mutate()}>
      {measuring.error?.message ?? (measuring.isIdle ? t`Measure again` : t`Measuring…`)}
    </button>
  );
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
  const loudness = useLoudness(video);
  const raised = useStoreValue(raisedVolume, (now) => now.decibels);
  const target = usePreferences((state) => state.evenVolume);
  const applied = raised || (loudness ? decibelsFor(loudness.lufs, target) : 0);
  const appliedText = `${applied > 0 ? '+' : ''}${decimalText(applied, 1)} dB`;
  const codecs = video.streams.map(({ codec, bitrate }) => `${codec} ${bitrateText(bitrate)}`).join(', ');
  const [seconds, size] = [decimalText(bufferedSeconds(element), 1), sizeText(video.media_size)];
  const rows: Row[] = [
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
    ...(loudness
      ? [
          [
            t`Loudness`,
            <>
              {`${decimalText(loudness.lufs, 1)} LUFS${Math.abs(applied) < 0.05 ? '' : `, ${appliedText}`}`}
              <MeasureAgain video={video} />
            </>,
          ] satisfies Row,
        ]
      : []),
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
