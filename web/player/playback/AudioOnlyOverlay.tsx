import { Trans, useLingui } from '@lingui/react/macro';
import { IconHeadphones, IconX } from '@tabler/icons-react';
import type { Video } from '#contract/video.ts';
import { useStoreValue } from '#web/ui/create-store.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { audioSource, toggleAudioOnly } from '../audio/audio-source.ts';
import styles from '../styles/notice.module.css';

const CompatibleOffer = lazyComponent(async () => (await import('./CompatibleOffer.tsx')).CompatibleOffer, 'optional');

/** Shows that only audio plays, that it is being prepared, or why it failed, with a remedy. */
export function AudioOnlyOverlay({ video, isSmall }: { video: Video; isSmall: boolean }) {
  const { t } = useLingui();
  const { isAudioOnly, isPreparing, error, playback } = useStoreValue(audioSource, (now) => now);
  if (!isAudioOnly && !isPreparing && error === null) return null;
  return (
    <div className={styles.badge} data-interactive="">
      {!playback && <IconHeadphones aria-hidden />}
      <div className={styles.text}>
        <span role="status">
          {error ??
            (isPreparing ? (
              playback ? (
                <Trans>Preparing a copy that this browser plays…</Trans>
              ) : (
                <Trans>Preparing audio…</Trans>
              )
            ) : isSmall ? null : (
              <Trans>Audio only</Trans>
            ))}
        </span>
        {error !== null && playback?.method === 'none' && !isSmall && <CompatibleOffer video={video} />}
      </div>
      {error !== null ? (
        <button type="button" className={styles.close} aria-label={t`Close`} onClick={() => audioSource.set({ error: null })}>
          <IconX aria-hidden />
        </button>
      ) : (
        isAudioOnly && (
          <button type="button" onClick={toggleAudioOnly}>
            <Trans>Show video</Trans>
          </button>
        )
      )}
    </div>
  );
}
