import { Trans, useLingui } from '@lingui/react/macro';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { Video } from '#contract/video.ts';
import { durationText } from '#web/format/numbers.ts';
import { downloadUrl } from '#web/api/paths.ts';
import { messageText } from '#web/i18n/message-text.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { useStoreValue } from '#web/ui/create-store.ts';
import { audioSource } from '../audio/audio-source.ts';
import { retry, type PlaybackErrorState } from './playback-error.ts';
import styles from './PlaybackError.module.css';

const FileRemedies = lazyComponent(async () => (await import('./FileRemedies.tsx')).FileRemedies, 'optional');

function Reason({ error }: { error: PlaybackErrorState }) {
  const { t } = useLingui();
  const playback = useStoreValue(audioSource, (now) => now.playback);
  const position = durationText(error.at);
  if (error.kind === 'network')
    return <Trans>The server is not sending the video. Playback resumes automatically at {position}.</Trans>;
  if (error.kind === 'gone')
    return <Trans>The file is missing. Check that the media disk is mounted, then rescan the file system.</Trans>;
  if (error.kind === 'damaged') return <Trans>This browser can’t read the file at {position}. It may be damaged there.</Trans>;
  if (playback) return <>{messageText(playback.reason_messages, playback.reasons.join(' '))}</>;
  return <>{t`This browser can’t play this file and gives no reason.`}</>;
}

interface Props {
  video: Video;
  error: PlaybackErrorState;
  isSmall: boolean;
}

/** Playback error with its remedies. */
export function PlaybackError({ video, error, isSmall }: Props) {
  const isFile = error.kind === 'format' || error.kind === 'damaged';
  return (
    <div className={styles.error} role="alert" data-interactive="">
      {!isSmall && <IconAlertTriangle aria-hidden />}
      <p>
        <Reason error={error} />
      </p>
      {!isSmall && (
        <p className={styles.actions}>
          {error.kind !== 'format' && (
            <button type="button" onClick={retry}>
              <Trans>Try again</Trans>
            </button>
          )}
          {isFile && (
            <a href={downloadUrl(video)} download>
              <Trans>Download file</Trans>
            </a>
          )}
          {isFile && <FileRemedies video={video} isDamaged={error.kind === 'damaged'} />}
        </p>
      )}
    </div>
  );
}
