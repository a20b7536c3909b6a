import { useQuery } from '@tanstack/react-query';
import { similarQuery } from './queries.ts';
import { VideoCard } from './VideoCard.tsx';
import details from './Details.module.css';
import styles from './Similar.module.css';

/** What somebody who watches this may want next. */
export function Similar({ id }: { id: string }) {
  const { data } = useQuery(similarQuery(id));
  if (!data || data.length === 0) return null;
  return (
    <section aria-labelledby="similar">
      <h2 id="similar" className={details.heading}>
        Similar videos
      </h2>
      <ul className={styles.list}>
        {data.map((video) => (
          <li key={video.youtube_id}>
            <VideoCard video={video} shape="row" />
          </li>
        ))}
      </ul>
    </section>
  );
}
