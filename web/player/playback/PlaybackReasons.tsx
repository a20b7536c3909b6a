import { Trans, useLingui } from '@lingui/react/macro';
import type { Video } from '#contract/video.ts';
import { messageText } from '#web/i18n/message-text.ts';
import { useStoreValue } from '#web/ui/create-store.ts';
import { audioSource } from '../audio/audio-source.ts';
import { CompatibleOffer } from './CompatibleOffer.tsx';
import { RemuxOffer } from './RemuxOffer.tsx';
import settings from '../styles/SettingsPanel.module.css';
import styles from './PlaybackReasons.module.css';

/** Says from what a file plays that this browser does not play as it is, and why. */
export function PlaybackReasons({ video }: { video: Video }) {
  const { t } = useLingui();
  const { playback, height } = useStoreValue(audioSource, (now) => now);
  if (!playback || playback.reasons.length === 0) return null;
  const { method, reasons, reason_messages: messages } = playback;
  const names = {
    direct: t`Original file`,
    repack: t`Repacked copy`,
    convert_sound: t`Copy with AAC sound`,
    small: t`Compatible copy`,
    hls: t`Conversion by the server`,
    none: t`Not playable here`,
  };
  return (
    <div className={settings.group}>
      <p className={settings.row}>
        <Trans>Plays from</Trans>
        <span>{names[method]}</span>
      </p>
      <details className={styles.why}>
        <summary>
          <Trans>Why?</Trans>
        </summary>
        <ul>
          {reasons.map((reason, at) => (
            <li key={reason}>{messageText(messages[at] && [messages[at]], reason)}</li>
          ))}
        </ul>
        <p className={styles.offer}>
          <RemuxOffer video={video} />
          {method === 'hls' && height === null && <CompatibleOffer video={video} />}
        </p>
      </details>
    </div>
  );
}
