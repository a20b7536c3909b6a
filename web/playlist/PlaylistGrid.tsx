import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconPlaylist } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Playlist } from '#contract/playlist.ts';
import { videosText } from '#web/format/numbers.ts';
import { Loaded } from '#web/ui/Loaded.tsx';
import { Empty } from '#web/ui/Note.tsx';
import { Pager, usePage, usePageKeys } from '#web/ui/Pager.tsx';
import { useIsStaff } from '#web/user/queries.ts';
import { VideosSkeleton } from '#web/video/Videos.tsx';
import { pathOfPlaylist } from '#web/video/paths.ts';
import { pictureOf } from './picture.ts';
import { playlistList, type PlaylistFilter } from './queries.ts';
import styles from './PlaylistGrid.module.css';

/** The pictures of the first videos that are there. */
function Stack({ playlist }: { playlist: Playlist }) {
  const there = playlist.playlist_entries.filter((entry) => entry.downloaded).slice(0, 3);
  return (
    <span className={styles.stack} aria-hidden>
      {there.map((entry) => (
        <img key={entry.youtube_id} src={pictureOf(entry)} alt="" loading="lazy" />
      ))}
      {there.length === 0 && <IconPlaylist />}
    </span>
  );
}

/** A playlist in a list. */
export function PlaylistCard({ playlist, shape = 'card' }: { playlist: Playlist; shape?: 'card' | 'row' }) {
  const { t } = useLingui();
  const { playlist_entries: entries } = playlist;
  const here = entries.filter((entry) => entry.downloaded).length;
  const inAll = videosText(entries.length);
  return (
    <Link to={pathOfPlaylist(playlist.playlist_id)} className={`${styles.card} ${shape === 'row' ? styles.row : ''}`}>
      <Stack playlist={playlist} />
      <span className={styles.words}>
        <strong>
          <bdi>{playlist.playlist_name}</bdi>
        </strong>
        <span>{playlist.playlist_channel ? <bdi>{playlist.playlist_channel}</bdi> : t`Your own`}</span>
        <span>
          {here === entries.length ? inAll : t`${here} of ${inAll} here`}
          {playlist.playlist_subscribed && ` · ${t`subscribed`}`}
        </span>
      </span>
    </Link>
  );
}

/** Playlists, page by page. */
export function PlaylistGrid({ filter, view }: { filter: PlaylistFilter; view: 'grid' | 'list' }) {
  const { t } = useLingui();
  const [page, setPage] = usePage();
  const isStaff = useIsStaff();
  const query = useQuery(playlistList(page, filter));
  usePageKeys({
    page,
    total: query.data?.paginate.total_hits ?? 0,
    size: query.data?.paginate.page_size ?? 1,
    onChange: setPage,
  });
  return (
    <Loaded query={query} skeleton={<VideosSkeleton view={view} count={4} />}>
      {({ data, paginate }) =>
        data.length === 0 ? (
          <Empty icon={<IconPlaylist />} title={t`No playlists found...`}>
            {filter.subscribed !== undefined
              ? t`None of that kind. Choose “All” above to see every playlist.`
              : isStaff
                ? t`Add the link of a playlist under Downloads: its videos come, and its order is kept.`
                : t`As soon as somebody adds a playlist, it appears here.`}
          </Empty>
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
    </Loaded>
  );
}
