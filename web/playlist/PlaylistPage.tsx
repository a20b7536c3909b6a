import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconPlaylist } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useParams } from 'react-router';
import type { Playlist } from '#contract/playlist.ts';
import { ApiError } from '#web/api/call.ts';
import { videosText } from '#web/format/numbers.ts';
import { NotFound } from '#web/shell/Lost.tsx';
import { useTitle } from '#web/shell/title.ts';
import { Loaded } from '#web/ui/Loaded.tsx';
import { Empty } from '#web/ui/Note.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { VideoListing } from '#web/video/VideoListing.tsx';
import { VideosSkeleton } from '#web/video/Videos.tsx';
import { PlaylistHead } from './PlaylistHead.tsx';
import { playlistQuery } from './queries.ts';
import styles from './Playlists.module.css';

const Arrange = lazy(async () => ({ default: (await import('./Arrange.tsx')).Arrange }));

const Ghost = () => (
  <div className={styles.head} aria-hidden>
    <Skeleton width="50%" height={34} />
    <Skeleton width="30%" />
    <Skeleton height={38} />
    <VideosSkeleton view="grid" count={6} />
  </div>
);

function Missing({ playlist }: { playlist: Playlist }) {
  const { t } = useLingui();
  const missing = playlist.playlist_entries.filter((entry) => !entry.downloaded);
  if (missing.length === 0) return null;
  const many = videosText(missing.length);
  return (
    <details className={styles.missing}>
      <summary>{t`${many} not in the archive`}</summary>
      <ol>
        {missing.map((entry) => (
          <li key={entry.youtube_id}>
            {entry.idx + 1}. <bdi>{entry.title}</bdi>
          </li>
        ))}
      </ol>
    </details>
  );
}

/** One playlist in its own order, and what of it is not in the archive. */
export function PlaylistPage() {
  const { t } = useLingui();
  const { playlistId = '' } = useParams();
  const query = useQuery(playlistQuery(playlistId));
  const [isArranging, setIsArranging] = useState(false);
  useTitle(query.data?.playlist_name);
  if (query.error instanceof ApiError && query.error.status === 404)
    return <NotFound what={t`That playlist does not exist`} goHome={t`Go Home`} />;
  return (
    <Loaded query={query} skeleton={<Ghost />}>
      {(playlist) => (
        <>
          <PlaylistHead playlist={playlist} isArranging={isArranging} onArrange={setIsArranging} />
          {isArranging ? (
            <Suspense>
              <Arrange playlist={playlist} />
            </Suspense>
          ) : (
            <VideoListing
              place="playlist"
              scope={{ playlist: playlistId }}
              head={null}
              empty={
                playlist.playlist_type === 'custom' ? (
                  <Empty icon={<IconPlaylist />} title={t`Nothing in it yet`}>
                    {t`Add videos with the button on their pictures, or choose several in a list.`}
                  </Empty>
                ) : (
                  <Empty icon={<IconPlaylist />} title={t`Nothing of it is here yet`}>
                    {t`As its videos arrive they appear here, in the playlist's order.`}
                  </Empty>
                )
              }
            />
          )}
          <Missing playlist={playlist} />
        </>
      )}
    </Loaded>
  );
}
