import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useRef, useState } from 'react';
import { useParams, useSearchParams } from 'react-router';
import type { Player as PlayerState } from '#contract/video.ts';
import { ApiError } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { secondsOf } from '#web/player/time-stamp.ts';
import { NotFound } from '#web/shell/Lost.tsx';
import { useTitle } from '#web/shell/title.ts';
import { Loaded } from '#web/ui/Loaded.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { Comments } from './Comments.tsx';
import { Chapters, Details } from './Details.tsx';
import { Headline } from './Headline.tsx';
import { Neighbours } from './Neighbours.tsx';
import { videoQuery } from './queries.ts';
import { Similar } from './Similar.tsx';
import styles from './VideoPage.module.css';

// The player weighs as much as the rest of the app, and is only needed here.
const Player = lazy(async () => ({ default: (await import('#web/player/Player.tsx')).Player }));

const Ghost = () => (
  <div className={styles.page} aria-hidden>
    <div className={styles.main}>
      <Skeleton ratio="16/9" />
      <Skeleton width="70%" height={28} />
      <Skeleton width="40%" height={44} />
    </div>
  </div>
);

/** One video: the player first, then everything that is known about it. */
export function VideoPage() {
  const { videoId = '' } = useParams();
  // Another video is another page: nothing of the player's state goes over.
  return <Shown key={videoId} id={videoId} />;
}

function Shown({ id }: { id: string }) {
  const query = useQuery(videoQuery(id));
  const [search] = useSearchParams();
  const media = useRef<HTMLVideoElement>(null);
  const [isTheatre, setIsTheatre] = useState(false);
  useTitle(query.data?.title);
  const seek = useCallback((seconds: number) => {
    const element = media.current;
    if (!element) return;
    element.currentTime = seconds;
    void element.play().catch(() => {}); // a browser may want a click first; the place is right all the same
    element.scrollIntoView({ block: 'nearest' });
  }, []);
  const onPlayer = useCallback(
    (player: PlayerState) => {
      queryClient.setQueryData(videoQuery(id).queryKey, (video) => video && { ...video, player });
    },
    [id],
  );
  if (query.error instanceof ApiError && query.error.status === 404) return <NotFound what="This video is not in the archive" />;
  return (
    <Loaded query={query} skeleton={<Ghost />}>
      {(video) => (
        <div className={`${styles.page} ${isTheatre ? styles.theatre : ''}`}>
          <div className={styles.player}>
            <Suspense fallback={<Skeleton ratio="16/9" />}>
              <Player
                video={video}
                media={media}
                startAt={secondsOf(search.get('t') ?? '')}
                isTheatre={isTheatre}
                onTheatre={() => setIsTheatre((is) => !is)}
                onPlayer={onPlayer}
              />
            </Suspense>
          </div>
          <div className={styles.main}>
            <Headline video={video} />
            <Details video={video} onSeek={seek} />
            <section className={styles.comments} aria-label="Comments">
              <Comments id={id} count={video.comment_count} durationSeconds={video.player.duration} onSeek={seek} />
            </section>
          </div>
          <aside className={styles.side} aria-label="More">
            <Chapters chapters={video.chapters} onSeek={seek} />
            {video.playlist.length > 0 && <Neighbours id={id} />}
            <Similar id={id} />
          </aside>
        </div>
      )}
    </Loaded>
  );
}
