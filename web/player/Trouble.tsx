import { Trans, useLingui } from '@lingui/react/macro';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { Video } from '#contract/video.ts';
import { durationText } from '#web/format/numbers.ts';
import { fileToKeep } from '#web/video/paths.ts';
import { helpsToRemux, whatCannotPlay } from './can-play.ts';
import { RemuxOffer } from './RemuxOffer.tsx';
import { retry, type TroubleState } from './trouble.ts';
import styles from './Trouble.module.css';

const canPlay = (type: string) => document.createElement('video').canPlayType(type) !== '';

function Reason({ video, trouble }: { video: Video; trouble: TroubleState }) {
  const { t } = useLingui();
  const place = durationText(trouble.at);
  if (trouble.kind === 'network')
    return <Trans>The server does not send the video just now. It is tried again by itself, and goes on at {place}.</Trans>;
  if (trouble.kind === 'gone')
    return <Trans>The file is not there any more. Is the disk with the media mounted? A rescan of the files tells more.</Trans>;
  if (trouble.kind === 'damaged')
    return <Trans>At {place} the file cannot be read by this browser: it may be damaged there.</Trans>;
  const cannot = whatCannotPlay(video, canPlay);
  const name = cannot?.name ?? '';
  if (cannot?.what === 'codec') return <Trans>This browser cannot play the file: it knows no {name}.</Trans>;
  if (cannot) return <Trans>This browser cannot play the file: it opens no {name} files.</Trans>;
  return <>{t`This browser cannot play the file, and does not say why.`}</>;
}

interface Props {
  video: Video;
  trouble: TroubleState;
  isSmall: boolean;
}

/** Why it does not play, whether that mends itself, and what can be done. */
export function Trouble({ video, trouble, isSmall }: Props) {
  const isFile = trouble.kind === 'format' || trouble.kind === 'damaged';
  return (
    <div className={styles.trouble} role="alert" data-interactive="">
      {!isSmall && <IconAlertTriangle aria-hidden />}
      <p>
        <Reason video={video} trouble={trouble} />
      </p>
      {!isSmall && (
        <p className={styles.acts}>
          {trouble.kind !== 'format' && (
            <button type="button" onClick={retry}>
              <Trans>Try again</Trans>
            </button>
          )}
          {isFile && (
            <a href={fileToKeep(video)} download>
              <Trans>Download file</Trans>
            </a>
          )}
          {isFile && helpsToRemux(video, canPlay) && <RemuxOffer video={video} />}
        </p>
      )}
    </div>
  );
}
