import { useQuery } from '@tanstack/react-query';
import { IconPlayerSkipBack, IconPlayerSkipForward } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { PlaylistNav } from '#contract/video.ts';
import { neighboursQuery } from './queries.ts';
import { pathOfVideo } from './VideoCard.tsx';
import styles from './Neighbours.module.css';

function Neighbour({ to, icon, name }: { to: PlaylistNav['playlist_next']; icon: ReactNode; name: string }) {
  if (!to) return null;
  const words = (
    <>
      {icon}
      <span>
        <span className={styles.which}>
          {name} · {to.idx + 1}
        </span>
        <bdi>{to.title}</bdi>
      </span>
    </>
  );
  return to.downloaded ? (
    <Link to={pathOfVideo(to)} className={styles.neighbour}>
      {words}
    </Link>
  ) : (
    <span className={`${styles.neighbour} ${styles.missing}`} title="Not in the archive">
      {words}
    </span>
  );
}

/** What comes before and after in each playlist the video is in. */
export function Neighbours({ id }: { id: string }) {
  const { data } = useQuery(neighboursQuery(id));
  return data?.map(({ playlist_meta: playlist, playlist_previous: previous, playlist_next: next }) => (
    <section key={playlist.playlist_id} className={styles.playlist} aria-label={`Playlist ${playlist.playlist_name}`}>
      <h2>
        <Link to={`/playlist/${encodeURIComponent(playlist.playlist_id)}/`}>
          <bdi>{playlist.playlist_name}</bdi>
        </Link>
        <span className="number">#{playlist.current_idx + 1}</span>
      </h2>
      <Neighbour to={previous} icon={<IconPlayerSkipBack aria-hidden />} name="Before" />
      <Neighbour to={next} icon={<IconPlayerSkipForward aria-hidden />} name="Next" />
    </section>
  ));
}
