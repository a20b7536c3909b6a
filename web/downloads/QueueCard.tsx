import { Trans, useLingui } from '@lingui/react/macro';
import { IconAlertTriangle, IconClock, IconMovie } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { addressOf } from '#web/api/call.ts';
import { messageText } from '#web/i18n/message-text.ts';
import { TextWithLinks } from '#web/settings-pages/TextWithLinks.tsx';
import { useConfig } from '#web/api/account.ts';
import { agoText, dateTimeText, dayText } from '#web/format/dates.ts';
import { durationText } from '#web/format/numbers.ts';
import { RelativeTime } from '#web/format/RelativeTime.tsx';
import { pathOfChannel } from '#web/api/paths.ts';
import { adviceFor } from '#web/runs/failure-advice.ts';
import { cooldownsQuery, useNotices, type QueueItem } from '#web/api/queries/download.ts';
import { QueueActions } from './QueueActions.tsx';
import { findDownload, progressText, shareOf } from '#web/tasks/download-progress.ts';
import styles from './QueueCard.module.css';

function Failure({ item: { message, failure_messages: messages, failure, retry_at: retryAt } }: { item: QueueItem }) {
  const { t } = useLingui();
  const advice = adviceFor(failure);
  // A stream that is not over has not failed.
  const isWaiting = failure === 'not-yet';
  return (
    <div className={`${styles.failure} ${isWaiting ? styles.waits : ''}`}>
      {isWaiting ? <IconClock aria-hidden /> : <IconAlertTriangle aria-label={t`Failed`} />}
      <p>
        <TextWithLinks text={messageText(messages, message ?? '')} />{' '}
        {retryAt === undefined ? (
          <Trans>Won’t retry automatically.</Trans>
        ) : (
          <RelativeTime at={retryAt}>
            {isWaiting ? t`Checked again ${agoText(retryAt)}.` : t`Retries ${agoText(retryAt)}.`}
          </RelativeTime>
        )}{' '}
        {advice && <Link to={advice.to}>{t(advice.words)}</Link>}
      </p>
    </div>
  );
}

/** Said of an item that waits only because its site is paused. */
function PausedSite({ site }: { site: string }) {
  const { t } = useLingui();
  // If one of several network addresses is not paused, the item does not wait.
  const ends = useQuery(cooldownsQuery).data?.filter((one) => one.site === site && one.egress === '') ?? [];
  const until = ends[0]?.until;
  if (until === undefined) return null;
  return <RelativeTime at={until}>{t`waits: ${site} is paused, retried ${agoText(until)}`}</RelativeTime>;
}

function Running({ item: { youtube_id: id, title } }: { item: QueueItem }) {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const now = findDownload(useNotices(), id);
  const share = now && shareOf(now);
  return (
    <>
      <span className={`${styles.status} number`}>{now ? progressText(now, unit) : t`downloading now`}</span>
      {share !== undefined && (
        <span
          className={styles.track}
          role="progressbar"
          aria-label={title}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(share * 100)}
        >
          <span style={{ inlineSize: `${share * 100}%` }} />
        </span>
      )}
    </>
  );
}

/** One queue item with its failure and its actions. */
export function QueueCard({ item }: { item: QueueItem }) {
  const { t } = useLingui();
  const { title, channel_name: channel, published, timestamp, message, duration_seconds: seconds } = item;
  const [openedAt] = useState(Date.now);
  const isAnnounced = !item.recording && item.starts_at !== undefined && item.starts_at * 1000 > openedAt;
  const kind = item.vid_type === 'shorts' ? t`Short` : item.vid_type === 'streams' ? t`Stream` : null;
  // After a failed lookup only the ID is known.
  const isUnknown = title === item.youtube_id;
  return (
    <article className={`${styles.card} ${item.running ? styles.running : ''}`}>
      <span className={styles.picture}>
        {item.vid_thumb_url ? <img src={addressOf(item.vid_thumb_url)} alt="" loading="lazy" /> : <IconMovie aria-hidden />}
        {item.recording ? (
          <span className={`${styles.type} ${styles.live}`}>{t`Live now`}</span>
        ) : (
          kind && <span className={styles.type}>{isAnnounced ? t`Upcoming` : kind}</span>
        )}
      </span>
      <div className={styles.text}>
        <h3 className={styles.title} title={title}>
          {isUnknown ? t`Unknown title` : <bdi>{title}</bdi>}
        </h3>
        {isUnknown && (
          <p className={styles.meta}>
            <a href={item.url} target="_blank" rel="noopener noreferrer nofollow">
              <bdi>{item.url}</bdi>
            </a>
          </p>
        )}
        <p className={styles.meta}>
          {channel &&
            (item.channel_indexed ? (
              <Link to={pathOfChannel(item.channel_id)}>
                <bdi>{channel}</bdi>
              </Link>
            ) : (
              <bdi>{channel}</bdi>
            ))}
          {seconds !== null && <span>{durationText(seconds)}</span>}
          {isAnnounced && <RelativeTime at={item.starts_at!}>{t`starts ${dateTimeText(item.starts_at!)}`}</RelativeTime>}
          {item.running && <Running item={item} />}
          {!item.running && published && <span>{dayText(published)}</span>}
          {!item.running && timestamp !== null && <span>{t`added ${agoText(timestamp)}`}</span>}
          {!item.running && item.auto_start && item.failure === undefined && <span className={styles.status}>{t`Up next`}</span>}
          {!item.running && item.failure === undefined && <PausedSite site={item.site} />}
          {item.listed_only && item.failure === undefined && <span>{t`only listed`}</span>}
        </p>
        {message && <Failure item={item} />}
        <div className={styles.actions}>
          <QueueActions item={item} />
        </div>
      </div>
    </article>
  );
}
