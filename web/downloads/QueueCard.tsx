import { Trans, useLingui } from '@lingui/react/macro';
import { IconAlertTriangle, IconMovie } from '@tabler/icons-react';
import { Link } from 'react-router';
import { addressOf } from '#web/api/call.ts';
import { told } from '#web/api/told.ts';
import { agoText, dayText } from '#web/format/dates.ts';
import { Moment } from '#web/format/Moment.tsx';
import { pathOfChannel } from '#web/video/paths.ts';
import { adviceFor } from './failure-advice.ts';
import { useNotices, type QueueItem } from './queries.ts';
import { QueueActions } from './QueueActions.tsx';
import { runningLine, shareOf } from './running-lines.ts';
import styles from './QueueCard.module.css';

function Failure({ item: { message, message_said: said, failure, retry_at: retryAt } }: { item: QueueItem }) {
  const { t } = useLingui();
  const what = adviceFor(failure);
  return (
    <div className={styles.failure}>
      <IconAlertTriangle aria-label={t`Failed`} />
      <p>
        {told(message ?? '', said)}{' '}
        {retryAt === undefined ? (
          <Trans>It waits until somebody tries it again.</Trans>
        ) : (
          <Moment at={retryAt}>{t`Tried again by itself ${agoText(retryAt)}.`}</Moment>
        )}{' '}
        {what && <Link to={what.to}>{t(what.words)}</Link>}
      </p>
    </div>
  );
}

function Running({ title }: { title: string }) {
  const { t } = useLingui();
  const now = runningLine(useNotices(), title);
  const share = shareOf(now?.line);
  return (
    <div className={styles.live}>
      <span className={styles.now}>{now ? told(now.line, now.said) : t`downloading now`}</span>
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
    </div>
  );
}

/** One item of the queue, with what went wrong and what can be done. */
export function QueueCard({ item }: { item: QueueItem }) {
  const { t } = useLingui();
  const { title, channel_name: channel, published, timestamp, message, duration } = item;
  const kind = item.vid_type === 'shorts' ? t`Short` : item.vid_type === 'streams' ? t`Stream` : null;
  return (
    <article className={`${styles.card} ${item.running ? styles.running : ''}`}>
      <span className={styles.picture}>
        {item.vid_thumb_url ? <img src={addressOf(item.vid_thumb_url)} alt="" loading="lazy" /> : <IconMovie aria-hidden />}
        {kind && <span className={styles.kind}>{kind}</span>}
      </span>
      <div className={styles.words}>
        <h3 className={styles.title} title={title}>
          <bdi>{title}</bdi>
        </h3>
        <p className={styles.facts}>
          {channel &&
            (item.channel_indexed ? (
              <Link to={pathOfChannel(item.channel_id)}>
                <bdi>{channel}</bdi>
              </Link>
            ) : (
              <bdi>{channel}</bdi>
            ))}
          {duration !== 'NA' && <span>{duration}</span>}
          {published && <span>{dayText(published)}</span>}
          {timestamp !== null && <span>{t`added ${agoText(timestamp)}`}</span>}
          {!item.running && item.auto_start && <span className={styles.now}>{t`next`}</span>}
        </p>
        {item.running && <Running title={title} />}
        {message && <Failure item={item} />}
        <div className={styles.actions}>
          <QueueActions item={item} />
        </div>
      </div>
    </article>
  );
}
