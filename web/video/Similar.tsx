import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { similarQuery } from './queries.ts';
import { VideoCard } from './VideoCard.tsx';
import styles from './Similar.module.css';

/** What somebody who watches this may want next. */
export function Similar({ id }: { id: string }) {
  const { data, isPending } = useQuery(similarQuery(id));
  if (isPending) return <Skeleton height={320} />;
  if (!data || data.length === 0)
    return (
      <p className={styles.none}>
        <Trans>Nothing in the archive is like it.</Trans>
      </p>
    );
  return (
    <ul className={styles.list}>
      {data.map((video) => (
        <li key={video.youtube_id}>
          <VideoCard video={video} shape="row" />
        </li>
      ))}
    </ul>
  );
}
