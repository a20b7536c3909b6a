import { Trans, useLingui } from '@lingui/react/macro';
import { hlsHeights } from '#contract/hls-heights.ts';
import type { Video } from '#contract/video.ts';
import { useStoreValue } from '#web/ui/create-store.ts';
import { audioSource } from '../audio/audio-source.ts';
import { isExpectedToPlay } from '../compatibility/can-play.ts';
import { playsHls } from '../compatibility/plays-hls.ts';
import styles from '../styles/SettingsPanel.module.css';

/** Choice of a lower height, for slow connections. Renders nothing if there is none. */
export function QualitySettings({ video }: { video: Video }) {
  const { t } = useLingui();
  const { playback, height, failed } = useStoreValue(audioSource, (now) => now);
  const picture = video.streams.find(({ type }) => type === 'video');
  const size = Math.min(picture?.width ?? 0, picture?.height ?? 0);
  const isOriginal = isExpectedToPlay(video);
  const heights = (playback?.heights ?? (picture && playsHls() ? hlsHeights(size) : [])).filter(
    (one) => !isOriginal || size === 0 || one < size,
  );
  if (heights.length < (isOriginal ? 1 : 2)) return null;
  const choose = (value: string) => {
    const { attempt } = audioSource.get();
    const height = value === '' ? null : Number(value);
    audioSource.set({ height, failed: failed ?? [], isRefused: false, attempt: attempt + 1, error: null });
  };
  return (
    <label className={styles.row}>
      <Trans>Quality</Trans>
      <select value={height ?? ''} onChange={({ target }) => choose(target.value)}>
        <option value="">{isOriginal ? t`Original` : t`Best`}</option>
        {heights.map((one) => (
          <option key={one} value={one}>
            {one}p
          </option>
        ))}
      </select>
    </label>
  );
}
