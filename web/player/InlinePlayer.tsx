import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconX } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useAddress } from '#web/ui/address.ts';
import { IconButton } from '#web/ui/Button.tsx';
import { Note } from '#web/ui/Note.tsx';
import { pathOfVideo } from '#web/video/paths.ts';
import { videoQuery } from '#web/video/queries.ts';
import { PlayerPlace } from './PlayerPlace.tsx';
import { secondsOf } from './time-stamp.ts';
import { useShown } from './use-shown.ts';
import styles from './InlinePlayer.module.css';

/** A player on the page itself, where its address names a video. */
export function InlinePlayer({ id }: { id: string }) {
  const { t } = useLingui();
  const { data: video, error } = useQuery(videoQuery(id));
  const [search, put] = useAddress();
  const startAt = secondsOf(search.get('t') ?? '');
  useShown(video, { startAt, plays: true });
  return (
    <section className={styles.inline} aria-label={t`Player`}>
      {error ? <Note kind="danger">{error.message}</Note> : <PlayerPlace />}
      <div className={styles.row}>
        <h2>
          {video && (
            <Link to={pathOfVideo({ youtube_id: id })}>
              <bdi>{video.title}</bdi>
            </Link>
          )}
        </h2>
        <IconButton label={t`Close the player`} onClick={() => put({ videoId: null, t: null })}>
          <IconX aria-hidden />
        </IconButton>
      </div>
    </section>
  );
}
