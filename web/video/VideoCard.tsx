import { IconCheck, IconCircleCheck, IconCircleDashedCheck } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Video } from '#contract/video.ts';
import { addressOf } from '#web/api/call.ts';
import { agoText, momentText } from '#web/format/dates.ts';
import { durationText, lengthText } from '#web/format/numbers.ts';
import { IconButton } from '#web/ui/Button.tsx';
import { useMarkWatched } from './queries.ts';
import styles from './VideoCard.module.css';

const kindNames = { shorts: 'Short', streams: 'Stream' } as const;

/** The picture of a video with everything that is written on it. */
export function Thumbnail({ video }: { video: Video }) {
  const { player, vid_type } = video;
  return (
    <span className={`${styles.picture} ${player.watched ? styles.watched : ''}`}>
      <img src={addressOf(video.vid_thumb_url)} alt="" loading="lazy" decoding="async" />
      {vid_type !== 'videos' && <span className={styles.kind}>{kindNames[vid_type]}</span>}
      {player.watched && (
        <span className={styles.seen}>
          <IconCheck aria-hidden /> Watched
        </span>
      )}
      <span className={`${styles.duration} number`} aria-label={lengthText(player.duration)}>
        {durationText(player.duration)}
      </span>
      {!player.watched && (player.progress ?? 0) > 0 && (
        <span className={styles.progress} role="img" aria-label={`${Math.round(player.progress ?? 0)} % watched`}>
          <span style={{ width: `${player.progress}%` }} />
        </span>
      )}
    </span>
  );
}

/** The watched mark of a video, to switch. */
export function WatchedButton({ video }: { video: Video }) {
  const mark = useMarkWatched();
  const { watched } = video.player;
  return (
    <IconButton
      label={watched ? `Mark “${video.title}” as not watched` : `Mark “${video.title}” as watched`}
      title={watched ? 'Not watched' : 'Watched'}
      aria-pressed={watched}
      onClick={() => mark(video, !watched)}
    >
      {watched ? <IconCircleCheck aria-hidden /> : <IconCircleDashedCheck aria-hidden />}
    </IconButton>
  );
}

export const pathOfVideo = (video: Pick<Video, 'youtube_id'>) => `/video/${encodeURIComponent(video.youtube_id)}/`;

interface Props {
  video: Video;
  shape?: 'card' | 'row';
  /** Which date the list is about. */
  date?: 'published' | 'downloaded';
}

/** One video in a list. */
export function VideoCard({ video, shape = 'card', date = 'published' }: Props) {
  const when = date === 'downloaded' ? video.date_downloaded : video.published;
  return (
    <article className={`${styles.card} ${styles[shape]}`}>
      <Link to={pathOfVideo(video)} className={styles.frame} tabIndex={-1} aria-hidden>
        <Thumbnail video={video} />
      </Link>
      <div className={styles.below}>
        <div className={styles.words}>
          <h3 className={styles.title} title={video.title}>
            <Link to={pathOfVideo(video)}>
              <bdi>{video.title}</bdi>
            </Link>
          </h3>
          <p className={styles.channel}>
            <Link to={`/channel/${encodeURIComponent(video.channel.channel_id)}/`}>
              <bdi>{video.channel.channel_name}</bdi>
            </Link>
          </p>
          <p className={styles.facts}>
            <time dateTime={typeof when === 'string' ? when : new Date(when * 1000).toISOString()} title={momentText(when)}>
              {agoText(when)}
            </time>
            <span>{lengthText(video.player.duration)}</span>
          </p>
        </div>
        <WatchedButton video={video} />
      </div>
    </article>
  );
}
