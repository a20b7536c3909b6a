import { IconAlertTriangle, IconBolt, IconEyeOff, IconMovie, IconPlus, IconRefresh, IconTrash } from '@tabler/icons-react';
import { Link } from 'react-router';
import { addressOf } from '#web/api/call.ts';
import { agoText, dayText } from '#web/format/dates.ts';
import { Button } from '#web/ui/Button.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { useChangeItem, useForget, type QueueItem } from './queries.ts';
import styles from './QueueCard.module.css';

const kinds = { shorts: 'Short', streams: 'Stream', videos: null, unknown: null } as const;

function Actions({ item }: { item: QueueItem }) {
  const change = useChangeItem();
  const forget = useForget();
  const say = useToast();
  const id = item.youtube_id;
  const to = (status: 'pending' | 'ignore' | 'priority') => change.mutate({ id, status });
  const drop = (
    <Button size="s" kind="quiet" icon={<IconTrash aria-hidden />} onClick={() => forget.mutate(id)}>
      Forget
    </Button>
  );
  if (item.status === 'ignore')
    return (
      <>
        <Button size="s" icon={<IconPlus aria-hidden />} onClick={() => to('pending')}>
          Add to queue
        </Button>
        {drop}
      </>
    );
  const hasFailed = item.message !== undefined;
  return (
    <>
      {!item.running && (
        <Button size="s" icon={hasFailed ? <IconRefresh aria-hidden /> : <IconBolt aria-hidden />} onClick={() => to('priority')}>
          {hasFailed ? 'Try again' : 'Download now'}
        </Button>
      )}
      <Button
        size="s"
        kind="quiet"
        icon={<IconEyeOff aria-hidden />}
        onClick={() => {
          to('ignore');
          say('Ignored: it is not added again by itself.', { action: { label: 'Undo', run: () => to('pending') } });
        }}
      >
        Ignore
      </Button>
      {drop}
    </>
  );
}

/** One item of the queue, with what went wrong and what can be done. */
export function QueueCard({ item }: { item: QueueItem }) {
  const { title, channel_name: channel, published, timestamp, message, duration } = item;
  const kind = kinds[item.vid_type];
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
              <Link to={`/channel/${encodeURIComponent(item.channel_id)}/`}>
                <bdi>{channel}</bdi>
              </Link>
            ) : (
              <bdi>{channel}</bdi>
            ))}
          {duration !== 'NA' && <span>{duration}</span>}
          {published && <span>{dayText(published)}</span>}
          {timestamp !== null && <span>added {agoText(timestamp)}</span>}
          {item.running && <span className={styles.now}>downloading now</span>}
          {!item.running && item.auto_start && <span className={styles.now}>next</span>}
        </p>
        {message && (
          <p className={styles.failure}>
            <IconAlertTriangle aria-label="Failed" />
            <span>
              {message}
              {item.retry_at !== undefined && ` Tried again by itself ${agoText(item.retry_at)}.`}
            </span>
          </p>
        )}
        <div className={styles.actions}>
          <Actions item={item} />
        </div>
      </div>
    </article>
  );
}
