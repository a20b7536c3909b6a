import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { IconExternalLink, IconStar, IconStarFilled, IconStarHalfFilled } from '@tabler/icons-react';
import type { Video } from '#contract/video.ts';
import { agoText, dayText, momentText } from '#web/format/dates.ts';
import { Moment } from '#web/format/Moment.tsx';
import { countText, decimalText, exactText, sizeText } from '#web/format/numbers.ts';
import { useConfig } from '#web/user/queries.ts';
import { starsOf } from './stars.ts';
import styles from './Details.module.css';

const starIcons = { full: IconStarFilled, half: IconStarHalfFilled, empty: IconStar };

function Rating({ rating }: { rating: number }) {
  const { t } = useLingui();
  const exact = decimalText(rating, 2);
  return (
    <span className={styles.stars} role="img" aria-label={t`Rated ${exact} of 5`} title={exact}>
      {starsOf(rating).map((kind, place) => {
        const Icon = starIcons[kind];
        return <Icon key={place} aria-hidden />;
      })}
    </span>
  );
}

function Source({ video }: { video: Video }) {
  const { t } = useLingui();
  const words = video.active ? t`Active` : t`Deactivated`;
  if (!video.source_url) return <span className={video.active ? undefined : styles.gone}>{words}</span>;
  return (
    <a
      className={styles.source}
      href={video.source_url}
      target="_blank"
      rel="noopener noreferrer nofollow"
      title={video.active ? t`Open it at its source` : t`Its source says that it is gone`}
    >
      {words} <IconExternalLink aria-hidden />
    </a>
  );
}

/** The numbers of a video, and where it came from. */
export function Facts({ video }: { video: Video }) {
  const unit = useConfig()?.file_size_unit;
  const { stats, media_size: bytes } = video;
  const [views, likes, dislikes] = [stats.view_count, stats.like_count, stats.dislike_count].map(countText);
  const refreshed = agoText(video.vid_last_refresh);
  return (
    <>
      <p className={styles.facts}>
        <span title={exactText(stats.view_count)}>
          <Plural value={stats.view_count} one={`${views ?? ''} view`} other={`${views ?? ''} views`} />
        </span>
        <Moment at={video.published}>{dayText(video.published)}</Moment>
        {stats.like_count > 0 && (
          <span title={exactText(stats.like_count)}>
            <Plural value={stats.like_count} one={`${likes ?? ''} like`} other={`${likes ?? ''} likes`} />
          </span>
        )}
        {stats.dislike_count > 0 && (
          <span title={exactText(stats.dislike_count)}>
            <Plural value={stats.dislike_count} one={`${dislikes ?? ''} dislike`} other={`${dislikes ?? ''} dislikes`} />
          </span>
        )}
        {stats.average_rating > 0 && <Rating rating={stats.average_rating} />}
      </p>
      <p className={`${styles.facts} ${styles.aside}`}>
        <span>
          <Trans>Source:</Trans> <Source video={video} />
        </span>
        <span title={momentText(video.vid_last_refresh)}>
          <Trans>Last refreshed {refreshed}</Trans>
        </span>
        <span title={`${exactText(bytes)} B`}>{sizeText(bytes, unit)}</span>
      </p>
    </>
  );
}
