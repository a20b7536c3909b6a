import { useLingui } from '@lingui/react/macro';
import { IconMusic } from '@tabler/icons-react';
import { Fragment } from 'react';
import { Link } from 'react-router';
import type { Music } from '#contract/video.ts';
import { pathOfFilter } from '#web/api/queries/video-filter.ts';
import styles from './MusicLine.module.css';

/** Artists and album of a video, with links to the lists of their videos, and the year. */
export function MusicLine({ music: { artists, album, track, year } }: { music: Music }) {
  const { t } = useLingui();
  const [artist] = artists;
  if (!artist && album === null && track === null) return null;
  return (
    <p className={styles.line} aria-label={t`Music`} role="group">
      <IconMusic aria-hidden />
      {track !== null && (
        <span>
          <bdi>{track}</bdi>
        </span>
      )}
      {artists.length > 0 && (
        <span>
          {artists.map((name, at) => (
            <Fragment key={name}>
              {at > 0 && ', '}
              <Link to={pathOfFilter({ artist: name })}>
                <bdi>{name}</bdi>
              </Link>
            </Fragment>
          ))}
        </span>
      )}
      {album !== null && (
        <span>
          <Link to={pathOfFilter({ album, ...(artist && { artist }), order: 'asc' })}>
            <bdi>{album}</bdi>
          </Link>
        </span>
      )}
      {year !== null && <span className="number">{year}</span>}
    </p>
  );
}
