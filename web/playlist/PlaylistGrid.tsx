import { useQuery } from '@tanstack/react-query';
import { IconPlaylist } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Playlist } from '#contract/playlist.ts';
import { addressOf } from '#web/api/call.ts';
import { countOf } from '#web/format/numbers.ts';
import { Loaded } from '#web/ui/Loaded.tsx';
import { Empty } from '#web/ui/Note.tsx';
import { Pager, usePage } from '#web/ui/Pager.tsx';
import { VideosSkeleton } from '#web/video/VideoListing.tsx';
import { playlistList, type PlaylistFilter } from './queries.ts';
import styles from './PlaylistGrid.module.css';

/** The pictures of the first videos that are there. */
function Stack({ playlist }: { playlist: Playlist }) {
  const there = playlist.playlist_entries.filter((entry) => entry.downloaded).slice(0, 3);
  return (
    <span className={styles.stack} aria-hidden>
      {there.map(({ youtube_id: id }) => (
        <img key={id} src={addressOf(`/cache/videos/${id[0]?.toLowerCase()}/${id}.jpg`)} alt="" loading="lazy" />
      ))}
      {there.length === 0 && <IconPlaylist />}
    </span>
  );
}

/** Playlists as cards, page by page. */
export function PlaylistGrid({ filter }: { filter: PlaylistFilter }) {
  const [page, setPage] = usePage();
  const query = useQuery(playlistList(page, filter));
  return (
    <Loaded query={query} skeleton={<VideosSkeleton view="grid" count={4} />}>
      {({ data, paginate }) =>
        data.length === 0 ? (
          <Empty icon={<IconPlaylist />} title="No playlists found…">
            Add the link of a playlist under Downloads: its videos come, and its order is kept.
          </Empty>
        ) : (
          <>
            <ul className={styles.grid}>
              {data.map((playlist) => (
                <li key={playlist.playlist_id}>
                  <Link to={`/playlist/${encodeURIComponent(playlist.playlist_id)}/`} className={styles.card}>
                    <Stack playlist={playlist} />
                    <strong>
                      <bdi>{playlist.playlist_name}</bdi>
                    </strong>
                    <span>
                      {playlist.playlist_channel && <bdi>{playlist.playlist_channel} · </bdi>}
                      {countOf(playlist.playlist_entries.length, 'video')}
                    </span>
                  </Link>
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
