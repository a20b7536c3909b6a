import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { PlaylistNav } from '#contract/video.ts';
import { addressOf } from '#web/api/call.ts';
import { setPreferences, usePreferences } from '#web/player/state/player-preferences.ts';
import { AutoplayDelay } from '#web/player/queue/AutoplayDelay.tsx';
import { Switch } from '#web/ui/Field.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { pathOfPlaylist, pathOfVideo } from '#web/api/paths.ts';
import { neighboursQuery } from '#web/api/queries/video.ts';
import styles from './Neighbours.module.css';

function Neighbour({ to, name }: { to: PlaylistNav['playlist_next']; name: string }) {
  const { t } = useLingui();
  if (!to) return null;
  const words = (
    <>
      <img src={addressOf(to.vid_thumb)} alt="" width={96} height={54} loading="lazy" />
      <span>
        <span className={styles.label}>
          {name} · <span className="number">{to.idx + 1}</span>
        </span>
        <bdi title={to.title}>{to.title}</bdi>
      </span>
    </>
  );
  return to.downloaded ? (
    <Link to={pathOfVideo(to)} className={styles.neighbour}>
      {words}
    </Link>
  ) : (
    <span className={`${styles.neighbour} ${styles.missing}`} title={t`Not downloaded`}>
      {words}
    </span>
  );
}

/** Previous and next video in each playlist of the video, and the autoplay switch. */
export function Neighbours({ id }: { id: string }) {
  const { t } = useLingui();
  const { data, isPending } = useQuery(neighboursQuery(id));
  const autoplay = usePreferences((state) => state.autoplay);
  if (isPending) return <Skeleton height={180} />;
  if (!data || data.length === 0)
    return (
      <p className={styles.label}>
        <Trans>No other videos of its playlists are downloaded.</Trans>
      </p>
    );
  return (
    <div className={styles.playlists}>
      {data.map(({ playlist_meta: playlist, playlist_previous: previous, playlist_next: next }) => (
        <section key={playlist.playlist_id} className={styles.playlist} aria-label={t`Playlist ${playlist.playlist_name}`}>
          <h2>
            <Link to={pathOfPlaylist(playlist.playlist_id)}>
              <bdi>{playlist.playlist_name}</bdi>
            </Link>
            <span className="number">#{playlist.current_idx + 1}</span>
          </h2>
          <Neighbour to={previous} name={t`Previous`} />
          <Neighbour to={next} name={t`Next`} />
          <div className={styles.autoplay}>
            <Switch
              label={t`Autoplay`}
              isOn={autoplay === playlist.playlist_id}
              onChange={(isOn) => setPreferences({ autoplay: isOn ? playlist.playlist_id : null })}
            />
          </div>
        </section>
      ))}
      {data.some(({ playlist_meta: { playlist_id: one } }) => one === autoplay) && <AutoplayDelay />}
    </div>
  );
}
