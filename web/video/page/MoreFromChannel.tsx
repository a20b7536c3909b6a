import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Link } from 'react-router';
import type { Video } from '#contract/video.ts';
import { pathOfChannel } from '#web/api/paths.ts';
import { videoList } from '#web/api/queries/video.ts';
import { VideoCard } from '../list/VideoCard.tsx';
import styles from './MoreFromChannel.module.css';

const maxVideos = 8;

/** The newest videos of the channel, except this one. */
export function MoreFromChannel({ video: { youtube_id: id, channel } }: { video: Video }) {
  const heading = useId();
  const { data, isPlaceholderData } = useQuery(videoList({ channel: channel.channel_id }));
  const others = isPlaceholderData ? [] : (data?.data ?? []).filter((video) => video.youtube_id !== id).slice(0, maxVideos);
  if (others.length === 0) return null;
  return (
    <section className={styles.more} aria-labelledby={heading}>
      <h2 id={heading}>
        <Trans>More from this channel</Trans>
      </h2>
      <ul className={styles.list}>
        {others.map((video) => (
          <li key={video.youtube_id}>
            <VideoCard video={video} shape="row" />
          </li>
        ))}
      </ul>
      <Link to={pathOfChannel(channel.channel_id)} className={styles.all}>
        <Trans>All videos of this channel</Trans>
      </Link>
    </section>
  );
}
