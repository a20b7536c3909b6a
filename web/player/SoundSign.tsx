import { Trans, useLingui } from '@lingui/react/macro';
import { IconHeadphones, IconX } from '@tabler/icons-react';
import { sound, toggleSoundOnly } from './sound.ts';
import { usePart } from './store.ts';
import styles from './notice.module.css';

/** Says that only the sound plays, that it is being made ready, or why it cannot be had. */
export function SoundSign({ isSmall }: { isSmall: boolean }) {
  const { t } = useLingui();
  const { isAlone, isWaiting, why } = usePart(sound, (now) => now);
  if (!isAlone && !isWaiting && why === null) return null;
  return (
    <div className={styles.sign} data-interactive="">
      <IconHeadphones aria-hidden />
      <span role="status">
        {why ?? (isWaiting ? <Trans>Getting the sound ready…</Trans> : isSmall ? null : <Trans>Only the sound plays</Trans>)}
      </span>
      {why !== null ? (
        <button type="button" className={styles.close} aria-label={t`Close`} onClick={() => sound.set({ why: null })}>
          <IconX aria-hidden />
        </button>
      ) : (
        isAlone && (
          <button type="button" onClick={toggleSoundOnly}>
            <Trans>Show the picture</Trans>
          </button>
        )
      )}
    </div>
  );
}
