import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { IconExternalLink, IconStar, IconStarFilled, IconStarHalfFilled } from '@tabler/icons-react';
import type { Video } from '#contract/video.ts';
import { agoText, dayText, dateTimeText } from '#web/format/dates.ts';
import { RelativeTime } from '#web/format/RelativeTime.tsx';
import { countText, decimalText, exactText, sizeText } from '#web/format/numbers.ts';
import { useConfig } from '#web/api/account.ts';
import { starsOf } from './stars.ts';
import styles from './Details.module.css';

const starIcons = { full: IconStarFilled, half: IconStarHalfFilled, empty: IconStar };

function Rating({ rating }: { rating: number }) {
  const { t } = useLingui();
  const exact = decimalText(rating, 2);
  return (
    <span className={styles.stars} role="img" aria-label={t`Rated ${exact} of 5`} title={exact}>
      {starsOf(rating).map((kind, index) => {
        const Icon = starIcons[kind];
        return <Icon key={index} aria-hidden />;
      })}
    </span>
  );
}

function Source({ video }: { video: Video }) {
  const { t } = useLingui();
  const words = video.active ? t`Active` : t`Deactivated`;
  if (!video.source_url) return <span className={video.active ? undefined : styles.unavailable}>{words}</span>;
  return (
    <a
      className={styles.source}
      href={video.source_url}
      target="_blank"
      rel="noopener noreferrer nofollow"
      title={video.active ? t`Open original` : t`No longer available at the source`}
    >
      {words} <IconExternalLink aria-hidden />
    </a>
  );
}

/** Counts, source and size of a video. */
export function VideoMeta({ video }: { video: Video }) {
  const unit = useConfig()?.file_size_unit;
  const { stats, media_size: bytes } = video;
  const [views, likes, dislikes] = [stats.view_count, stats.like_count, stats.dislike_count].map(countText);
  const refreshed = agoText(video.vid_last_refresh);
  return (
    <>
      <p className={styles.meta}>
        <span title={exactText(stats.view_count)}>
          <Plural value={stats.view_count} one={`${views ?? ''} view`} other={`${views ?? ''} views`} />
        </span>
        <RelativeTime at={video.published}>{dayText(video.published)}</RelativeTime>
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
      <p className={`${styles.meta} ${styles.secondary}`}>
        <span>
          <Trans>Source:</Trans> <Source video={video} />
        </span>
        <span title={dateTimeText(video.vid_last_refresh)}>
          <Trans>Last refreshed {refreshed}</Trans>
        </span>
        <span title={`${exactText(bytes)} B`}>{sizeText(bytes, unit)}</span>
      </p>
    </>
  );
}
