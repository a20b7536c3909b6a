import { Trans, useLingui } from '@lingui/react/macro';
import { IconHeadphones, IconX } from '@tabler/icons-react';
import { audioSource, toggleAudioOnly } from './audio-source.ts';
import { useStoreValue } from '#web/ui/create-store.ts';
import styles from '../styles/notice.module.css';

/** Shows that only audio plays, that it is being prepared, or why it failed. */
export function AudioOnlyOverlay({ isSmall }: { isSmall: boolean }) {
  const { t } = useLingui();
  const { isAudioOnly, isPreparing, error, playback } = useStoreValue(audioSource, (now) => now);
  if (!isAudioOnly && !isPreparing && error === null) return null;
  return (
    <div className={styles.badge} data-interactive="">
      {!playback && <IconHeadphones aria-hidden />}
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
