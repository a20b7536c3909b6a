import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { similarQuery } from '#web/api/queries/video-page.ts';
import { VideoCard } from '../list/VideoCard.tsx';
import page from './VideoPage.module.css';
import styles from './Similar.module.css';

/** Grid of similar videos; nothing if there are none. */
export function Similar({ id }: { id: string }) {
  const heading = useId();
  const { data } = useQuery(similarQuery(id));
  if (data?.length === 0) return null;
  return (
    <section aria-labelledby={heading} className={`${page.similar} ${styles.similar}`}>
      <h2 id={heading}>
        <Trans>Similar videos</Trans>
      </h2>
      {data ? (
        <ul className={styles.grid}>
          {data.map((video) => (
            <li key={video.youtube_id}>
              <VideoCard video={video} />
            </li>
          ))}
        </ul>
      ) : (
        <Skeleton height={420} />
      )}
    </section>
  );
}
