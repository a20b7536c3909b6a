import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconPlaylist } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Playlist } from '#contract/playlist.ts';
import { videosText } from '#web/format/numbers.ts';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { EmptyState } from '#web/ui/Callout.tsx';
import { Pager, usePage, usePageKeys, useExistingPage } from '#web/ui/Pager.tsx';
import { useIsStaff } from '#web/api/account.ts';
import { VideosSkeleton } from '#web/video/list/Videos.tsx';
import { pathOfPlaylist } from '#web/api/paths.ts';
import { ownershipText } from './ownership-text.ts';
import { thumbnailUrl } from './thumbnail-url.ts';
import { playlistList, type PlaylistFilter } from '#web/api/queries/playlist.ts';
import styles from './PlaylistGrid.module.css';

/** Thumbnails of the first downloaded videos. */
function ThumbnailStack({ playlist }: { playlist: Playlist }) {
  const available = playlist.playlist_entries.filter((entry) => entry.downloaded).slice(0, 3);
  return (
    <span className={styles.stack} aria-hidden>
      {available.map((entry) => (
        <img key={entry.youtube_id} src={thumbnailUrl(entry)} alt="" loading="lazy" />
      ))}
      {available.length === 0 && <IconPlaylist />}
    </span>
  );
}

/** Card of a playlist in a list. */
export function PlaylistCard({ playlist, shape = 'card' }: { playlist: Playlist; shape?: 'card' | 'row' }) {
  const { t } = useLingui();
  const { playlist_entries: entries } = playlist;
  const downloaded = entries.filter((entry) => entry.downloaded).length;
  const total = videosText(entries.length);
  return (
    <Link to={pathOfPlaylist(playlist.playlist_id)} className={`${styles.card} ${shape === 'row' ? styles.row : ''}`}>
      <ThumbnailStack playlist={playlist} />
      <span className={styles.text}>
        <strong>
          <bdi>{playlist.playlist_name}</bdi>
        </strong>
        <span>
          <bdi>{playlist.playlist_channel ?? ownershipText(playlist)}</bdi>
        </span>
        <span>
          {downloaded === entries.length ? total : t`${downloaded} of ${total} downloaded`}
          {playlist.playlist_subscribed && ` · ${t`subscribed`}`}
        </span>
      </span>
    </Link>
  );
}

/** Paginated list of playlists. */
export function PlaylistGrid({ filter, view }: { filter: PlaylistFilter; view: 'grid' | 'list' }) {
  const { t } = useLingui();
  const [page, setPage] = usePage();
  const isStaff = useIsStaff();
  const query = useQuery(playlistList(page, filter));
  useExistingPage(query);
  usePageKeys({
    page,
    total: query.data?.paginate.total_hits ?? 0,
    size: query.data?.paginate.page_size ?? 1,
    onChange: setPage,
  });
  return (
    <QueryBoundary query={query} skeleton={<VideosSkeleton view={view} count={4} />}>
      {({ data, paginate }) =>
        data.length === 0 ? (
          <EmptyState icon={<IconPlaylist />} title={t`No playlists found...`}>
            {filter.subscribed !== undefined
              ? t`No playlists match this filter. Select “All” to show every playlist.`
              : isStaff
                ? t`Add a playlist link under Downloads to archive its videos in order.`
                : t`Playlists appear here once they are added.`}
          </EmptyState>
        ) : (
          <>
            <ul className={view === 'list' ? styles.list : styles.grid}>
              {data.map((playlist) => (
                <li key={playlist.playlist_id}>
                  <PlaylistCard playlist={playlist} shape={view === 'list' ? 'row' : 'card'} />
                </li>
              ))}
            </ul>
            <Pager page={page} total={paginate.total_hits} size={paginate.page_size} onChange={setPage} />
          </>
        )
      }
    </QueryBoundary>
  );
}
