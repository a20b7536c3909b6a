import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useNavigationType, useParams, useSearchParams } from 'react-router';
import { ApiError } from '#web/api/call.ts';
import { PlayerPlace } from '#web/player/PlayerPlace.tsx';
import { seekTo, useStage } from '#web/player/stage.ts';
import { secondsOf } from '#web/player/time-stamp.ts';
import { useShown } from '#web/player/use-shown.ts';
import { NotFound } from '#web/shell/Lost.tsx';
import { useTitle } from '#web/shell/title.ts';
import { Loaded } from '#web/ui/Loaded.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { Comments } from './Comments.tsx';
import { Details } from './Details.tsx';
import { Headline } from './Headline.tsx';
import { videoQuery } from './queries.ts';
import { SidePanel } from './SidePanel.tsx';
import styles from './VideoPage.module.css';

const Ghost = () => (
  <div className={styles.main} aria-hidden>
    <Skeleton width="70%" height={28} />
    <Skeleton width="100%" height={44} />
    <Skeleton height={140} />
  </div>
);

/** One video: the player first, then everything that is known about it. */
export function VideoPage() {
  const { t } = useLingui();
  const { videoId: id = '' } = useParams();
  const [search] = useSearchParams();
  const query = useQuery(videoQuery(id));
  const isTheatre = useStage((stage) => stage.isTheatre);
  useTitle(query.data?.title);
  // Who clicked on it wants to see it; who opens the page anew, or comes back, decides first.
  const plays = useNavigationType() === 'PUSH';
  useShown(query.data, { startAt: secondsOf(search.get('t') ?? ''), plays });
  if (query.error instanceof ApiError && query.error.status === 404)
    return <NotFound what={t`This video is not in the archive`} />;
  return (
    <div className={`${styles.page} ${isTheatre ? styles.theatre : ''}`}>
      {/* It stays when another video comes, so that a full screen does. */}
      <div className={styles.player}>
        <PlayerPlace />
      </div>
      <Loaded query={query} skeleton={<Ghost />}>
        {(video) => (
          <div key={id} className={styles.rest}>
            <div className={styles.main}>
              <Headline video={video} />
              <Details video={video} onSeek={seekTo} />
            </div>
            <SidePanel video={video} />
            <section className={styles.comments} aria-label={t`Comments`}>
              <Comments id={id} count={video.comment_count} durationSeconds={video.player.duration} onSeek={seekTo} />
            </section>
          </div>
        )}
      </Loaded>
    </div>
  );
}
