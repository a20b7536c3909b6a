import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useNavigationType, useParams, useSearchParams } from 'react-router';
import { ApiError } from '#web/api/call.ts';
import { PlayerSlot } from '#web/player/PlayerSlot.tsx';
import { seekTo, useIsTheater } from '#web/player/state/player-store.ts';
import { parseTimestamp } from '#web/player/playback/time-stamp.ts';
import { usePlayVideo } from '#web/player/state/use-play-video.ts';
import { NotFound } from '#web/ui/NotFound.tsx';
import { useTitle } from '#web/ui/use-title.ts';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { Comments } from './comments/Comments.tsx';
import { Details } from './Details.tsx';
import { VideoHeader } from './VideoHeader.tsx';
import { videoQuery } from '#web/api/queries/video.ts';
import { MoreFromChannel } from './MoreFromChannel.tsx';
import { Similar } from './Similar.tsx';
import { SidePanel } from './SidePanel.tsx';
import styles from './VideoPage.module.css';

const VideoSkeleton = () => (
  <div className={styles.main} aria-hidden>
    <Skeleton width="70%" height={28} />
    <Skeleton width="100%" height={44} />
    <Skeleton height={140} />
  </div>
);

/** Page of one video: the player first, then its details. */
export function VideoPage() {
  const { t } = useLingui();
  const { videoId: id = '' } = useParams();
  const [search] = useSearchParams();
  const query = useQuery(videoQuery(id));
  const isTheater = useIsTheater();
  useTitle(query.data?.title);
  // A click on a link starts playback; a reload or the back button does not.
  const plays = useNavigationType() === 'PUSH';
  usePlayVideo(query.data, { startAt: parseTimestamp(search.get('t')), endAt: parseTimestamp(search.get('end')), plays });
  if (query.error instanceof ApiError && query.error.status === 404)
    return <NotFound what={t`This video is not in the archive`} />;
  return (
    <div className={`${styles.page} ${isTheater ? styles.theater : ''}`}>
      {/* Outside of the keyed content, so that it survives a change of the video and full screen is kept. */}
      <div className={styles.player}>
        <PlayerSlot />
      </div>
      <QueryBoundary query={query} skeleton={<VideoSkeleton />}>
        {(video) => (
          <div key={id} className={styles.content}>
            <div className={styles.main}>
              <VideoHeader video={video} />
              <Details video={video} onSeek={seekTo} />
            </div>
            <div className={styles.column}>
              <SidePanel video={video} />
              <MoreFromChannel video={video} />
            </div>
            <Similar id={id} />
            <section className={styles.comments} aria-label={t`Comments`}>
              <Comments id={id} count={video.comment_count} durationSeconds={video.player.duration} onSeek={seekTo} />
            </section>
          </div>
        )}
      </QueryBoundary>
    </div>
  );
}
