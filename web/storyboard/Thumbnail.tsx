import { useLingui } from '@lingui/react/macro';
import { IconCheck } from '@tabler/icons-react';
import type { Video } from '#contract/video.ts';
import { addressOf } from '#web/api/call.ts';
import { durationText, lengthText, percentText } from '#web/format/numbers.ts';
import styles from './Thumbnail.module.css';

interface Props {
  video: Video;
  isNew?: boolean;
  isEager?: boolean;
  /** Upright, for lists of shorts only. */
  isPortrait?: boolean;
  /** Without badges, which do not fit. */
  isSmall?: boolean;
}

/** Thumbnail of a video with its badges, duration and progress. */
export function Thumbnail({ video, isNew = false, isEager = false, isPortrait = false, isSmall = false }: Props) {
  const { t } = useLingui();
  const { player, vid_type: kind } = video;
  const share = Math.round(player.progress ?? 0);
  return (
    <span
      className={`${styles.picture} ${isPortrait ? styles.portrait : ''} ${isSmall ? styles.small : ''} ${player.watched ? styles.watched : ''}`}
    >
      <img src={addressOf(video.vid_thumb_url)} alt="" loading={isEager ? 'eager' : 'lazy'} decoding="async" />
      <span className={styles.badges}>
        {isNew && <span className={styles.new}>{t`New`}</span>}
        {kind === 'shorts' && !isPortrait && <span className={styles.badge}>{t`Short`}</span>}
        {kind === 'streams' && <span className={styles.badge}>{t`Stream`}</span>}
      </span>
      <span className={styles.footer}>
        {player.watched && (
          <span className={styles.badge}>
            <IconCheck aria-hidden /> {t`Watched`}
          </span>
        )}
        <span className={`${styles.badge} number`} role="img" aria-label={lengthText(player.duration)}>
          {durationText(player.duration)}
        </span>
      </span>
      {!player.watched && share > 0 && (
        <span className={styles.progress} role="img" aria-label={t`${percentText(share / 100)} watched`}>
          <span style={{ width: `${player.progress}%` }} />
        </span>
      )}
    </span>
  );
}
