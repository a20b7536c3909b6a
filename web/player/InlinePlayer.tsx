import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconX } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useQueryParams } from '#web/ui/use-search-params.ts';
import { IconButton } from '#web/ui/Button.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { pathOfVideo } from '#web/api/paths.ts';
import { videoQuery } from '#web/api/queries/video.ts';
import { PlayerSlot } from './PlayerSlot.tsx';
import { parseTimestamp } from './playback/time-stamp.ts';
import { useIsTheater } from './state/player-store.ts';
import { usePlayVideo } from './state/use-play-video.ts';
import styles from './InlinePlayer.module.css';

/** Player on a list page, for the video in the address. */
export function InlinePlayer({ id }: { id: string }) {
  const { t } = useLingui();
  const { data: video, error } = useQuery(videoQuery(id));
  const isTheater = useIsTheater();
  const [search, put] = useQueryParams();
  usePlayVideo(video, { startAt: parseTimestamp(search.get('t')), endAt: parseTimestamp(search.get('end')), plays: true });
  return (
    <section className={`${styles.inline} ${isTheater ? styles.theater : ''}`} aria-label={t`Player`}>
      {error ? <Callout kind="danger">{error.message}</Callout> : <PlayerSlot />}
      <div className={styles.row}>
        <h2>
          {video && (
            <Link to={pathOfVideo({ youtube_id: id })}>
              <bdi>{video.title}</bdi>
            </Link>
          )}
        </h2>
        <IconButton label={t`Close the player`} onClick={() => put({ videoId: null, t: null, end: null })}>
          <IconX aria-hidden />
        </IconButton>
      </div>
    </section>
  );
}
